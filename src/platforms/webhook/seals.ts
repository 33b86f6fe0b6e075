import { isObject, parseJson } from '../../base/json.ts';
import { createKeyedQueue } from '../../base/keyed-queue.ts';
import type { Cursor } from '../../contracts/platform-adapter.ts';
import { TOLERANCE_MS } from './signatures.ts';

/**
 * Signatures that hold for a few minutes and do not cover the id of the request: somebody who has seen one could send it again
 * under another id. Each counts once while it holds. They are kept in the commit of the event they brought, as its cursor, so
 * that a restart forgets none.
 */
export interface SealBook {
  /** Takes up what an earlier connection kept. */
  learn(cursors: readonly Cursor[]): void;
  isUsed(seal: string, now: number): boolean;
  /** To be committed with the event of this one. */
  cursorWith(seal: string, now: number): Cursor;
  use(seal: string, now: number): void;
  /** One sealed request after the other: what is kept with one must name those before it, and two copies must not meet. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** A clock may be ahead by the tolerance, and the seal holds as long again. */
const HELD_MS = 2 * TOLERANCE_MS;
const SCOPE = 'seals';
/** Enough to tell one from another. */
const shorten = (seal: string): string => seal.slice(0, 32);

export function createSealBook(): SealBook {
  const used = new Map<string, number>();
  const queue = createKeyedQueue();
  return {
    learn: (cursors) => {
      const kept = parseJson(cursors.find(({ scope }) => scope === SCOPE)?.value ?? '{}');
      for (const [seal, until] of Object.entries(isObject(kept) ? kept : {})) if (typeof until === 'number') used.set(seal, until);
    },
    isUsed: (seal, now) => (used.get(shorten(seal)) ?? 0) > now,
    cursorWith: (seal, now) => {
      for (const [old, until] of used) if (until <= now) used.delete(old);
      return { scope: SCOPE, value: JSON.stringify({ ...Object.fromEntries(used), [shorten(seal)]: now + HELD_MS }) };
    },
    use: (seal, now) => void used.set(shorten(seal), now + HELD_MS),
    inTurn: (work) => queue(SCOPE, work),
  };
}
