import type { Json, JsonObject } from '../base/json-types.ts';
import type { NewEntry } from './entry.ts';
import type { NewInboxItem } from './inbox.ts';
import type { NewSession, Session } from './session.ts';

/**
 * Runs: turns that programs asked for, and what each of them told on its way. It is part of the session store, so that a request
 * becomes part of a session in one commit.
 *
 * Promises every implementation keeps (the conformance suite checks them):
 * - `begin` is one atomic step. Once it has returned, the message waits in the inbox of its session and is answered, whoever dies. A
 *   power cut may take it before its turn has begun, unless it was promised;
 * - one idempotency key of one owner is one run, however often and from wherever it is begun;
 * - events of a run have growing numbers and never change. What was appended can be read again from any number on, until the
 *   run is removed or too old. A run that is over gets no more of them;
 * - appending costs one commit, of however many runs. It survives the death of the process; a power cut may take the last ones,
 *   and then no later event has one of their numbers (`afterBreak`);
 * - what an owner's sessions cost is counted with each model call, and stays counted when the sessions are removed.
 */
export interface RunStore {
  begin(run: NewRun): Promise<RunBeginning>;
  find(id: string): Promise<Run | undefined>;
  /** The run of a turn; of several that went on with each other, the last. */
  findByTurn(sessionId: string, turnId: string): Promise<Run | undefined>;
  /** Those that are not over, of all sessions or of one, oldest first. */
  listOpen(sessionId?: string): Promise<readonly Run[]>;
  /** Removes a run that is over, and its events. Gives whether it did. */
  remove(id: string): Promise<boolean>;

  /** Appends to several runs at once. Gives the number of the last event of each. What is told of a run that is over is dropped. */
  append(progress: readonly RunProgress[]): Promise<readonly number[]>;
  /** Events with greater numbers, in order, at most so many. */
  events(id: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /** A stop was asked for: gives whether the run was not over. */
  requestStop(id: string): Promise<boolean>;

  /** A session that an owner begins without a message. */
  createSession(begun: OwnedSession): Promise<Session>;
  /** Whose it is; nothing for a session that no run or owner ever had. Copies and children are their parent's owner's. */
  findOwner(sessionId: string): Promise<SessionOwner | undefined>;
  /** Newest first; of all owners when none is named. Children are left out. */
  listSessions(filter: OwnedSessionFilter): Promise<readonly Session[]>;
  /** The session that an owner's conversation of this name is held in. */
  findNamed(owner: string, name: string): Promise<string | undefined>;
  /** Where in which session a conversation of an owner stood, for the first of these hashes that is known. */
  findPrefix(owner: string, hashes: readonly string[]): Promise<SessionPosition | undefined>;
  /** What an owner's sessions have cost. */
  spent(owner: string): Promise<OwnerSpending>;
}

/** Whose key `API_SERVER_KEY` is: the owner of the home. */
export const MAIN_OWNER = 'main';

export interface NewRun {
  /** Who asked. */
  readonly owner: string;
  /** How it was asked: what the answer looks like. */
  readonly kind: string;
  /** The caller's key, and the hash of what was asked under it. */
  readonly idempotency?: { readonly key: string; readonly bodyHash: string };
  /** What an answer is made of besides the events. */
  readonly request: JsonObject;
  readonly place: RunPlace;
  /**
   * A run that is over and whose turn waits for results of the client: this run is the rest of that turn, and `place` and `item` are not
   * used. `missing` when the turn is over, or another run goes on with it.
   */
  readonly continues?: string;
  /** The message. Where the answer goes is the run itself. */
  readonly item: Pick<NewInboxItem, 'content' | 'overlay' | 'sampling'>;
  /** Whoever asked is told that it is kept, and may leave: it reaches the disk before this returns, not with the next commit of its turn. */
  readonly isPromised?: true;
  /** Nobody will ask for it later: it goes soon after it is over. */
  readonly isBrief?: true;
  /** Refused while as many runs are not over. */
  readonly maxOpen: number;
}
/** Where a run takes place. */
export type RunPlace =
  /** In this session, after whatever waits there. */
  | { readonly type: 'session'; readonly sessionId: string }
  /** In this session if nothing came after that position; otherwise in a copy of it up to there. */
  | ({ readonly type: 'after' } & SessionPosition)
  | ({ readonly type: 'new' } & OwnedSession)
  /** In the session that the owner's conversation of this name is held in, or began now. */
  | ({ readonly type: 'conversation'; readonly name: string } & OwnedSession);
export interface SessionPosition {
  readonly sessionId: string;
  readonly seq: number;
}
export interface OwnedSession {
  readonly owner: string;
  readonly session: NewSession;
  /** What is remembered of it, for whoever opens it. */
  readonly facts: JsonObject;
  /** What its log begins with. */
  readonly seed?: readonly NewEntry[];
}
export interface SessionOwner {
  readonly owner: string;
  readonly facts: JsonObject;
}
export interface OwnedSessionFilter {
  readonly owner?: string;
  readonly platform?: string;
  readonly limit: number;
  readonly offset?: number;
}

export type RunBeginning =
  | { readonly type: 'begun'; readonly run: Run; readonly session: Session }
  /** It was begun before under the same key. */
  | { readonly type: 'known'; readonly run: Run }
  /** Something else was asked under this key. */
  | { readonly type: 'conflict' }
  | { readonly type: 'full' }
  /** The session, or the position in it, is not there. */
  | { readonly type: 'missing' };

export interface Run {
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly sessionId: string;
  /** The message in the inbox of its session. */
  readonly itemId: string;
  /** The turn that took the message; absent while it waits. */
  readonly turnId?: string;
  readonly at: number;
  readonly state: RunState;
  readonly request: JsonObject;
  readonly isBrief?: true;
  readonly endedAt?: number;
  /** What came of it, once it is over. */
  readonly result?: JsonObject;
  /** How long its session's log was when it was over. */
  readonly endSeq?: number;
}
export type RunState = OpenRunState | FinalRunState;
export type OpenRunState = 'queued' | 'running' | 'waiting_for_approval' | 'stopping';
export type FinalRunState = 'completed' | 'failed' | 'cancelled';
export const isOver = ({ state }: Pick<Run, 'state'>): boolean => state === 'completed' || state === 'failed' || state === 'cancelled';

export interface NewRunEvent {
  readonly type: string;
  readonly data: JsonObject;
}
export interface RunEvent extends NewRunEvent {
  readonly seq: number;
  readonly at: number;
}
export interface RunProgress {
  readonly runId: string;
  readonly events: readonly NewRunEvent[];
  /** A stop that was asked for stays until the run is over. */
  readonly state?: OpenRunState;
  readonly end?: RunEnd;
  /** Another message of the same run: its turn takes the place of the one before. At most one for each run. */
  readonly retry?: NewRun['item'];
  /** The first events of another process: their numbers leave room for what the one before may have told and nobody kept. */
  readonly afterBreak?: true;
}
export interface RunEnd {
  readonly state: FinalRunState;
  readonly result: JsonObject;
  readonly seq?: number;
  /** What the conversation is known by from now on, at this position. */
  readonly prefixes?: readonly string[];
}
export interface OwnerSpending {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars. */
  readonly price: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
}

/** The address of an answer that goes to a run. */
export const toRunAddress = (runId: string): Json => ({ run: runId });
