import type { Arrival, GatewayStore, Taken, TakenRow, TakeOptions } from '../../../contracts/gateway-store.ts';
import { createTurnstile, type Turnstile } from '../chats/turnstile.ts';
import type { SlowKind, SlowWork } from '../receive/slow-work.ts';

/** Arrivals in hand that take long. They are in nobody's way: others are taken meanwhile, and some of their own chat. */
export interface SlowRows extends SlowWork {
  readonly size: number;
  /** Rows that go past one of them. */
  takePassing(options: TakeOptions): Promise<readonly TakenRow<'arrival'>[]>;
}
export interface SlowRowsDeps {
  readonly store: Pick<GatewayStore, 'arrivals' | 'take'>;
  readonly findPassing: (kind: SlowKind, behind: readonly Arrival[]) => Promise<Arrival | undefined>;
  /** There is room for others now, and somebody may wait to go past. */
  readonly hint: () => void;
}

/** Of a kind at once, so that questions beside conversations do not keep files from being loaded. */
const MAX_AT_ONCE = 32;
/** Rows behind one that are looked at. */
const MAX_BEHIND = 200;

export function createSlowRows({ store, findPassing, hint }: SlowRowsDeps): SlowRows {
  const slow = new Map<string, { readonly kind: SlowKind; readonly taken: Taken }>();
  const turnstiles: Readonly<Record<SlowKind, Turnstile>> = {
    reading: createTurnstile(MAX_AT_ONCE),
    command: createTurnstile(MAX_AT_ONCE),
    aside: createTurnstile(MAX_AT_ONCE),
  };
  const takePast = async (kind: SlowKind, front: Taken, options: TakeOptions): Promise<readonly TakenRow<'arrival'>[]> => {
    const behind = await store.arrivals({ behind: front, limit: MAX_BEHIND });
    const found = await findPassing(kind, behind);
    return found === undefined ? [] : store.take('arrival', { ...options, past: { front, id: found.id } });
  };
  return {
    run: async (kind, taken, work, signal) => {
      // A row that was lost may be taken again while it is still worked on: each taking counts for itself.
      const key = `${taken.id} ${taken.token}`;
      // A part of what is slow as a whole.
      if (slow.has(key)) return work();
      slow.set(key, { kind, taken });
      try {
        hint();
        return await runInside(turnstiles[kind], work, signal);
      } finally {
        slow.delete(key);
      }
    },
    get size() {
      return slow.size;
    },
    takePassing: async (options) => {
      const passing: TakenRow<'arrival'>[] = [];
      // It may be over by now, or the store in trouble: whoever waits is looked for again, and what was taken is begun.
      for (const { kind, taken } of slow.values()) passing.push(...(await takePast(kind, taken, options).catch(() => [])));
      return passing;
    },
  };
}

async function runInside<Value>(turnstile: Turnstile, work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  await turnstile.enter(signal);
  try {
    return await work();
  } finally {
    turnstile.leave();
  }
}
