/** Whole profiles as files: everything that is somebody's, and nothing that belongs to one machine or can be made again. */
export interface BackupService {
  /** The profile of this program. */
  readonly home: string;
  /** Copies the profile as it is at one moment, while it may be in use. With a passphrase the file is encrypted (age). Nothing that is there is overwritten. */
  backup(file: string, options: BackupOptions): Promise<BackupResult>;
  /** Whether the file can only be opened with a passphrase. */
  isEncrypted(file: string): Promise<boolean>;
  /**
   * Puts a profile where there is none, whole or not at all. What it was doing when the copy was made may have been done since:
   * turns that were cut off are not gone on with, answers on their way say that they may be repeats, scheduled times that are
   * over are not made up for, and chats go on with what is said from now on.
   */
  restore(file: string, options: RestoreOptions): Promise<RestoreResult>;
}
export interface BackupOptions {
  readonly passphrase?: string;
}
export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly sessions: number;
  readonly encrypted: boolean;
  /** It holds keys that anybody who has the file can read. */
  readonly hasReadableKeys: boolean;
  /** Links, unreadable files and folders nested too deep in folders that agents and plugins write to; absent when there are none. */
  readonly leftOut?: number;
  /** Links of the owner that were left out because what they lead to cannot be read; absent when there are none. */
  readonly unreadableLinks?: readonly string[];
}
export interface RestoreOptions {
  /** The folder of the profile; this program's when left out. */
  readonly home?: string;
  readonly passphrase?: string;
  /** What is there is moved aside first. */
  readonly replace?: boolean;
  /** Chats go on where the copy was made: what was said since then is answered, possibly for the second time. */
  readonly answerMissed?: boolean;
}
export interface RestoreResult {
  readonly home: string;
  /** When the copy was made. */
  readonly madeAt: number;
  readonly files: number;
  readonly sessions: number;
  /** Where what was there before is now. */
  readonly movedTo?: string;
  /** Other profiles in the same folder, which stayed as they were. */
  readonly profilesKept?: readonly string[];
  /** What was unfinished when the copy was made, and what becomes of it. */
  readonly settled: RestoredStore;
}
/** What a store left open when it was copied. */
export interface RestoredStore {
  readonly turnsGivenUp: number;
  readonly deliveriesMarked: number;
  readonly processesForgotten: number;
  /** Scheduled jobs whose time came since the copy was made: they wait for their next time. */
  readonly jobsSkipped: number;
}
