import { readFields } from './cron-fields.ts';
import {
  CLEAR_CLOCK,
  CLOCK,
  DAY_PART,
  DAYS,
  DURATION,
  MONTH,
  readClock,
  readDays,
  readDuration,
  readMonth,
  readWeekday,
  WEEKDAY,
  type WrittenTime,
} from './words.ts';
import { readZone, ZONE } from './zones.ts';

/** What a phrase says, clause by clause. Each can be said once. */
export interface Parts {
  /** A cron expression in capitals. */
  readonly expression?: string;
  /** `every 2h`. */
  readonly rhythm?: number;
  /** `in 2h`. */
  readonly delay?: number;
  readonly days?: WrittenDays;
  /** Days of each month, as a cron field: of the month, or of the week (`1#1`). */
  readonly monthDays?: { readonly day: string } | { readonly weekday: string };
  /** `monthly`, which says something only with days. */
  readonly monthly?: true;
  readonly yearly?: true;
  readonly date?: WrittenDate;
  readonly times?: readonly WrittenTime[];
  /** `between 9 and 17`. */
  readonly window?: readonly [WrittenTime, WrittenTime];
  /** `:15`, of every hour. */
  readonly minute?: number;
  readonly part?: string;
  readonly zone?: string;
}
interface WrittenDays {
  readonly days: readonly number[];
  /** A single day without `every`: it may mean the next one, or each. */
  readonly isOpen: boolean;
}
export type WrittenDate =
  | { readonly kind: 'moment'; readonly wall: number; readonly offset?: string }
  | { readonly kind: 'day'; readonly year?: number; readonly month: number; readonly day: number }
  | { readonly kind: 'ahead'; readonly days: number }
  | { readonly kind: 'weekday'; readonly weekday: number; readonly isNext: boolean };

type Read = Parts | { readonly why: string } | undefined;
interface Clause {
  readonly pattern: RegExp;
  /** Undefined when the words are not meant so. */
  read(match: RegExpExecArray, before: Parts): Read;
}

const END = '(?=[\\s,]|$)';
const clause = (pattern: string, read: Clause['read']): Clause => ({ pattern: new RegExp(`(?:${pattern})${END}`, 'iy'), read });

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const ORDINAL = `(?:${ORDINALS.join('|')}|1st|2nd|3rd|4th|5th|last)`;
const EACH_MONTH = '(?:of\\s+)?(?:the|every|each)\\s+month';
const MONTH_DAY = '\\d{1,2}(?:st|nd|rd|th)';
const AND = '\\s*(?:,\\s*(?:and\\s+)?|&|/|\\band\\b)\\s*';
const YEAR = '(?:,?\\s+(\\d{4}))?';

/** The first that fits is taken. Longer forms stand before those that they begin with. */
const CLAUSES: readonly Clause[] = [
  clause('[*\\d?][\\d*,/?-]*(?: [*\\d?][\\d*,/?-]*)(?: [\\w*,/?#-]+){3}(?: [\\d*][\\d*,/?-]*)*', ([text], before) =>
    isEmpty(before) ? readExpression(text) : undefined,
  ),
  clause('@[a-z]+', ([text]) => {
    const expression = NICKNAMES[text.toLowerCase()];
    if (expression !== undefined) return { expression };
    return CLOCK_ONLY.test(text) ? undefined : { why: `there is no ${text}. There are ${Object.keys(NICKNAMES).join(', ')}.` };
  }),
  clause('(\\d{4}-\\d{2}-\\d{2})[T ](\\d{2}:\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?(?!\\s*[ap]\\.?m)\\s*(Z|[+-]\\d{2}:?\\d{2})?', readMoment),
  clause('(?:on\\s+)?(\\d{4})-(\\d{2})-(\\d{2})', ([, year, month, day]) => readDay(Number(day), Number(month), Number(year))),
  clause('(?:on\\s+)?(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})', ([, day, month, year]) => readDay(Number(day), Number(month), Number(year))),
  clause('(?:on\\s+)?\\d{1,2}/\\d{1,2}/\\d{2,4}', ([text]) => ({
    why: `${text} can be two dates. Write the year first, such as 2027-01-05.`,
  })),
  clause(`(?:on\\s+|every\\s+)?(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?${YEAR}`, ([text, month = '', day, year]) =>
    withYearly(text, readDay(Number(day), readMonth(month) + 1, year === undefined ? undefined : Number(year))),
  ),
  clause(`(?:on\\s+|every\\s+)?(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+(${MONTH})${YEAR}`, ([text, day, month = '', year]) =>
    withYearly(text, readDay(Number(day), readMonth(month) + 1, year === undefined ? undefined : Number(year))),
  ),
  clause('today|this(?=\\s+(?:morning|afternoon|evening))', () => ({ date: { kind: 'ahead', days: 0 } })),
  clause('tonight', () => ({ date: { kind: 'ahead', days: 0 }, part: 'night' })),
  clause('(?:the\\s+)?day after tomorrow', () => ({ date: { kind: 'ahead', days: 2 } })),
  clause('tomorrow', () => ({ date: { kind: 'ahead', days: 1 } })),
  clause(`(?:on\\s+)?(next|this)\\s+(${WEEKDAY})`, ([, which = '', day = '']) => ({
    date: { kind: 'weekday', weekday: readWeekday(day), isNext: which.toLowerCase() === 'next' },
  })),
  clause(`(?:on\\s+)?(?:the\\s+|every\\s+)?(${ORDINAL})\\s+(${WEEKDAY})\\s+${EACH_MONTH}`, ([, count = '', day = '']) => ({
    monthDays: { weekday: writeNthWeekday(count.toLowerCase(), readWeekday(day)) },
  })),
  clause(`(?:on\\s+)?(?:the\\s+)?last\\s+day\\s+${EACH_MONTH}`, () => ({ monthDays: { day: 'L' } })),
  clause(
    `(on\\s+)?(?:the\\s+|(every\\s+))?(${MONTH_DAY}(?:${AND}(?:the\\s+)?${MONTH_DAY})*)(?:\\s+day)?(\\s+${EACH_MONTH})?`,
    readMonthDays,
  ),
  clause(`(every|each|on)?\\s*(?:the\\s+)?(${DAYS})(?:\\s+except\\s+(?:on\\s+)?(${DAYS}))?`, readWeek),
  clause(`(?:daily|once a day|once daily|(?:every|each)\\s*day|nightly)(?:\\s+except\\s+(?:on\\s+)?(${DAYS}))?`, ([text, except]) => ({
    days: { days: without([0, 1, 2, 3, 4, 5, 6], except), isOpen: false },
    ...(/^nightly/i.test(text) && { part: 'night' }),
  })),
  clause(`(?:every|each)(?=\\s+(?:${DAY_PART}))`, () => ({ days: { days: [0, 1, 2, 3, 4, 5, 6], isOpen: false } })),
  clause('monthly|once a month|(?:every|each) month', () => ({ monthly: true })),
  clause('yearly|annually|once a year|(?:every|each) year', () => ({ yearly: true })),
  clause('hourly', () => ({ rhythm: 3_600_000 })),
  clause('weekly|once a week', () => ({ rhythm: 7 * 86_400_000 })),
  clause('fortnightly', () => ({ rhythm: 14 * 86_400_000 })),
  clause('(?:every|each)\\s+(?:(other|second|2nd|third|3rd|fourth|4th)\\s+)(minute|hour|day|week)', ([, count = '', unit = '']) =>
    readRhythm(`${{ o: 2, s: 2, t: 3, f: 4 }[count[0]?.toLowerCase() ?? ''] ?? count[0]} ${unit}`),
  ),
  clause(`(?:every|each)\\s+(${DURATION})`, ([, length = '']) => readRhythm(length)),
  clause('(?:every|each)\\s+(?:\\d+\\s*)?(?:s|secs?|seconds?)', () => ({ why: TOO_OFTEN })),
  clause(`(in\\s+)?(${DURATION})`, ([, isIn, length = ''], before) =>
    isIn !== undefined || (isEmpty(before) && /^\d/.test(length)) ? readDelay(length) : undefined,
  ),
  clause(`(?:between\\s+(${CLOCK})\\s+and|from\\s+(${CLOCK})\\s*(?:to|until|till|-|–))\\s*(${CLOCK})`, ([, one, other, last = '']) => {
    const [from, to] = [readClock(one ?? other ?? ''), readClock(last)];
    return from === undefined || to === undefined ? undefined : { window: [from, to] };
  }),
  clause('(?:at\\s+)?:(\\d{2})', ([, minute]) => (Number(minute) > 59 ? undefined : { minute: Number(minute) })),
  clause(`(at\\s+|@\\s*)?(${CLOCK}(?:${AND}(?:at\\s+)?${CLOCK})*)`, readTimes),
  clause(`(?:in the\\s+|at\\s+)?(${DAY_PART})s?`, ([, part = '']) => ({ part: part.toLowerCase() })),
  clause(`(?:in\\s+)?(?:\\((${ZONE})\\)|(${ZONE}))`, ([, inside, bare]) => readZone(inside ?? bare ?? '')),
];

export interface ScannedPhrase {
  readonly parts: Parts;
  /** How far the text is understood. */
  readonly end: number;
  /** A clause that is meant and cannot be. */
  readonly why?: string;
}

/** Reads clause after clause as far as they go. */
export function scanPhrase(text: string): ScannedPhrase {
  let [parts, end]: [Parts, number] = [{}, 0];
  for (let from = 0; from < text.length; from = end + (/^[\s,]+/.exec(text.slice(end))?.[0].length ?? 0)) {
    const next = readClause(text, from, parts);
    if (next === undefined) break;
    if ('why' in next.read) return { parts, end: next.end, why: next.read.why };
    if (Object.keys(next.read).some((key) => key in parts)) break;
    parts = { ...parts, ...next.read };
    end = next.end;
  }
  return { parts, end };
}

function readClause(text: string, from: number, parts: Parts): { readonly read: NonNullable<Read>; readonly end: number } | undefined {
  for (const { pattern, read } of CLAUSES) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    const found = match === null ? undefined : read(match, parts);
    if (found !== undefined) return { read: found, end: pattern.lastIndex };
  }
  return undefined;
}

const isEmpty = (parts: Parts): boolean => Object.keys(parts).length === 0;
const CLOCK_ONLY = new RegExp(`^@${CLOCK}$`, 'i');

const TOO_OFTEN = 'a job cannot run more often than once a minute.';

function readExpression(text: string): Read {
  const expression = text.toUpperCase();
  const read = readFields(expression);
  if (!read.ok) return { why: `"${text}" is no cron expression: ${read.why}` };
  if (read.fields.seconds.length === 1) return { expression };
  const fields = text.split(' ');
  const [leading, trailing] = [fields.slice(0, 5), fields.slice(1)].map((five) => five.join(' '));
  return {
    why: `${TOO_OFTEN} The sixth field is the second, and "${fields.at(-1)}" names several of them. Without it, write "${leading}"; if you wrote the second first, "${trailing}".`,
  };
}

function readRhythm(length: string): Read {
  const rhythm = readDuration(length);
  if (rhythm === undefined) return { why: `"${length}" is no length of time. Write every 30m, every 2h or every 1 day.` };
  return rhythm < 60_000 ? { why: TOO_OFTEN } : { rhythm };
}

function readDelay(length: string): Read {
  const delay = readDuration(length);
  if (delay === undefined) return { why: `"${length}" is no length of time. Write in 30m, in 2h or in 1 day.` };
  return delay <= 0 ? { why: 'a length of time is at least one minute.' } : { delay };
}

function readMoment([text, day = '', time = '', seconds = '00', offset]: RegExpExecArray): Read {
  const wall = Date.parse(`${day}T${time}:${seconds}Z`);
  // 31 February would be read as a day of March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return { why: `there is no time ${text}.` };
  return { date: { kind: 'moment', wall, ...(offset !== undefined && { offset: offset.toUpperCase() }) } };
}

function readDay(day: number, month: number, year: number | undefined): Read {
  // In a leap year, so that 29 February is a day.
  const date = new Date(Date.UTC(year ?? 2028, month - 1, day));
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return { why: `there is no day ${[year, month, day].filter((one) => one !== undefined).join('-')}.` };
  return { date: { kind: 'day', month, day, ...(year !== undefined && { year }) } };
}
const withYearly = (text: string, read: Read): Read =>
  read !== undefined && !('why' in read) && /^every\s/i.test(text) ? { ...read, yearly: true } : read;

const writeNthWeekday = (count: string, weekday: number): string => {
  if (count === 'last') return `${weekday}L`;
  return `${weekday}#${/\d/.test(count) ? count[0] : ORDINALS.indexOf(count) + 1}`;
};

function readMonthDays([text, , every, list = '', ofMonth]: RegExpExecArray, { monthly }: Parts): Read {
  const days = [...list.matchAll(/\d+/g)].map(([day]) => Number(day)).toSorted((one, other) => one - other);
  const odd = days.find((day) => day < 1 || day > 31);
  if (odd !== undefined) return { why: `no month has a day ${odd}.` };
  if (every === undefined && ofMonth === undefined && monthly === undefined)
    return { why: `"${text}" can mean this month or every month. Write "${text} of the month", or a date such as 2027-01-05.` };
  return { monthDays: { day: [...new Set(days)].join(',') } };
}

function readWeek([text, lead, list = '', except]: RegExpExecArray, { rhythm }: Parts): Read {
  const days = without(readDays(list), except);
  if (days.length === 0) return { why: `"${text}" leaves no day.` };
  return { days: { days, isOpen: lead?.toLowerCase() === 'on' && days.length === 1 && !/s$/i.test(list) && rhythm === undefined } };
}
function without(days: readonly number[], except: string | undefined): readonly number[] {
  const left = except === undefined ? [] : readDays(except);
  return days.filter((day) => !left.includes(day));
}

/** A bare number is a time only behind `at` or days. */
function readTimes([, at, list = '']: RegExpExecArray, { days, date, monthDays }: Parts): Read {
  if (at === undefined && !STARTS_CLEAR.test(list) && days === undefined && date === undefined && monthDays === undefined) return undefined;
  const written = list.split(new RegExp(`${AND}(?:at\\s+)?`, 'i'));
  const times = written.map(readClock);
  const odd = written[times.indexOf(undefined)];
  if (odd !== undefined) return { why: `"${odd}" is no time of the day. Write 9am, 9:30pm or 14:00.` };
  return { times: times.filter((time) => time !== undefined) };
}
const STARTS_CLEAR = new RegExp(`^${CLEAR_CLOCK}`, 'i');
