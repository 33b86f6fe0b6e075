import { waitUnlessAborted } from './waits.ts';

/**
 * Keeps at most so many things open. A slot opens its thing when it is first used and keeps it until room is needed: then
 * the one that has been idle longest is closed, and opened again by its next use. What is in use is never closed for
 * another; whoever finds all in use waits.
 */
export interface BoundedPool {
  slot<Thing extends AsyncDisposable>(open: () => Promise<Thing>): PoolSlot<Thing>;
  /** How many are open now. */
  readonly open: number;
}
export interface PoolSlot<Thing> extends AsyncDisposable {
  /** Takes the thing into use, or gives nothing once the signal has ended the wait for it. Each that succeeded needs one `release`. */
  acquire(options?: AcquireOptions): Promise<Thing | undefined>;
  release(): void;
}
export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** Called when all are in use, so that this one has to wait. */
  onFull?(): void;
}

interface Evictable {
  /** Closes the thing; settles when it is closed. */
  evict(): Promise<void>;
}

export function createBoundedPool(max: number): BoundedPool {
  /** Open and not in use, the longest idle first. */
  const idle = new Set<Evictable>();
  const waiting = new Set<() => void>();
  let count = 0;

  async function takeRoom(signal: AbortSignal, onFull: () => void): Promise<void> {
    for (;;) {
      if (count < max) break;
      const [oldest] = idle;
      // Whoever owns it hears of trouble with closing it; its room is free either way.
      if (oldest !== undefined) await oldest.evict().catch(() => {});
      else await waitForRoom(signal, onFull);
    }
    count++;
  }
  async function waitForRoom(signal: AbortSignal, onFull: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<true>();
    const go = () => resolve(true);
    waiting.add(go);
    onFull();
    if ((await waitUnlessAborted(promise, signal)) === true) return;
    waiting.delete(go);
    throw signal.reason;
  }
  function wake(): void {
    const [first] = waiting;
    if (first === undefined) return;
    waiting.delete(first);
    first();
  }
  function giveRoom(): void {
    count--;
    wake();
  }

  return {
    get open() {
      return count;
    },
    slot: (open) => createSlot(open, { idle, takeRoom, giveRoom, wake }),
  };
}

interface PoolRoom {
  readonly idle: Set<Evictable>;
  /** Throws once the signal aborts while all are in use. */
  takeRoom(signal: AbortSignal, onFull: () => void): Promise<void>;
  giveRoom(): void;
  wake(): void;
}

function createSlot<Thing extends AsyncDisposable>(open: () => Promise<Thing>, room: PoolRoom): PoolSlot<Thing> {
  let opening: Promise<Thing> | undefined;
  let thing: Thing | undefined;
  let closing: Promise<void> | undefined;
  let users = 0;
  /** Set while it waits for room, which ends when nobody wants it any more. */
  let waiting: AbortController | undefined;
  const listeners = new Set<() => void>();
  const keeper: Evictable = { evict: () => (closing ??= close().finally(() => (closing = undefined))) };

  async function close(): Promise<void> {
    room.idle.delete(keeper);
    const closed = thing;
    if (closed === undefined) return;
    [thing, opening] = [undefined, undefined];
    try {
      await closed[Symbol.asyncDispose]();
    } finally {
      room.giveRoom();
    }
  }
  async function openNow(): Promise<Thing> {
    const stop = new AbortController();
    await room.takeRoom(stop.signal, () => {
      waiting = stop;
      for (const tell of listeners) tell();
    });
    try {
      stop.signal.throwIfAborted();
      waiting = undefined;
      thing = await open();
    } catch (error) {
      if (!stop.signal.aborted) opening = undefined;
      room.giveRoom();
      throw error;
    }
    if (users === 0) rest();
    return thing;
  }
  function rest(): void {
    room.idle.add(keeper);
    room.wake();
  }
  function release(): void {
    users--;
    if (users > 0) return;
    if (thing !== undefined) return rest();
    if (waiting === undefined) return;
    waiting.abort();
    [waiting, opening] = [undefined, undefined];
  }
  async function current(): Promise<Thing> {
    await closing;
    return (opening ??= openNow());
  }

  return {
    acquire: async ({ signal, onFull = () => {} } = {}) => {
      users++;
      room.idle.delete(keeper);
      listeners.add(onFull);
      if (waiting !== undefined) onFull();
      try {
        const acquired = await (signal === undefined ? current() : waitUnlessAborted(current(), signal));
        if (acquired === undefined) release();
        return acquired;
      } catch (error) {
        release();
        throw error;
      } finally {
        listeners.delete(onFull);
      }
    },
    release,
    [Symbol.asyncDispose]: async () => {
      await opening?.catch(() => undefined);
      await keeper.evict();
    },
  };
}
