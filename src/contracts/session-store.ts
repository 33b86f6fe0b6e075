import { codeOf } from '../base/errors.ts';
import type { CompactionReport, Entry, NewEntry } from './entry.ts';
import type { FailureType } from './failure.ts';
import type { Usage } from './message.ts';
import type { ExitReason } from './outcome.ts';
import type { Finish, Sampling, Segment } from './provider.ts';
import type { Adjustments, Runtime } from './runtime.ts';
import type { TurnState } from './turn.ts';

/**
 * The session log and the few mutable cells a running turn needs to survive a crash.
 *
 * Promises every implementation keeps (the conformance suite checks them):
 * - entries are append-only, their `seq` has no gaps, and a commit is all or nothing;
 * - when `commit` has returned, a kill of the process loses none of it;
 * - several processes may use one store; a session has one writer at a time, and a writer that lost its claim
 *   is refused (`StoreError` code `fenced`) before anything of its commit is seen;
 * - everything besides sessions, entries, turn cells, inbox, ledger and facts is derived and can be rebuilt by `repair`.
 */
export interface SessionStore extends AsyncDisposable {
  create(session: NewSession): Promise<Session>;
  /** An id, a unique prefix of one, or a title. */
  find(ref: string): Promise<readonly Session[]>;
  /** Newest first, without sessions that never got an entry and that no live process holds. */
  list(filter?: SessionFilter): Promise<readonly Session[]>;
  retitle(sessionId: string, title: string, by: TitleSource): Promise<Session>;
  /**
   * Removes a session with all that hangs on it but what it cost: that was spent. The calls of a child count from then on as
   * calls a tool of its parent made, and its children are its parent's; those of any other session keep their figures, and
   * nothing by which their words could be known. Refused (`busy`) while a live process holds it.
   */
  remove(sessionId: string): Promise<void>;

  entries(sessionId: string, afterSeq?: number): Promise<readonly Entry[]>;

  /** Becomes the session's writer. Refused (`busy`, naming the holder) while another live process is; a dead one is taken over at once. */
  claim(sessionId: string): Promise<Claim>;
  release(claim: Claim): Promise<void>;
  commit(claim: Claim, change: Change): Promise<readonly Entry[]>;

  /** The turn that was cut off, if any. */
  turn(sessionId: string): Promise<TurnState | undefined>;

  /** Leaves a text for a session; needs no claim, so any process may. */
  post(item: NewInboxItem): Promise<InboxItem>;
  /** Texts that have no fate yet, oldest first. */
  waiting(sessionId: string): Promise<readonly InboxItem[]>;
  /** Every text and what became of it. */
  inbox(sessionId: string): Promise<readonly InboxItem[]>;

  calls(filter: CallFilter): Promise<readonly CallRecord[]>;
  /** What a session and the children that worked for it, theirs included, have cost. Summed from the ledger, so each call counts once. */
  spent(sessionId: string): Promise<Spending>;
  /** Compactions of all sessions, tried or done, oldest first. */
  compactions(filter: Pick<CallFilter, 'since'>): Promise<readonly StoredReport[]>;

  search(query: SearchQuery): Promise<readonly SearchHit[]>;

  /** Small facts worth keeping between runs (a route that cannot stream, a window a server stated). */
  fact(key: string): Promise<string | undefined>;
  learn(key: string, value: string): Promise<void>;

  /** Lets derived tables catch up, a bounded amount at a time; says whether anything is left. */
  tend(): Promise<boolean>;
  check(): Promise<readonly string[]>;
  repair(): Promise<RepairReport>;
  backup(path: string): Promise<void>;
}

export interface NewSession {
  readonly source: string;
  readonly cwd: string;
  readonly model: string;
  readonly provider: string;
  readonly title?: string;
  readonly parent?: { readonly sessionId: string; readonly kind: LineageKind };
}
export type LineageKind = 'branch' | 'child' | 'reset';
export type TitleSource = 'derived' | 'model' | 'user';

export interface Session extends NewSession {
  /** `YYYYMMDD_HHMMSS_` and six hex digits. */
  readonly id: string;
  readonly title?: string;
  readonly titleBy?: TitleSource;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly lastExitReason?: ExitReason;
  /** A turn was cut off and waits to be finished. */
  readonly unfinished: boolean;
}
export interface SessionFilter {
  readonly source?: string;
  readonly cwd?: string;
  readonly limit?: number;
}

/** The right to write one session. The token grows with every take-over; an older one is refused. */
export interface Claim {
  readonly sessionId: string;
  readonly token: number;
}
/** One atomic step of a turn. */
export interface Change {
  readonly turnId?: string;
  readonly append?: readonly NewEntry[];
  /** The new cell; `null` clears it. */
  readonly turn?: TurnState | null;
  readonly calls?: readonly CallRecord[];
  readonly fates?: readonly { readonly id: string; readonly fate: Fate }[];
  readonly exitReason?: ExitReason;
}

export interface NewInboxItem {
  readonly sessionId: string;
  readonly text: string;
  readonly mode: InboxMode;
  /** The sender's own id for it; posting it twice gives the first item back. */
  readonly key?: string;
}
export type InboxMode = 'steer' | 'queue' | 'interrupt';
export interface InboxItem extends NewInboxItem {
  readonly id: string;
  readonly at: number;
  readonly fate?: Fate;
}
/** What became of a text: it joined the running turn, opened a turn of its own, or stopped the turn and opened the next. */
export type Fate = 'steered' | 'turn' | 'interrupted';

/** One model call in the ledger. With the log it says byte for byte what was sent. */
export interface CallRecord {
  readonly id: string;
  readonly sessionId: string;
  /** Empty for a call between turns. */
  readonly turnId: string;
  /** Absent for the session's own requests; a summary is asked for with a request that is not made from the log. */
  readonly purpose?: 'compaction' | 'tool';
  readonly at: number;
  readonly ms: number;
  readonly firstByteMs?: number;
  readonly runtime: Runtime;
  readonly adjust: Adjustments;
  /** Absent where nothing was asked, and in logs of earlier versions. */
  readonly sampling?: Sampling;
  readonly toolUse: 'auto' | 'forbidden';
  readonly cacheTtl: '5m' | '1h' | 'off';
  /** The view was made of the entries up to and including this one. */
  readonly throughSeq: number;
  readonly bodyHash: string;
  readonly bodyBytes: number;
  readonly segments: readonly Segment[];
  readonly estimate: number;
  readonly usage: Usage;
  /** US dollars; absent when a needed price is unknown (never a partial sum). */
  readonly price?: number;
  readonly result: Finish | FailureType;
}
export interface CallFilter {
  readonly sessionId?: string;
  /** Calls of the children that worked for this session, theirs included, its own not. */
  readonly childrenOf?: string;
  readonly since?: number;
  readonly id?: string;
}
export interface Spending {
  readonly calls: number;
  readonly usage: Usage;
  readonly price: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
}

export interface StoredReport extends CompactionReport {
  readonly sessionId: string;
  readonly at: number;
}

export interface SearchQuery {
  readonly text: string;
  readonly limit?: number;
  readonly sessionId?: string;
}
export interface SearchHit {
  readonly sessionId: string;
  readonly entryId: string;
  readonly seq: number;
  readonly at: number;
  /** The message's role; `title` when it is the session's title that was hit. */
  readonly role: string;
  readonly title?: string;
  /** Text around the hit, hits between \u0002 and \u0003. */
  readonly snippet: string;
}
export interface RepairReport {
  readonly rebuilt: readonly string[];
  readonly problems: readonly string[];
  readonly sessions: number;
  readonly entries: number;
}

/**
 * Trouble with the store, in words for a person: what was tried, what came back, what to do. It is known by its name and
 * one of its codes, whoever's class it is of: the codes alone are words that other errors use too.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
const STORE_ERROR_CODES = ['busy', 'fenced', 'missing', 'taken', 'corrupt', 'read_only', 'full', 'newer', 'io'] as const;
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];
/** Whether it is trouble with the store, and of one of these kinds where any are named. */
export const isStoreError = (error: unknown, ...codes: readonly StoreErrorCode[]): error is StoreError =>
  error instanceof Error &&
  error.name === 'StoreError' &&
  (codes.length === 0 ? STORE_ERROR_CODES : codes).some((code) => code === codeOf(error));
