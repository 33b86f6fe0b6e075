import type { MemoryScope } from './memory-scope.ts';
import type { EndReason } from './outcome.ts';

/**
 * How far a memory provider has been told of what happened: one cursor for each session it follows, and one for the changes of
 * the built-in memory. What is to be told is read from the log; here stands only how much of it is told already.
 *
 * Promises:
 * - a cursor is in one pair of hands at a time. Whoever lost it is refused (`StoreError` code `fenced`) before anything is moved;
 * - what a dead process of this machine held is free at once, what one elsewhere held when its lease runs out;
 * - a cursor only moves forward, and goes with its session.
 */
export interface MemoryCursorStore {
  /**
   * From now on the provider is told of this subject, from this position on. One that is followed already keeps its position and
   * takes the scope; one that was over is open again.
   */
  follow(cursor: NewMemoryCursor): Promise<void>;
  /**
   * Cursors of a provider that are behind their session and due, the one that waits longest first, into the caller's hands.
   * With `subject` that very one, whether it is known to be behind or not.
   */
  take(provider: string, options: TakeCursorsOptions): Promise<readonly TakenMemoryCursor[]>;
  /** So much is told. Still in the caller's hands. */
  move(taken: MemoryCursorClaim, to: MemoryPosition): Promise<void>;
  /** Gives it back; with trouble it is due again only after a while, and the trouble is remembered until the next success. */
  release(taken: MemoryCursorClaim, trouble?: TellingTrouble): Promise<void>;
  /** What is left to tell a provider, and what went wrong last. */
  backlog(provider: string): Promise<MemoryBacklog>;
  /** When the next cursor that is behind is due; `undefined` when none is behind. */
  nextDue(provider: string): Promise<number | undefined>;
}

export interface NewMemoryCursor {
  readonly provider: string;
  /** A session's id, or `writes`. */
  readonly subject: string;
  /** Everything up to here happened before the provider was there. */
  readonly from: number;
  /** Whose session it is, told with everything. */
  readonly scope?: MemoryScope;
}
export interface TakeCursorsOptions {
  readonly subject?: string;
  readonly limit: number;
  readonly leaseMs: number;
}
export interface MemoryCursorClaim {
  readonly provider: string;
  readonly subject: string;
  readonly token: number;
}
/** Positions of a log, or bytes of a file. */
export interface MemoryPosition {
  /** Everything up to here is told. */
  readonly told: number;
  /** Up to here was looked at: there is nothing to tell behind `told` yet. */
  readonly seen: number;
  /** The end that is told: its time, and the position it was told at. */
  readonly end?: { readonly at: number; readonly seq: number };
}
export interface TakenMemoryCursor extends MemoryCursorClaim {
  readonly scope?: MemoryScope;
  readonly told: number;
  /** The position of the last end that was told; what came later belongs to the next. */
  readonly endSeq: number;
  /** An end of the session that is not told yet. */
  readonly ended?: { readonly at: number; readonly reason: EndReason };
  /** How often in a row it went wrong. */
  readonly attempts: number;
}
export interface TellingTrouble {
  readonly delayMs: number;
  readonly why: string;
}
export interface MemoryBacklog {
  /** Sessions the provider follows that have something it was not told, or may have. */
  readonly sessions: number;
  readonly lastTrouble?: { readonly subject: string; readonly at: number; readonly why: string; readonly attempts: number };
}
