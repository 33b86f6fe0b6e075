import { toErrorMessage } from '../../base/errors.ts';
import { takeStart } from '../../base/text.ts';
import { runWithTimeout, waitAtMost } from '../../base/waits.ts';
import type { MemoryCursorStore, TakenMemoryCursor } from '../../contracts/memory-cursors.ts';
import type { MemoryProvider } from '../../contracts/memory-provider.ts';
import { isStoreError, type SessionStore } from '../../contracts/session-store.ts';
import { tellSession } from './tell-session.ts';
import type { ReadWrites } from './writes.ts';

export interface TellerDeps {
  readonly provider: MemoryProvider;
  readonly store: { readonly memory: MemoryCursorStore } & Pick<SessionStore, 'entries'>;
  /** Changes of the built-in memory behind a position; absent where nobody mirrors them. */
  readonly readWrites?: (from: number, signal: AbortSignal) => Promise<ReadWrites>;
  /** Tells of changes of the built-in memory and of nothing else. */
  readonly onlyWrites?: true;
  readonly notice: (words: string) => void;
  readonly now: () => number;
}
export interface MemoryTeller extends AsyncDisposable {
  /** There may be something to tell. Nobody waits for it. */
  wake(): void;
  /** Settles when everything is told that could be told by now. */
  idle(): Promise<void>;
}

/** The cursor of changes of the built-in memory. */
export const WRITES = 'writes';

/** Sessions that are told of at the same time, so that one that hangs holds up no other. */
const MAX_AT_ONCE = 4;
/** One call of a provider. */
const TELL_MS = 30_000;
/** Longer than a pass can take. */
const LEASE_MS = 15 * 60_000;
const BACKOFF = { first: 5_000, most: 3_600_000 } as const;
/** How long the end of a program waits for what is being told; the rest is told at the next start. */
const DRAIN_MS = 500;
const GIVE_UP_MS = 250;

/** Tells a provider what happened, outside of every turn, from the log and by its cursors: what a kill cut off the next process tells. */
export function openMemoryTeller(deps: TellerDeps): MemoryTeller {
  const { provider, store, now } = deps;
  const closed = new AbortController();
  const complain = complainOnce(deps);
  const state = { again: false, isStopped: false, isRunning: false };
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wake = (): void => {
    state.again = true;
    if (state.isRunning || state.isStopped) return;
    state.isRunning = true;
    running = run().finally(() => (state.isRunning = false));
  };
  const run = async (): Promise<void> => {
    try {
      while (state.again && !state.isStopped) {
        state.again = false;
        while (!state.isStopped && (await tellSome(deps, closed.signal, complain)));
      }
      await sleepUntilDue();
    } catch (error) {
      // A store that cannot be read now can be read later.
      if (!closed.signal.aborted) complain(toErrorMessage(error));
    }
  };
  const sleepUntilDue = async (): Promise<void> => {
    clearTimeout(timer);
    const due = state.isStopped ? undefined : await store.memory.nextDue(provider.name);
    if (due === undefined || state.isStopped) return;
    timer = setTimeout(wake, Math.min(Math.max(due - now(), 1_000), BACKOFF.most));
    timer.unref();
  };
  return {
    wake,
    idle: async () => {
      while (state.isRunning) await running;
    },
    [Symbol.asyncDispose]: async () => {
      await waitAtMost(running, DRAIN_MS);
      state.isStopped = true;
      clearTimeout(timer);
      closed.abort(new Error('the program ends'));
      await waitAtMost(running, GIVE_UP_MS);
    },
  };
}

/** Tells a helping; gives whether anything could be told. */
async function tellSome(deps: TellerDeps, closed: AbortSignal, complain: (words: string) => void): Promise<boolean> {
  const { provider, store, readWrites, onlyWrites } = deps;
  const { name } = provider;
  const options = { limit: MAX_AT_ONCE, leaseMs: LEASE_MS };
  const isSilent = onlyWrites === true || (provider.syncTurn === undefined && provider.sessionEnd === undefined);
  const sessions = isSilent ? [] : await store.memory.take(name, options);
  const writes = readWrites === undefined ? [] : await store.memory.take(name, { ...options, subject: WRITES });
  const moved = await Promise.all([...sessions, ...writes].map((taken) => tellOne(taken, deps, closed, complain)));
  return sessions.length > 0 ? moved.includes(true) : moved.includes(true) && writes.length > 0;
}

/** Tells of one subject and gives it back; gives whether there may be more of it. */
async function tellOne(
  taken: TakenMemoryCursor,
  { provider, store, readWrites }: TellerDeps,
  closed: AbortSignal,
  complain: (words: string) => void,
): Promise<boolean> {
  const tell = (work: (signal: AbortSignal) => Promise<void> | undefined): Promise<void> =>
    runWithTimeout(async (signal) => work(signal), TELL_MS, new Error(`no answer within ${TELL_MS / 1_000} s`), closed);
  const telling = { provider, cursors: store.memory, log: store, tell };
  try {
    const hasTold =
      taken.subject === WRITES && readWrites !== undefined
        ? await tellWrites(taken, { ...telling, readWrites, closed })
        : (await tellSession(taken, telling), true);
    await store.memory.release(taken);
    return hasTold;
  } catch (error) {
    if (isStoreError(error, 'fenced')) return false;
    const why = takeStart(toErrorMessage(error), 500);
    if (!closed.aborted) complain(why);
    const delayMs = closed.aborted ? 0 : Math.min(BACKOFF.first * 2 ** taken.attempts, BACKOFF.most);
    await store.memory.release(taken, closed.aborted ? undefined : { delayMs, why }).catch(() => undefined);
    return false;
  }
}

type WritesTelling = Parameters<typeof tellSession>[1] & {
  readonly readWrites: NonNullable<TellerDeps['readWrites']>;
  readonly closed: AbortSignal;
};

async function tellWrites(taken: TakenMemoryCursor, { provider, cursors, readWrites, closed, tell }: WritesTelling): Promise<boolean> {
  const { writes, end } = await readWrites(taken.told, closed);
  for (const { end: told, change } of writes) {
    await tell((signal) => provider.wrote?.(change, signal));
    await cursors.move(taken, { told, seen: told });
  }
  if (end !== taken.told) await cursors.move(taken, { told: end, seen: end });
  return end !== taken.told;
}

/** The same trouble is told once, and again after it changed. */
function complainOnce({ provider, notice }: TellerDeps): (words: string) => void {
  let last = '';
  return (words) => {
    if (words !== last) notice(`The memory ${provider.name} could not be told what happened; it is told later: ${words}`);
    last = words;
  };
}
