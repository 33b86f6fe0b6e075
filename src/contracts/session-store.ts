import { readErrorCode } from '../base/errors.ts';
import type { CompactionReport, Entry, NewEntry } from './entry.ts';
import type { InboxItem, MessageFate, NewInboxItem } from './inbox.ts';
import type { EndReason, ExitReason } from './outcome.ts';
import type { ActivityCounts, CallFilter, CallRecord, Spending } from './ledger.ts';
import type { GatewayStore, NewDelivery, StoreChange } from './gateway-store.ts';
import type { JobStore } from './job-store.ts';
import type { MemoryCursorStore } from './memory-cursors.ts';
import type { ProcessStore } from './process-store.ts';
import type { QuestionStore } from './question-store.ts';
import type { RunStore } from './run-store.ts';
import type { NewSession, Session, TitleSource } from './session.ts';
import type { TurnState } from './turn.ts';

export type { EndReason } from './outcome.ts';
export type { DismissalFate, InboxItem, InboxMode, MessageFate, NewInboxItem } from './inbox.ts';
export type { LineageKind, NewSession, Session, TitleSource } from './session.ts';

/**
 * The session log and the few mutable cells a running turn needs to survive a crash.
 *
 * Promises every implementation keeps (the conformance suite checks them):
 * - entries are append-only, their `seq` has no gaps, and a commit is all or nothing;
 * - when `commit` has returned, a kill of the process loses none of it;
 * - several processes may use one store; a session has one writer at a time, and a writer that lost its claim
 *   is refused (`StoreError` code `fenced`) before anything of its commit is seen;
 * - everything besides sessions, entries, turn cells, inbox, ledger, facts, chats, questions, processes, runs, jobs and memory cursors is derived and can be
 *   rebuilt by `repair`.
 */
export interface SessionStore extends AsyncDisposable {
  create(session: NewSession): Promise<Session>;
  /** An id, a unique prefix of one, or a title. */
  find(ref: string): Promise<readonly Session[]>;
  /** Newest first, without sessions that never got an entry and that no live process holds. */
  list(filter?: SessionFilter): Promise<readonly Session[]>;
  /**
   * A new session (lineage `branch`) whose log is a copy of another's up to and including a position: every entry with its id,
   * position, turn, time and bytes, so that its requests begin as the parent's did and the provider's cache holds. Turn cell,
   * inbox and ledger stay with the parent: what the copy cost was spent there. Needs no claim; all at once or not at all.
   * Refused (`missing`) at a position the log does not have.
   */
  branch(sessionId: string, at: BranchPoint): Promise<Session>;
  /**
   * Takes over a session that another program held, under the id it is given: everything at once or nothing, with the times
   * it had there. Entries are recognized by their ids. A session that is here already gets what its log had more of there;
   * where the two logs differ, it stays as it is. Needs no claim. Refused (`busy`) while a live process holds it.
   */
  adopt(session: AdoptedSession): Promise<AdoptionResult>;
  retitle(sessionId: string, title: string, by: TitleSource): Promise<Session>;
  /**
   * Removes a session with all that hangs on it but what it cost: that was spent. The calls of a child count from then on as
   * calls a tool of its parent made, and its children are its parent's; those of any other session keep their figures, and
   * nothing by which their words could be known. Where a store keeps its bytes itself, none of its words can be read from them
   * afterwards, and their space is given back while others go on. Refused (`busy`) while a live process holds it.
   */
  remove(sessionId: string): Promise<void>;

  entries(sessionId: string, afterSeq?: number): Promise<readonly Entry[]>;

  /**
   * Becomes the session's writer. Refused (`busy`, naming the holder) while another live process is; a dead one is taken over at once, and
   * what it left as `running` in the ledger is `lost`.
   */
  claim(sessionId: string): Promise<Claim>;
  release(claim: Claim): Promise<void>;
  commit(claim: Claim, change: LogChange): Promise<readonly Entry[]>;

  /** The turn that was cut off, if any. */
  turn(sessionId: string): Promise<TurnState | undefined>;

  /**
   * Sessions, of all there are, that somebody has to go on with: messages wait for them, or a turn is unfinished. The one that
   * was left alone longest comes first. One that a live process is at may be among them: its claim tells.
   */
  pending(): Promise<readonly PendingSession[]>;

  /** Leaves a message for a session; needs no claim, so any process may. */
  post(item: NewInboxItem): Promise<InboxItem>;
  /** Messages that have no fate yet, oldest first. */
  waiting(sessionId: string): Promise<readonly InboxItem[]>;
  /** Every message and what became of it. */
  inbox(sessionId: string): Promise<readonly InboxItem[]>;

  calls(filter: CallFilter): Promise<readonly CallRecord[]>;
  /** What a session and the children that worked for it, theirs included, have cost. Summed from the ledger, so each call counts once. */
  spent(sessionId: string): Promise<Spending>;
  /** Compactions of all sessions, tried or done, oldest first. */
  compactions(filter: Pick<CallFilter, 'since'>): Promise<readonly StoredCompactionReport[]>;
  /**
   * What happened in all sessions, counted. What a branch copied counts once, with its parent; what was taken back counts, for
   * it was done; the calls of a removed session count, its turns and tools went with it. Read from indexes alone: a month of a
   * store with a million messages takes a fraction of a second.
   */
  activity(filter: Pick<CallFilter, 'since'>): Promise<ActivityCounts>;

  search(query: SearchQuery): Promise<readonly SearchHit[]>;

  /** Small facts worth keeping between runs (a route that cannot stream, a window a server stated). */
  fact(key: string): Promise<string | undefined>;
  /** `undefined` forgets it. With `expected` only when that is what is known now (`null`: nothing); gives whether that was so. */
  learn(key: string, value: string | undefined, expected?: string | null): Promise<boolean>;

  /** Chats: what arrived from them, what goes out to them, which session they lead to. */
  readonly gateway: GatewayStore;
  /** Questions to the owner that wait for an answer, and what was allowed for longer than one act. */
  readonly questions: QuestionStore;
  /** Background processes that may outlive whoever started them. */
  readonly processes: ProcessStore;
  /** Turns that programs asked for, and what they told on the way. */
  readonly runs: RunStore;
  /** Scheduled jobs and their runs. */
  readonly jobs: JobStore;
  /** How far memory providers have been told of sessions. */
  readonly memory: MemoryCursorStore;
  /**
   * Hints that something may be new, whichever process wrote it. Lossy: rows are the truth, and whoever must not miss anything
   * looks now and then by itself. Ends when the signal aborts or the store closes. With `concerns` only those it is true for,
   * and `any`.
   */
  changes(signal: AbortSignal, concerns?: (change: StoreChange) => boolean): AsyncIterable<StoreChange>;
  /** Care of the files, for a store that has them. */
  readonly care?: StoreCare;
}

/** What only a store that is a file on this machine needs and has. */
export interface StoreCare {
  /** Lets derived tables catch up, a bounded amount at a time; says whether anything is left. */
  tend(): Promise<boolean>;
  check(): Promise<readonly string[]>;
  repair(): Promise<RepairReport>;
  backup(path: string): Promise<void>;
  /**
   * For a copy that takes the store's place later on, or elsewhere: what is on its way may have arrived since and says so, and
   * processes of that time are forgotten. Unless `keepCursors` is set, chats go on with what is said from now on.
   */
  settleCopy(options: { readonly keepCursors: boolean }): Promise<SettledCopy>;
}
export interface SettledCopy {
  /** Deliveries that say now that they may be repeats. */
  readonly deliveries: number;
  readonly processes: number;
}

/** Where a log parts. Whether the position lies between two turns is for the caller to know. */
export interface BranchPoint {
  readonly throughSeq: number;
  /** The title a person gave it; without one it is derived from the parent's. */
  readonly title?: string;
}
/** A whole session as another program left it. */
export interface AdoptedSession extends NewSession {
  readonly id: string;
  readonly startedAt: number;
  /** When it was last used. */
  readonly updatedAt: number;
  readonly entries: readonly AdoptedEntry[];
  /** What it cost there; counts only with a session that is new here. */
  readonly calls: readonly CallRecord[];
}
export type AdoptedEntry = NewEntry & { readonly id: string; readonly at: number; readonly turnId?: string };
export interface AdoptionResult {
  readonly session: Session;
  /** `diverged`: the log here is not the beginning of the one there, nor the other way round. Nothing was changed. */
  readonly did: 'created' | 'extended' | 'unchanged' | 'diverged';
}
export interface SessionFilter {
  readonly source?: string;
  readonly platform?: string;
  readonly cwd?: string;
  readonly limit?: number;
}

export interface PendingSession {
  readonly session: Session;
  /** How many messages wait; 0 when only a turn is unfinished. */
  readonly waiting: number;
}

/** The right to write one session. The token grows with every take-over; an older one is refused. */
export interface Claim {
  readonly sessionId: string;
  readonly token: number;
  /** Whoever had it before did not give it back: the process died, or was cut off for longer than its lease. */
  readonly takenOver?: true;
}
/** One atomic step of a turn. */
export interface LogChange {
  readonly turnId?: string;
  readonly append?: readonly NewEntry[];
  /** The new cell; `null` clears it. */
  readonly turn?: TurnState | null;
  /** Calls that have come to their end. One that stands as `running` or `lost` under this id is replaced. */
  readonly calls?: readonly CallRecord[];
  /** Calls that are about to go out, `running`: from then on they are spent, whatever becomes of the process. */
  readonly sent?: readonly CallRecord[];
  readonly fates?: readonly { readonly id: string; readonly fate: MessageFate }[];
  readonly exitReason?: ExitReason;
  /**
   * Another commit follows before anything is done in the world for it, so a power failure may take this one along with what
   * came after. The death of the process may not.
   */
  readonly continues?: true;
  /** What goes out with it: durable in the same commit as the outcome it tells. */
  readonly deliveries?: readonly NewDelivery[];
  /** The session ends. An end that stands already keeps its reason and time; a turn that begins or goes on opens the session again. */
  readonly end?: EndReason;
}
export interface StoredCompactionReport extends CompactionReport {
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
  /** The message was taken back by a later rewind. */
  readonly rewound?: true;
  /** Text around the hit, hits between \u0002 and \u0003. */
  readonly snippet: string;
}
export interface RepairReport {
  readonly rebuilt: readonly string[];
  readonly problems: readonly string[];
  /** Of the problems those that cost something, of the log or of any other table: it could not be read, and nothing brings it back. */
  readonly lost: readonly string[];
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
const STORE_ERROR_CODES = ['busy', 'fenced', 'missing', 'taken', 'corrupt', 'read_only', 'full', 'newer', 'foreign', 'io'] as const;
export type StoreErrorCode = (typeof STORE_ERROR_CODES)[number];
/** Whether it is trouble with the store, and of one of these kinds where any are named. */
export const isStoreError = (error: unknown, ...codes: readonly StoreErrorCode[]): error is StoreError =>
  error instanceof Error &&
  error.name === 'StoreError' &&
  (codes.length === 0 ? STORE_ERROR_CODES : codes).some((code) => code === readErrorCode(error));
