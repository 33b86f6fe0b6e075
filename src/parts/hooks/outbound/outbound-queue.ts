import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import { identifyOwnProcess, isAlive, isNear, type ProcessIdentity } from '../../../base/process-identity.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';

/** An event that waits for an address. */
export interface QueuedEvent {
  /** The same at every attempt, in whichever process. */
  readonly id: string;
  readonly event: string;
  readonly input: object;
  readonly at: number;
}

/**
 * What waits for one address, in the store: it outlives the process, and every process of the profile adds to the same list.
 * Promises: what was put stays until it is dropped; the order is that of `put`; one process at a time sends.
 */
export interface OutboundQueue {
  /** `false` when as many wait as may. */
  put(event: QueuedEvent): Promise<boolean>;
  /** The oldest. */
  first(): Promise<QueuedEvent | undefined>;
  drop(id: string): Promise<void>;
  /** Whether the caller may send for so long. What a dead process held is free at once. */
  hold(ms: number): Promise<boolean>;
  letGo(): Promise<void>;
}
export type OutboundFacts = Pick<SessionStore, 'fact' | 'learn'>;

/** Events that wait for one address. What comes beyond is dropped and told. */
export const MAX_WAITING = 500;

interface Holder {
  readonly process: ProcessIdentity;
  readonly until: number;
}

/** One fact is the list of ids, in their order; each event is a fact of its own, written before its id and forgotten after. */
export function openOutboundQueue(address: string, store: OutboundFacts, clock: Pick<Clock, 'now'>): OutboundQueue {
  const list = `hook-queue:${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
  const sender = `${list}:sender`;
  const keyOf = (id: string): string => `hook-event:${id}`;
  const change = async (turn: (ids: readonly string[]) => readonly string[] | undefined): Promise<boolean> => {
    for (;;) {
      const known = await store.fact(list);
      const next = turn(readIds(known));
      if (next === undefined) return false;
      if (await store.learn(list, JSON.stringify(next), known ?? null)) return true;
    }
  };
  const drop = async (id: string): Promise<void> => {
    await change((ids) => ids.filter((each) => each !== id));
    await store.learn(keyOf(id), undefined);
  };
  return {
    put: async (event) => {
      await store.learn(keyOf(event.id), JSON.stringify(event));
      const isKept = await change((ids) => (ids.length >= MAX_WAITING ? undefined : [...ids, event.id]));
      if (!isKept) await store.learn(keyOf(event.id), undefined);
      return isKept;
    },
    first: async () => {
      for (;;) {
        const [id] = readIds(await store.fact(list));
        if (id === undefined) return undefined;
        const event = readEvent(await store.fact(keyOf(id)));
        if (event !== undefined) return event;
        // Nobody can read it any more.
        await drop(id);
      }
    },
    drop,
    hold: async (ms) => {
      const known = await store.fact(sender);
      const holder = readHolder(known);
      if (holder !== undefined && !isFree(holder, clock.now())) return false;
      const mine: Holder = { process: identifyOwnProcess(), until: clock.now() + ms };
      return store.learn(sender, JSON.stringify(mine), known ?? null);
    },
    letGo: async () => {
      const known = await store.fact(sender);
      if (isOwn(readHolder(known))) await store.learn(sender, '', known ?? null);
    },
  };
}

const isOwn = (holder: Holder | undefined): boolean =>
  holder?.process.pid === identifyOwnProcess().pid && holder.process.started === identifyOwnProcess().started && isNear(holder.process);
const isFree = (holder: Holder, now: number): boolean =>
  isOwn(holder) || holder.until <= now || (isNear(holder.process) && !isAlive(holder.process));

/** Our own facts, in a store that no tool writes to; at worst they are of an older version. */
const readIds = (text: string | undefined): readonly string[] => {
  const value = parseJson(text ?? '');
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
};
function readEvent(text: string | undefined): QueuedEvent | undefined {
  const value = parseJson(text ?? '');
  if (!isObject(value)) return undefined;
  const { id, event, input, at } = value;
  return typeof id === 'string' && typeof event === 'string' && isObject(input) && typeof at === 'number'
    ? { id, event, input, at }
    : undefined;
}
function readHolder(text: string | undefined): Holder | undefined {
  const value = parseJson(text ?? '');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
  return isObject(value) && isObject(value['process']) && typeof value['until'] === 'number' ? (value as unknown as Holder) : undefined;
}
