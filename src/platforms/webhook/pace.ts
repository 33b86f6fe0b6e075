import { isObject, parseJson } from '../../base/json.ts';
import type { Cursor } from '../../contracts/platform-adapter.ts';

/**
 * When events are worked on: so many of each route in a minute, and the rest after them. They are stored at once, since many
 * senders do not repeat what was refused. The plan is kept in the commit of the event that it is for, so a restart changes nothing.
 */
export interface PaceBook {
  /** Takes up what an earlier connection kept. */
  learn(cursors: readonly Cursor[]): void;
  /** How long the next event of a route waits, and what is committed with it; undefined when too many wait already. */
  plan(route: string, now: number): PlannedEvent | undefined;
}
export interface PlannedEvent {
  readonly delayMs: number;
  readonly cursor: Cursor;
}

/** The minute that is being filled: when it begins, and how many it has. */
type FilledMinute = readonly [from: number, count: number];

const MINUTE_MS = 60_000;
/** An event that would wait longer is refused. */
const MAX_WAIT_MS = 6 * 3_600_000;
const SCOPE = 'pace';

export function createPaceBook(perMinute: number): PaceBook {
  const minutes = new Map<string, FilledMinute>();
  return {
    learn: (cursors) => {
      const kept = parseJson(cursors.find(({ scope }) => scope === SCOPE)?.value ?? '{}');
      for (const [route, minute] of Object.entries(isObject(kept) ? kept : {})) {
        const [from, count] = Array.isArray(minute) ? minute : [];
        if (typeof from === 'number' && typeof count === 'number') minutes.set(route, [from, count]);
      }
    },
    plan: (route, now) => {
      for (const [old, [from]] of minutes) if (from + MINUTE_MS <= now) minutes.delete(old);
      const [from, count] = nextPlace(minutes.get(route), now, perMinute);
      if (perMinute === 0 || from - now > MAX_WAIT_MS) return undefined;
      minutes.set(route, [from, count]);
      return { delayMs: Math.max(0, from - now), cursor: { scope: SCOPE, value: JSON.stringify(Object.fromEntries(minutes)) } };
    },
  };
}

function nextPlace(minute: FilledMinute | undefined, now: number, perMinute: number): FilledMinute {
  if (minute === undefined) return [now, 1];
  const [from, count] = minute;
  return count < perMinute ? [from, count + 1] : [from + MINUTE_MS, 1];
}
