/** Clock times and lengths of time as people write them. */

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
];
const PART = /\s*(\d+|an?)?\s*([a-z]+)/y;

/** `30m`, `2 hours`, `1h 30m`, `an hour`; without a number one of it. `undefined` for anything else. */
export function readDuration(text: string): number | undefined {
  const words = text.trim().toLowerCase();
  let ms = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < words.length) {
    const [, number = '1', unit = ''] = PART.exec(words) ?? [];
    const size = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
    if (size === undefined) return undefined;
    ms += (number.startsWith('a') ? 1 : Number(number)) * size;
  }
  return words === '' || !Number.isSafeInteger(ms) ? undefined : ms;
}

/** Hour and minute. */
export type ClockTime = readonly [number, number];

const NAMED: Readonly<Record<string, ClockTime>> = { noon: [12, 0], midday: [12, 0], midnight: [0, 0] };

/** `9am`, `9:30 pm`, `14:00`, `9`, `noon`. */
export function readClock(text: string): ClockTime | undefined {
  const words = text.trim().toLowerCase();
  const named = NAMED[words];
  if (named !== undefined) return named;
  const match = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(words.replaceAll('.', ''));
  if (match === null) return undefined;
  const [hour, minute, half] = [Number(match[1]), Number(match[2] ?? 0), match[3]];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return undefined;
  return [half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minute];
}

const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The days of a week that words name, as a cron field. */
export function readDays(text: string): string | undefined {
  const words = text.trim().toLowerCase();
  if (/^(?:days?|daily)$/.test(words)) return '*';
  if (/^weekdays?$/.test(words)) return '1-5';
  if (/^weekends?$/.test(words)) return '0,6';
  const days = words.split(/\s*(?:,|&|\band\b)\s*|\s+/).filter((word) => word !== '');
  const numbers = days.map((word) => DAYS.findIndex((day) => isDay(word, day)));
  return days.length === 0 || numbers.includes(-1) ? undefined : [...new Set(numbers)].toSorted((a, b) => a - b).join(',');
}

const isDay = (word: string, day: string): boolean => {
  const one = word.replace(/(?<=[a-z]{3,}day)s$/, '');
  return one.length >= 3 && day.startsWith(one);
};
