import type { DetachedProcessRecord } from './terminal.ts';

/** Background processes that may outlive whoever started them, each under the id people know it by. Each method is one atomic step. */
export interface ProcessStore {
  /** Takes the place of one of that id. */
  add(record: ProcessRecord): Promise<void>;
  /** What its session wants to hear from now on. One that is not in the list stays out of it. */
  change(id: string, pending: StoredNotices): Promise<void>;
  /** The owner wants it to go on when its session is closed. */
  keep(id: string): Promise<void>;
  /** Gives what it was; `undefined` when it was not there. */
  remove(id: string): Promise<ProcessRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly ProcessRecord[]>;
}
export interface ProcessRecord extends StoredNotices {
  readonly id: string;
  readonly sessionId: string;
  readonly trace: DetachedProcessRecord;
  /** It goes on when its session is closed. */
  readonly kept?: true;
}
export interface StoredNotices {
  /** Its session wants to hear of its end. */
  readonly tell?: boolean;
  /** It wants to hear of lines with one of these words; of the first `seen` lines it has. */
  readonly watch?: { readonly patterns: readonly string[]; readonly seen: number };
}
