import type { Clock } from '../base/clock.ts';
import { applyEntry, dropRewound, type Entry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { isStoreError, StoreError, type LogChange, type Claim, type SessionStore } from '../contracts/session-store.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { LOOK_MS, onChange } from './on-change.ts';

/** The one session a turn writes: its log in memory, kept equal to the store by writing nowhere else. */
export interface Journal extends AsyncDisposable {
  readonly sessionId: string;
  readonly store: SessionStore;
  /** The writer before died at it. */
  readonly takenOver?: true;
  /** What stands of the log: views, prompts and taint are made of this. The list grows, and is cut where something is taken back. */
  readonly entries: readonly Entry[];
  /** All of it, with what was taken back. */
  readonly log: readonly Entry[];
  commit(change: LogChange): Promise<readonly Entry[]>;
  /** Waiting messages whose fate is being written: nothing else may take them. */
  readonly taken: Set<string>;
  /** Its model calls so far, oldest first; read once and kept up to date. */
  calls(): Promise<readonly CallRecord[]>;
}

/** The writers of this process, by store and session. */
const writers = new WeakMap<object, Map<string, Journal>>();

/** What of this process is writing the session now. */
export const findWriter = (store: object, sessionId: string): Journal | undefined => writers.get(store)?.get(sessionId);

/** Becomes the session's writer, after whoever is at it now; says so when that means waiting. `undefined` when told to stop meanwhile. */
export async function* openJournal(
  store: SessionStore,
  sessionId: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Journal | undefined> {
  const claim = yield* claimInTurn(store, sessionId, clock, signal);
  return claim && journalOn(store, claim);
}

/** Becomes the session's writer at once, or not at all: `undefined` while somebody is at it. */
export async function openIdleJournal(store: SessionStore, sessionId: string): Promise<Journal | undefined> {
  const claim = await claimNow(store, sessionId);
  return isStoreError(claim) ? undefined : journalOn(store, claim);
}

/** The log to look at, whoever is at it: up to the last of some borders, or all of it. Nothing can be written. */
export async function readJournal(store: SessionStore, sessionId: string, borders?: (log: readonly Entry[]) => number[]): Promise<Journal> {
  const all = await store.entries(sessionId);
  const through = borders?.(all).at(-1) ?? 0;
  const log = borders === undefined ? all : all.filter(({ seq }) => seq <= through);
  return {
    sessionId,
    store,
    log,
    entries: dropRewound(log),
    taken: new Set(),
    commit: () => Promise.reject(new Error(`session ${sessionId} was opened to be read, not to be written.`)),
    calls: () => store.calls({ sessionId }),
    [Symbol.asyncDispose]: async () => {},
  };
}

type ClaimingStore = Pick<SessionStore, 'claim' | 'commit' | 'release'>;

/** One change to a session nobody is at; says whether it was made. */
export async function commitIdle(store: ClaimingStore, sessionId: string, change: LogChange): Promise<boolean> {
  const claim = await claimNow(store, sessionId);
  if (isStoreError(claim)) return false;
  try {
    await store.commit(claim, change);
    return true;
  } finally {
    await store.release(claim);
  }
}

async function journalOn(store: SessionStore, claim: Claim): Promise<Journal> {
  const { sessionId, takenOver } = claim;
  const log = [...(await store.entries(sessionId))];
  const entries = [...dropRewound(log)];
  const running = new Map<string, CallRecord>();
  let calls: Promise<CallRecord[]> | undefined;
  const own = writers.get(store) ?? new Map<string, Journal>();
  writers.set(store, own);
  const journal: Journal = {
    sessionId,
    store,
    taken: new Set(),
    ...(takenOver === true && { takenOver }),
    entries,
    log,
    commit: async (change) => {
      const added = await store.commit(claim, change);
      log.push(...added);
      for (const entry of added) applyEntry(entries, entry);
      // What is durable is told as such, whatever became of an earlier look at the ledger.
      const known = await calls?.catch(() => undefined);
      for (const call of [...(change.sent ?? []), ...(change.calls ?? [])]) {
        if (call.result === 'running') running.set(call.id, call);
        else running.delete(call.id);
        known?.splice(placeOf(call, known), 1, call);
      }
      return added;
    },
    calls: () =>
      (calls ??= store.calls({ sessionId }).then(
        (known) => [...known],
        (error: unknown) => {
          // Trouble of this moment is not kept.
          calls = undefined;
          throw error;
        },
      )),
    [Symbol.asyncDispose]: async () => {
      own.delete(sessionId);
      // Left by a turn that broke down in the middle of a call: its end is not heard any more.
      const sent = [...running.values()].map((call) => ({ ...call, result: 'lost' as const }));
      if (sent.length > 0) await store.commit(claim, { sent, continues: true }).catch(() => undefined);
      await store.release(claim);
    },
  };
  own.set(sessionId, journal);
  return journal;
}

/** Where a call stands that was entered when it went out; at the end for a new one. */
function placeOf({ id }: CallRecord, calls: readonly CallRecord[]): number {
  const place = calls.findLastIndex((call) => call.id === id);
  return place < 0 ? calls.length : place;
}

/** Asks again when the session is given back, and now and then: whoever has it may die. */
async function* claimInTurn(
  store: SessionStore,
  sessionId: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Claim | undefined> {
  const first = await claimNow(store, sessionId);
  if (!isStoreError(first)) return first;
  if (signal.aborted) return undefined;
  yield { type: 'notice', text: `Waiting: ${first.message}` };
  let hint = new AbortController();
  using _ = onChange(
    store,
    (change) => change.type === 'released' && change.sessionId === sessionId,
    () => hint.abort(),
  );
  for (;;) {
    const claim = await claimNow(store, sessionId);
    if (!isStoreError(claim)) return claim;
    await clock.sleep(LOOK_MS, AbortSignal.any([signal, hint.signal]));
    if (signal.aborted) return undefined;
    hint = new AbortController();
  }
}

/** The claim, or in whose hands it is. */
async function claimNow(store: Pick<SessionStore, 'claim'>, sessionId: string): Promise<Claim | StoreError> {
  try {
    return await store.claim(sessionId);
  } catch (error) {
    if (isStoreError(error, 'busy')) return error;
    throw error;
  }
}
