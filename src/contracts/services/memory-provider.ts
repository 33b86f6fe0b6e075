import type { MemoryBacklog } from '../memory-cursors.ts';
import type { ExportedFact, MemoryConfigField } from '../memory-provider.ts';

/** The external memory of a profile, as its owner sets it up and looks at it. */
export interface MemoryProviderService {
  /** Every provider there is, by name. */
  list(): Promise<readonly MemoryProviderLine[]>;
  /** What setting one up asks, and which of it is set already. */
  fields(name: string): Promise<readonly AskedField[]>;
  /** Saves what was answered and makes the provider the one in use. Secrets go to `.env` and nowhere else. */
  setUp(name: string, values: Readonly<Record<string, string>>): Promise<MemorySetup>;
  /** No provider is in use from now on. What it knows stays where it is. */
  turnOff(): Promise<{ readonly was: string }>;
  status(signal: AbortSignal): Promise<MemoryProviderStatus>;
  exportFacts(): Promise<readonly ExportedFact[]>;
  /** Gives how many it took. */
  importFacts(facts: readonly ExportedFact[]): Promise<number>;
}
export interface MemoryProviderLine {
  readonly name: string;
  readonly description: string;
  readonly isActive: boolean;
}
export interface AskedField extends MemoryConfigField {
  /** Its variable has a value. */
  readonly isSet: boolean;
}
export interface MemorySetup {
  readonly provider: string;
  /** Where secrets went, by variable. */
  readonly variables: readonly string[];
  /** Whether it can be used now; if not, why. */
  readonly ok: boolean;
  readonly trouble?: string;
}
export interface MemoryProviderStatus {
  /** Empty when none is in use. */
  readonly provider: string;
  readonly ok: boolean;
  /** Why it cannot be used. */
  readonly trouble?: string;
  /** Its own words. */
  readonly words?: string;
  readonly backlog?: MemoryBacklog;
  /** It has commands of its own: `hermes NAME --help`. */
  readonly hasCommands?: boolean;
}
