/** Clock times, days and lengths of time as people write them. */

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MORE_NUMBERS: Readonly<Record<string, number>> = { a: 1, an: 1, fifteen: 15, twenty: 20, thirty: 30, forty: 40, ninety: 90 };
const HALVES = ['half an', 'half a', 'half'];

const NUMBER_WORDS = [...HALVES, ...NUMBERS.slice(1).toReversed(), ...Object.keys(MORE_NUMBERS).toReversed()].join('|');
const DIGITS = '\\d+(?:\\.\\d+)?';
const UNIT = 'minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|m|h|d|w';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readNumber(text: string): number {
  const word = text.toLowerCase();
  if (HALVES.includes(word)) return 0.5;
  const named = NUMBERS.indexOf(word);
  return named >= 0 ? named : (MORE_NUMBERS[word] ?? Number(word));
}

/** A length of time: `30m`, `2 hours`, `1h 30m`, `half an hour`; without a number, one of the unit. */
export const DURATION = `(?:${DIGITS}\\s*|(?:${NUMBER_WORDS})\\s+)?(?:${UNIT})(?:\\s*(?:and\\s+)?\\d+\\s*(?:${UNIT}))*(?![a-z0-9])`;
const PART = new RegExp(`(?:(${DIGITS})\\s*|(?<![a-z])(?:(${NUMBER_WORDS})\\s+)?)(${UNIT})(?![a-z])`, 'g');

/** Milliseconds; undefined for a length that cannot be counted. */
export function readDuration(text: string): number | undefined {
  let ms = 0;
  for (const [, digits, word = '1', unit = ''] of text.toLowerCase().matchAll(PART))
    ms += readNumber(digits ?? word) * (UNITS[unit[0] ?? ''] ?? Number.NaN);
  return Number.isSafeInteger(ms) && ms < MAX_DURATION_MS ? ms : undefined;
}
const MAX_DURATION_MS = 1_000 * 366 * 86_400_000;

/** Hour and minute. */
export type ClockTime = readonly [number, number];
/** A time as it is written: `isOpen` where morning or evening is not said (`9`, `9:30`, unlike `09:30`, `14:00`, `9am`). */
export interface WrittenTime {
  readonly time: ClockTime;
  readonly isOpen: boolean;
  readonly hasHalf: boolean;
}

const NAMED: Readonly<Record<string, ClockTime>> = { noon: [12, 0], midday: [12, 0], midnight: [0, 0] };

/** A time that is one also where nothing before it says so. */
export const CLEAR_CLOCK = '(?:noon|midday|midnight|\\d{1,2}(?:[:.]\\d{2})?\\s?[ap]\\.?m\\b\\.?|\\d{1,2}:\\d{2})';
export const CLOCK = `(?:${CLEAR_CLOCK}|\\d{1,2}\\.\\d{2}|\\d{1,2}(?:\\s?o['’]?clock)?)`;

/** `9am`, `9:30 pm`, `14:00`, `9`, `noon`. */
export function readClock(text: string): WrittenTime | undefined {
  const words = text.trim().toLowerCase();
  const named = NAMED[words];
  if (named !== undefined) return { time: named, isOpen: false, hasHalf: false };
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?|o['’]?clock)?$/.exec(words);
  if (match === null) return undefined;
  const [, digits = '', minutes = '0', half] = match;
  const [hour, minute] = [Number(digits), Number(minutes)];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return undefined;
  const isOpen = half === undefined && hour > 0 && hour <= 12 && !digits.startsWith('0');
  return { time: [half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0), minute], isOpen, hasHalf: half !== undefined };
}

const WEEK = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const SHORT = ['sun', 'mon', 'tues?', 'weds?', 'thu(?:rs?)?', 'fri', 'sat'];
export const WEEKDAY = `(?:${WEEK.map((day) => `${day}s?`).join('|')}|${SHORT.join('|')})`;
const RANGE = '\\s*(?:-|–|\\b(?:to|through|thru|till|until)\\b)\\s*';
const SEPARATOR = '\\s*(?:,\\s*(?:and\\s+)?|&|/|\\band\\b)\\s*|\\s+';
const DAY_RANGE = `${WEEKDAY}(?:${RANGE}${WEEKDAY})?`;
/** Days of the week: `weekdays`, `mon-fri`, `monday, wednesday and friday`. */
export const DAYS = `(?:week\\s?days?|working days?|workdays?|weekends?|${DAY_RANGE}(?:(?:${SEPARATOR})${DAY_RANGE})*)(?![a-z0-9])`;

export const readWeekday = (word: string): number => WEEK.findIndex((day) => day.startsWith(word.toLowerCase().slice(0, 3)));

export function readDays(text: string): readonly number[] {
  const words = text.toLowerCase();
  if (/^w(?:eek\s?|ork(?:ing )?)days?$/.test(words)) return [1, 2, 3, 4, 5];
  if (/^weekends?$/.test(words)) return [0, 6];
  const days = new Set<number>();
  for (const [, from = '', to] of words.matchAll(new RegExp(`(${WEEKDAY})(?:${RANGE}(${WEEKDAY}))?`, 'g'))) {
    const first = readWeekday(from);
    const size = to === undefined ? 0 : (readWeekday(to) - first + 7) % 7;
    for (let day = 0; day <= size; day++) days.add((first + day) % 7);
  }
  return [...days].toSorted((one, other) => one - other);
}

/** Parts of a day, with the hours that they have. */
const DAY_PARTS: Readonly<Record<string, (hour: number) => boolean>> = {
  morning: (hour) => hour >= 4 && hour < 12,
  afternoon: (hour) => hour >= 12 && hour < 18,
  evening: (hour) => hour >= 17,
  night: (hour) => hour >= 18 || hour < 6,
};
export const DAY_PART = Object.keys(DAY_PARTS).join('|');

/** The time that is meant in a part of the day; undefined where it is not in it. */
export function placeInPart({ time: [hour, minute], isOpen }: WrittenTime, part: string): ClockTime | undefined {
  const isIn = DAY_PARTS[part];
  const found = (isOpen ? [hour, (hour + 12) % 24] : [hour]).filter((each) => isIn?.(each) === true);
  return found[0] === undefined || found.length > 1 ? undefined : [found[0], minute];
}

export const MONTHS = 'january february march april may june july august september october november december'.split(' ');
export const MONTH = `(?:${MONTHS.map((name) => (name.length > 3 ? `${name.slice(0, 3)}${name === 'september' ? 't?' : ''}(?:${name.slice(3)})?` : name)).join('|')})\\.?`;
export const readMonth = (word: string): number => MONTHS.findIndex((name) => name.startsWith(word.toLowerCase().slice(0, 3)));
