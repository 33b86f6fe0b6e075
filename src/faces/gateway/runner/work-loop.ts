import type { Clock } from '../../../base/clock.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { AccountRef, GatewayStore, TakenRow, TakeOptions, WorkKind } from '../../../contracts/gateway-store.ts';
import type { WriteLog } from '../contract.ts';

export interface WorkLoopOptions<Kind extends WorkKind> {
  readonly kind: Kind;
  readonly store: Pick<GatewayStore, 'take' | 'renew' | 'nextDue'>;
  /** Who works: nobody else's word. */
  readonly owner: string;
  /** Whose rows. */
  readonly accounts: () => readonly AccountRef[];
  readonly leaseMs: number;
  readonly maxAtOnce: number;
  /** Handles one row to its end; never rejects. */
  readonly handle: (row: TakenRow<Kind>, signal: AbortSignal) => Promise<void>;
  /** Rows in hand that take long: they leave their room to others, and some go past them. */
  readonly slow?: {
    readonly size: number;
    /** Never rejects: what was taken before it is begun. */
    takePassing(options: TakeOptions): Promise<readonly TakenRow<Kind>[]>;
  };
  readonly clock: Clock;
  readonly log: WriteLog;
}
export interface WorkLoop extends AsyncDisposable {
  /** There may be something to do. */
  hint(): void;
  /** Takes nothing new, and settles when what is in hand is done. */
  drain(): Promise<void>;
  readonly active: number;
}

/** Looked for at least this often, whatever hints come. */
const MAX_WAIT_MS = 10_000;
const TROUBLE_MS = 2_000;

/** Works off rows of one kind, many chats at once and each in its order, until it is closed. */
export function startWorkLoop<Kind extends WorkKind>(options: WorkLoopOptions<Kind>): WorkLoop {
  const { clock, handle } = options;
  const stop = new AbortController();
  const draining = new AbortController();
  const active = new Map<Promise<void>, TakenRow<Kind>>();
  let waiting = Promise.withResolvers<void>();
  const hint = (): void => waiting.resolve();
  const begin = (row: TakenRow<Kind>): void => {
    const work = handle(row, stop.signal).finally(() => {
      active.delete(work);
      // The next of the same chat can be taken now.
      hint();
    });
    active.set(work, row);
  };
  const room = (): number => options.maxAtOnce - active.size + (options.slow?.size ?? 0);
  const rest = async (): Promise<void> => {
    const due = room() <= 0 ? MAX_WAIT_MS : ((await options.store.nextDue(options.kind, options.accounts())) ?? MAX_WAIT_MS);
    const slept = new AbortController();
    await Promise.race([waiting.promise, clock.sleep(Math.min(Math.max(due, 1), MAX_WAIT_MS), slept.signal)]);
    slept.abort('over');
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted && !draining.signal.aborted) {
      waiting = Promise.withResolvers();
      // What comes in one moment is taken together.
      await nextRound();
      try {
        const taken = await takeRows(options, room());
        taken.forEach(begin);
        if (taken.length === 0) await rest();
      } catch (error) {
        options.log(`the gateway's store gave an error, and is tried again: ${toErrorMessage(error)}`);
        await clock.sleep(TROUBLE_MS, stop.signal);
      }
    }
  };
  const running = run();
  const leases = keepLeases(options, active);
  const drain = async (): Promise<void> => {
    draining.abort();
    hint();
    await running;
    await Promise.all(active.keys());
  };
  return {
    hint,
    drain,
    get active() {
      return active.size;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await drain();
      leases[Symbol.dispose]();
    },
  };
}

const nextRound = (): Promise<void> => new Promise((done) => setImmediate(done));

/** What is in hand stays there, as long as this process lives. */
function keepLeases<Kind extends WorkKind>(
  { store, leaseMs }: WorkLoopOptions<Kind>,
  active: ReadonlyMap<unknown, TakenRow<Kind>>,
): Disposable {
  const renew = (): void => {
    const held = [...active.values()].map(({ taken }) => taken);
    void store.renew(held, leaseMs).catch(() => undefined);
  };
  const renewing = setInterval(renew, leaseMs / 3).unref();
  return { [Symbol.dispose]: () => clearInterval(renewing) };
}

/** What is next in each chat, as many as there is room for, and what goes past something slow: that needs no room of its own. */
async function takeRows<Kind extends WorkKind>(
  { kind, store, owner, leaseMs, accounts, slow }: WorkLoopOptions<Kind>,
  limit: number,
): Promise<readonly TakenRow<Kind>[]> {
  const options = { owner, leaseMs, limit, accounts: accounts() };
  const next = limit <= 0 ? [] : await store.take(kind, options);
  return [...next, ...((await slow?.takePassing(options)) ?? [])];
}
