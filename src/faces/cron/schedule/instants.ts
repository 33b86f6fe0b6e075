import { findChange, listInstants, readOffset, toInstant, toWallTime } from '../../../base/zoned-time.ts';
import type { JobSchedule, MissedInstants } from '../../../contracts/job-store.ts';
import { findNextWall } from './calendar.ts';
import { isEveryHour } from './cron-fields.ts';

/**
 * The first instant of a schedule after a moment; `undefined` when there is none. Where clocks are changed:
 * - a time that clocks skip runs once, when they go on; several of them run once together;
 * - a time that they show twice runs once, the first time;
 * - what names no hour (`*` as its hour) follows the time that passes: it runs whenever clocks show its minute.
 */
export function findNextInstant(schedule: JobSchedule, after: number): number | undefined {
  if (schedule.kind === 'once') return schedule.at > after ? schedule.at : undefined;
  if (schedule.kind === 'every') return nextOfRhythm(schedule, after);
  const { expression, zone } = schedule;
  return isEveryHour(expression) ? nextShown(expression, zone, after) : nextNamed(expression, zone, after);
}

/** Also before the moment it is counted from: a job that was made while the clock was wrong does not wait until then. */
const nextOfRhythm = ({ ms, from }: JobSchedule & { readonly kind: 'every' }, after: number): number =>
  from + ms * (Math.floor((after - from) / ms) + 1);

/** Each time of the day once. Later times never come at earlier moments, so the first that comes after is the next. */
function nextNamed(expression: string, zone: string, after: number): number | undefined {
  let wall = findNextWall(expression, toWallTime(after, zone));
  while (wall !== undefined) {
    const at = toInstant(wall, zone);
    if (at > after) return at;
    wall = findNextWall(expression, wall);
  }
  return undefined;
}

/** Clocks are set back by less than this. */
const LONGEST_CHANGE_MS = 26 * 3_600_000;

/** Every moment at which clocks show a time that fits. */
function nextShown(expression: string, zone: string, after: number): number | undefined {
  const onwards = nextExisting(expression, zone, after);
  const change = findChange(after, after + LONGEST_CHANGE_MS, zone);
  if (change === undefined || (onwards !== undefined && onwards < change) || readOffset(change, zone) > readOffset(after, zone))
    return onwards;
  // What clocks show from the change on they have shown before.
  const wall = findNextWall(expression, toWallTime(change, zone) - 1);
  const again = wall === undefined ? undefined : wall - readOffset(change, zone);
  return again === undefined || (onwards !== undefined && onwards < again) ? onwards : again;
}

function nextExisting(expression: string, zone: string, after: number): number | undefined {
  let wall = findNextWall(expression, toWallTime(after, zone));
  while (wall !== undefined) {
    const at = listInstants(wall, zone).find((moment) => moment > after);
    if (at !== undefined) return at;
    wall = findNextWall(expression, wall);
  }
  return undefined;
}

/** The last instant from one on up to a moment, and how many there are before it. */
export interface PastInstants {
  readonly latest: number;
  /** Those before the latest. */
  readonly earlier?: MissedInstants;
}

/** More are not counted: it only says that there were many. */
const MAX_COUNTED = 1_000;

/** The instants of a schedule from one of them on, as far as they have come by now. */
export function collectPast(schedule: JobSchedule, first: number, now: number): PastInstants {
  const found = [first];
  while (found.length <= MAX_COUNTED) {
    const next = findNextInstant(schedule, found.at(-1) ?? first);
    if (next === undefined || next > now) return toPast(found);
    found.push(next);
  }
  const known = found.at(-2) ?? first;
  const [latest, before] = findLast(schedule, known, now);
  if (before === known) return toPast(found);
  return { latest, earlier: { from: first, through: before, count: MAX_COUNTED, isMore: true } };
}

function toPast(found: readonly number[]): PastInstants {
  const [latest = 0, through] = found.toReversed();
  const [from = latest] = found;
  return { latest, ...(through !== undefined && { earlier: { from, through, count: found.length - 1 } }) };
}

/** The last instant up to now and the one before it, without going through all of them. At least one comes after the known one. */
function findLast(schedule: JobSchedule, known: number, now: number): readonly [number, number] {
  for (let back = 60_000; ; back *= 2) {
    const start = Math.max(known, now - back);
    let [before, last] = [start, findNextInstant(schedule, start)];
    if (last === undefined || last > now) continue;
    for (let next = findNextInstant(schedule, last); next !== undefined && next <= now; next = findNextInstant(schedule, last))
      [before, last] = [last, next];
    if (before > start || start === known) return [last, before];
  }
}
