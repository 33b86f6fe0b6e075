import type { MemoryProviderOptions } from '../memory-provider.ts';
import type { MemoryStoreView } from '../memory.ts';

/** Profiles as the commands of a memory provider see them. */
export interface ProviderHomeService {
  /** The profile this program runs in. */
  readonly current: string;
  /** Every profile, the default one first. */
  list(): readonly string[];
  /** The current one when none is named. Throws a `UsageError` for one that is not there. */
  open(profile?: string): Promise<ProviderHome>;
}

/** One profile: where a provider's own file lies, its keys, and the network as its settings allow it. */
export interface ProviderHome extends Pick<MemoryProviderOptions, 'home' | 'env' | 'network' | 'reachOwnServer'> {
  readonly profile: string;
  /** What `memory.provider` says there. */
  readonly provider: string;
  /** The two files of the built-in memory. */
  memory(): Promise<readonly MemoryStoreView[]>;
}
