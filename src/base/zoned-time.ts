/**
 * Clocks of a time zone. What a clock shows ("wall time") is written as the number of milliseconds that a clock in UTC would have
 * run: 02:30 on a day is the same number in every zone. A zone is an IANA name; the machine's own when left out.
 */
type ZoneName = string | undefined;

const DAY_MS = 86_400_000;
const formats = new Map<ZoneName, Intl.DateTimeFormat>();

/** How far clocks of a zone are ahead of UTC, in milliseconds. Throws for a zone that does not exist. */
export function readOffset(at: number, zone: ZoneName): number {
  let format = formats.get(zone);
  if (format === undefined) formats.set(zone, (format = new Intl.DateTimeFormat('en-US', { ...CLOCK, timeZone: zone })));
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}
const CLOCK: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

export function isTimeZone(name: string): boolean {
  try {
    readOffset(0, name);
    return true;
  } catch {
    return false;
  }
}

/** What clocks show at a moment. */
export const toWallTime = (at: number, zone: ZoneName): number => at + readOffset(at, zone);

/** The moments at which clocks show a time, in order: one, two when clocks are set back over it, none when they skip it. */
export function listInstants(wall: number, zone: ZoneName): readonly number[] {
  const near = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - readOffset(at, zone));
  return [...new Set(near)].filter((at) => toWallTime(at, zone) === wall).toSorted((one, other) => one - other);
}

/** The moment at which clocks show a time: the first of two, and for a time that is skipped the moment of the skip. */
export function toInstant(wall: number, zone: ZoneName): number {
  const [first] = listInstants(wall, zone);
  if (first !== undefined) return first;
  const [before = wall, after = wall] = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - readOffset(at, zone)).toSorted((a, b) => a - b);
  return findChange(before, after, zone) ?? after;
}

/** When clocks are first set differently after a moment, up to and with another; `undefined` when they show the same difference at both. */
export function findChange(from: number, to: number, zone: ZoneName): number | undefined {
  const offset = readOffset(from, zone);
  if (readOffset(to, zone) === offset) return undefined;
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (readOffset(middle, zone) === offset) low = middle;
    else high = middle;
  }
  return high;
}
