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
  /** Takes the thing into use. Each `acquire` that succeeded needs one `release`. */
  acquire(): Promise<Thing>;
  release(): void;
  /** The thing, when it is open. */
  peek(): Thing | undefined;
}

interface Evictable {
  /** Closes the thing; settles when it is closed. */
  evict(): Promise<void>;
}

export function boundedPool(max: number): BoundedPool {
  /** Open and not in use, the longest idle first. */
  const idle = new Set<Evictable>();
  const waiting: (() => void)[] = [];
  let count = 0;

  async function takeRoom(): Promise<void> {
    for (;;) {
      if (count < max) break;
      const [oldest] = idle;
      if (oldest !== undefined) await oldest.evict();
      else await new Promise<void>((resolve) => waiting.push(resolve));
    }
    count++;
  }
  function giveRoom(): void {
    count--;
    waiting.shift()?.();
  }

  return {
    get open() {
      return count;
    },
    slot: (open) => createSlot(open, { idle, takeRoom, giveRoom, wake: () => waiting.shift()?.() }),
  };
}

interface PoolRoom {
  readonly idle: Set<Evictable>;
  takeRoom(): Promise<void>;
  giveRoom(): void;
  wake(): void;
}

function createSlot<Thing extends AsyncDisposable>(open: () => Promise<Thing>, room: PoolRoom): PoolSlot<Thing> {
  let opening: Promise<Thing> | undefined;
  let thing: Thing | undefined;
  let closing: Promise<void> | undefined;
  let users = 0;
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
    await room.takeRoom();
    try {
      return (thing = await open());
    } catch (error) {
      opening = undefined;
      room.giveRoom();
      throw error;
    }
  }

  return {
    acquire: async () => {
      users++;
      room.idle.delete(keeper);
      try {
        await closing;
        return await (opening ??= openNow());
      } catch (error) {
        users--;
        throw error;
      }
    },
    release: () => {
      users--;
      if (users > 0 || thing === undefined) return;
      room.idle.add(keeper);
      room.wake();
    },
    peek: () => thing,
    [Symbol.asyncDispose]: async () => {
      await opening?.catch(() => undefined);
      await keeper.evict();
    },
  };
}
