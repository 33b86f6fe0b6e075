import type { Env } from '../../../base/env.ts';
import type { NetworkAccess } from '../../../contracts/reach.ts';
import type { HookLine, HookTestResult } from '../../../contracts/services/hooks.ts';
import type { Trustable, TrustStore } from './trust.ts';

/** What the three kinds of hooks are read with. */
export interface HookSourceDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly store: TrustStore;
  /** The setting `hooks`. */
  readonly table: Readonly<Record<string, unknown>>;
  readonly env: Env;
  /** The way to an address that the owner named. */
  readonly networkTo: (url: string) => Pick<NetworkAccess, 'fetch'>;
}

/** One hook, whatever its kind, as commands deal with it. */
export interface HookEntry {
  readonly name: string;
  line(): Promise<HookLine>;
  /** Absent where there is nothing to trust: it is broken, or only an address. */
  readonly trust?: { readonly name: string; hashed(): Trustable };
  /** What to do when it does not run. */
  readonly fix: string;
  /** Absent where it is broken. */
  readonly test?: (event: string | undefined, signal: AbortSignal) => Promise<Omit<HookTestResult, 'name'>>;
}
