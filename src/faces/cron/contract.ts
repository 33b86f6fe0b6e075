import type { Clock } from '../../base/clock.ts';
import type { ChatTarget, NewDelivery } from '../../contracts/gateway-store.ts';
import type { Host, SessionOptions } from '../../contracts/host.ts';
import type { JobDefinition } from '../../contracts/job-store.ts';
import type { SpendingAllowance } from '../../contracts/ledger.ts';
import type { ReadOutgoingFile } from '../../contracts/outgoing-file.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { cronSettings } from './settings.ts';

/** What running jobs stands on. */
export interface CronDeps {
  readonly host: Pick<Host, 'openSession' | 'store'>;
  /** The profile's folder. */
  readonly root: string;
  readonly settings: SliceValues<typeof cronSettings> & { readonly 'terminal.cwd'?: string };
  /** An IANA name: where the owner reads clocks. */
  readonly zone: string;
  readonly clock: Clock;
  /** A line for the owner's log. */
  readonly log: (words: string) => void;
  readonly chats: ResultChats;
  /** What a key of the API may; `undefined` when there is none of this name any more. */
  readonly findKey: (name: string) => Promise<JobKeyLimits | undefined>;
  /** What every session of a job has besides; a model of a test's own. */
  readonly session?: Partial<SessionOptions>;
}

/** What the jobs of a key may do: as much as its own sessions. */
export interface JobKeyLimits {
  readonly toolsets?: readonly string[];
  /** Why a job may not have these toolsets; `undefined` when it may. */
  checkToolsets(names: readonly string[]): string | undefined;
  /** Sees what is remembered of the owner. */
  readonly hasMemory: boolean;
  readonly allowance?: SpendingAllowance;
}

/** The chats that results go to, as whoever knows the platforms sees them. */
export interface ResultChats {
  /** Where a job's results go now: to its origin, else to the home channel, or to the chats it names. None for `local`. */
  find(job: Pick<JobDefinition, 'deliver' | 'origin'>): Promise<FoundChats>;
  /** What goes out to one of them: the text, and files that it names. */
  prepare(message: ResultMessage, readFile?: ReadOutgoingFile): Promise<readonly NewDelivery[]>;
}
export interface FoundChats {
  readonly targets: readonly ResultTarget[];
  /** Why others of them cannot be reached, in words for the owner. */
  readonly problems: readonly string[];
}
export interface ResultTarget {
  readonly target: ChatTarget;
  /** Only the owner reads there. */
  readonly isPrivate: boolean;
}
export interface ResultMessage {
  readonly key: string;
  readonly target: ChatTarget;
  readonly markdown: string;
  readonly sessionId?: string;
  readonly turnId?: string;
}
