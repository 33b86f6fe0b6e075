import type { NetworkAccess } from '../../../../contracts/reach.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import { BACKENDS } from './backends/all.ts';
import type { Backend } from './backends/backend.ts';
import type { webSettings } from './settings.ts';

export interface WebOptions {
  readonly settings: SliceValues<typeof webSettings>;
  /** The way to the network: for pages with nothing owned, for a back end with its own address. */
  readonly reach: (owned: readonly string[]) => NetworkAccess;
  /** A variable of the environment or the credential store. */
  readonly variable: (name: string) => string | undefined;
  /** Other addresses of back ends, by their names. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** A back end that has all it needs. The key is asked for when it is used and kept nowhere. */
export interface ReadyBackend {
  readonly backend: Backend;
  readonly base: string;
  key(): string;
}

/** Every back end that can be used, the preferred one first. */
export function listReadyBackends(options: WebOptions, preferred: string): readonly ReadyBackend[] {
  const ready = BACKENDS.flatMap((backend) => readyOne(backend, options) ?? []);
  return ready.toSorted((a, b) => Number(b.backend.name === preferred) - Number(a.backend.name === preferred));
}

function readyOne(backend: Backend, { settings, variable, bases }: WebOptions): ReadyBackend | undefined {
  const key = (): string => backend.keys.map((name) => variable(name) ?? '').find((value) => value !== '') ?? '';
  const own = backend.name === 'searxng' ? settings['web.searxng_url'] : (variable(backend.baseVariable ?? '') ?? '');
  const base = (bases?.[backend.name] ?? (own === '' ? backend.base : own)).replace(/\/+$/, '');
  // Who runs such a service at home may run it without keys.
  const keyless = backend.keys.length === 0 || (own !== '' && backend.baseVariable !== undefined);
  return base === '' || (key() === '' && !keyless) ? undefined : { backend, base, key };
}
