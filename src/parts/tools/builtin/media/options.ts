import type { NetworkAccess } from '../../../../contracts/reach.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import type { Location } from '../files/locate.ts';
import type { mediaSettings } from './settings.ts';

export interface MediaOptions {
  readonly settings: SliceValues<typeof mediaSettings>;
  /** The way to the network: for pictures with nothing owned, for a back end with its own address. */
  readonly reach: (owned: readonly string[]) => NetworkAccess;
  /** A variable of the environment or the credential store. */
  readonly variable: (name: string) => string | undefined;
  /** The profile's folder: what is made goes below its `cache`. */
  readonly profile: string;
  /** Other addresses of back ends, by their names. */
  readonly bases?: Readonly<Record<string, string>>;
  readonly now?: () => number;
}
/** Throws when a file is not for tools. */
export type PathGuard = (place: Location, intent: 'read' | 'write') => void;

/** What every back end over the network has. */
export interface MediaService {
  readonly name: string;
  readonly label: string;
  /** Variables its key may stand in, the first that is set counts. */
  readonly keys: readonly string[];
  readonly base: string;
  /** A variable that names another address. */
  readonly baseVariable?: string;
}
/** A back end that has all it needs. The key is asked for when it is used and kept nowhere. */
export interface ReadyService<Kind extends MediaService> {
  readonly service: Kind;
  readonly base: string;
  key(): string;
}

/** The back ends that have a key, in their order. */
export function listReadyServices<Kind extends MediaService>(
  services: readonly Kind[],
  { variable, bases }: MediaOptions,
): readonly ReadyService<Kind>[] {
  return services.flatMap((service) => {
    const key = (): string => service.keys.map((name) => variable(name) ?? '').find((value) => value !== '') ?? '';
    const own = variable(service.baseVariable ?? '') ?? '';
    const base = (bases?.[service.name] ?? (own === '' ? service.base : own)).replace(/\/+$/, '');
    return key() === '' ? [] : [{ service, base, key }];
  });
}
