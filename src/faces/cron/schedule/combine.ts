import { toInstant, toWallTime } from '../../../base/zoned-time.ts';
import type { JobSchedule } from '../../../contracts/job-store.ts';
import type { Parts, WrittenDate } from './clauses.ts';
import { findUsualForm } from './forms.ts';
import { placeInPart, type ClockTime, type WrittenTime } from './words.ts';
import { writeDays, writeTimes } from './write-fields.ts';

/** A schedule, or why there is none, in words for a person. */
export type ScheduleResult =
  /** `zone`: the time zone that the words name. */
  { readonly ok: true; readonly schedule: JobSchedule; readonly zone?: string } | { readonly ok: false; readonly why: string };
export interface ScheduleContext {
  readonly now: number;
  /** An IANA name; times without a zone are meant there. */
  readonly zone: string;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const ALL_DAYS = 7;

type Key = keyof Parts;
/** What can be said together. What is needed stands first, then what may be added. */
interface Shape {
  readonly needs: readonly Key[];
  readonly may?: readonly Key[];
  make(parts: Parts, context: ScheduleContext, said: string): ScheduleResult;
}

const SHAPES: readonly Shape[] = [
  { needs: ['expression'], may: ['zone'], make: ({ expression = '' }, { zone }) => accept({ kind: 'cron', expression, zone }) },
  { needs: ['delay'], may: ['zone'], make: ({ delay = 0 }, { now }) => accept({ kind: 'once', at: now + delay }) },
  { needs: ['delay', 'times'], may: ['part', 'zone'], make: makeDelayedDay },
  { needs: ['rhythm'], may: ['zone'], make: ({ rhythm = 0 }, { now }) => accept({ kind: 'every', ms: rhythm, from: now }) },
  { needs: ['rhythm', 'minute'], may: ['days', 'zone'], make: makeMinuteOfHour },
  { needs: ['rhythm', 'days', 'times'], may: ['part', 'zone'], make: makeWeekly },
  { needs: ['rhythm', 'window'], may: ['days', 'zone'], make: makeWithin },
  { needs: ['rhythm', 'days'], may: ['zone'], make: makeWithin },
  {
    needs: ['rhythm', 'times'],
    may: ['days', 'monthDays', 'part', 'zone'],
    make: (_parts, _context, said) => refuse(describeRhythmAt(said)),
  },
  { needs: ['date', 'yearly', 'times'], may: ['part', 'zone'], make: makeYearly },
  { needs: ['date', 'times'], may: ['part', 'zone'], make: makeDate },
  { needs: ['date'], may: ['zone', 'part'], make: makeWholeDate },
  {
    needs: ['monthDays', 'times'],
    may: ['monthly', 'part', 'zone'],
    make: ({ monthDays = { day: '*' }, ...parts }, context) =>
      makeByTimes(parts, context, 'day' in monthDays ? `${monthDays.day} * *` : `* * ${monthDays.weekday}`),
  },
  { needs: ['days', 'times'], may: ['part', 'zone'], make: makeDays },
  { needs: ['days'], may: ['zone'], make: makeBareDays },
  { needs: ['days', 'part'], make: (_parts, _context, said) => refuse(askTime(said)) },
  { needs: ['times'], may: ['part', 'zone'], make: makeNext },
  { needs: ['monthDays'], may: ['monthly'], make: (_parts, _context, said) => refuse(askTime(said)) },
];

/** What the parts of a phrase mean together. */
export function combineParts(parts: Parts, context: ScheduleContext, said: string): ScheduleResult {
  const keys = Object.keys(parts);
  const shape = SHAPES.find(
    ({ needs, may = [] }) => needs.every((key) => key in parts) && keys.every((key) => [...needs, ...may].some((one) => one === key)),
  );
  if (shape === undefined) return refuse(`"${said}" is not understood as a whole. ${findUsualForm(said)}`);
  const { zone = context.zone } = parts;
  const result = shape.make(parts, { ...context, zone }, said);
  return result.ok && parts.zone !== undefined ? { ...result, zone } : result;
}

export const refuse = (why: string): ScheduleResult => ({ ok: false, why });
const accept = (schedule: JobSchedule): ScheduleResult => ({ ok: true, schedule });

const askTime = (said: string): string => `"${said}" does not say at what time. Write, for example, "${said} at 9am".`;
const describeRhythmAt = (said: string): string =>
  `"${said}" has a rhythm and a time of the day, which cannot be kept together. Write days with a time, such as "monday and thursday at 9am", or a rhythm that begins now, such as "every 2 days".`;

/** The times of a phrase by a clock of 24 hours, or why they are not clear. */
function settleTimes({ times = [], part }: Parts): { readonly times: readonly ClockTime[] } | { readonly why: string } {
  if (part === undefined && times.some(({ isOpen }) => isOpen) && times.some(({ hasHalf }) => hasHalf))
    return { why: 'one time has am or pm and another has none. Write it with each of them.' };
  const settled: ClockTime[] = [];
  for (const written of times) {
    const time = part === undefined ? written.time : placeInPart(written, part);
    if (time === undefined) return { why: `${written.time[0]}:${String(written.time[1]).padStart(2, '0')} is not in the ${part}.` };
    settled.push(time);
  }
  return { times: settled };
}

/** `tail`: day of the month, month and day of the week. */
function makeByTimes(parts: Parts, { zone }: ScheduleContext, tail: string): ScheduleResult {
  const settled = settleTimes(parts);
  return 'why' in settled ? refuse(settled.why) : accept({ kind: 'cron', expression: writeTimes(settled.times, tail), zone });
}

function makeDays(parts: Parts, context: ScheduleContext, said: string): ScheduleResult {
  const { days = [], isOpen = false } = parts.days ?? {};
  if (isOpen) return refuse(`"${said}" can mean once or every week. Write "every" or "next" before the day.`);
  return makeByTimes(parts, context, `* * ${writeDays(days)}`);
}

/** `every day` is a rhythm; other days need a time. */
function makeBareDays({ days }: Parts, { now }: ScheduleContext, said: string): ScheduleResult {
  return days?.days.length === ALL_DAYS ? accept({ kind: 'every', ms: DAY_MS, from: now }) : refuse(askTime(said));
}

function makeWeekly(parts: Parts, context: ScheduleContext, said: string): ScheduleResult {
  return parts.rhythm === WEEK_MS ? makeDays(parts, context, said) : refuse(describeRhythmAt(said));
}

function makeMinuteOfHour({ rhythm, minute = 0, days }: Parts, { zone }: ScheduleContext, said: string): ScheduleResult {
  if (rhythm !== 3_600_000) return refuse(`"${said}" names a minute, which only "every hour" has.`);
  return accept({ kind: 'cron', expression: `${minute} * * * ${writeDays(days?.days)}`, zone });
}

const MINUTES_A_DAY = 24 * 60;
const toMinutes = ([hour, minute]: ClockTime): number => hour * 60 + minute;

/** A rhythm by the clock: on some days, between two times. */
function makeWithin({ rhythm = 0, window, days }: Parts, { zone }: ScheduleContext, said: string): ScheduleResult {
  const step = rhythm / 60_000;
  if (!Number.isInteger(step) || step > MINUTES_A_DAY / 2 || (window === undefined && MINUTES_A_DAY % step !== 0))
    return refuse(`"${said}" does not fit into a day of 24 hours. Name the times, such as "weekdays at 9am and 1pm".`);
  const [from, to] = window ?? [];
  const [first, last] = [from === undefined ? 0 : toMinutes(from.time), to === undefined ? MINUTES_A_DAY - 1 : toMinutes(to.time)];
  const why = from === undefined || to === undefined ? undefined : checkWindow(from, to, last < first);
  if (why !== undefined) return refuse(why);
  if (last < first && days !== undefined) return refuse(`"${said}" goes over midnight, so its days are not clear. Name the times instead.`);
  const count = Math.floor(((last < first ? last + MINUTES_A_DAY : last) - first) / step) + 1;
  const minutes = Array.from({ length: count }, (_, index) => (first + index * step) % MINUTES_A_DAY);
  const times = minutes.map((minute): ClockTime => [Math.floor(minute / 60), minute % 60]);
  return accept({ kind: 'cron', expression: writeTimes(times, `* * ${writeDays(days?.days)}`), zone });
}

function checkWindow(from: WrittenTime, to: WrittenTime, isReversed: boolean): string | undefined {
  if ((from.isOpen && to.hasHalf) || (from.hasHalf && to.isOpen))
    return 'one time has am or pm and the other has none. Write it with both.';
  return isReversed && (from.isOpen || to.isOpen)
    ? 'the second time is before the first. Write 9am and 5pm, or 9:00 and 17:00.'
    : undefined;
}

const startOfDay = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS;
const atTime = (day: number, [hour, minute]: ClockTime): number => day + (hour * 60 + minute) * 60_000;

/** The one time of something that runs once. */
function settleOne(parts: Parts): { readonly time: ClockTime } | { readonly why: string } {
  const settled = settleTimes(parts);
  if ('why' in settled) return settled;
  const [time, ...more] = settled.times;
  return time === undefined || more.length > 0 ? { why: 'a job that runs once has one time. Make a job for each.' } : { time };
}

/** `at 9am`: the next time that clocks show it. */
function makeNext(parts: Parts, { now, zone }: ScheduleContext): ScheduleResult {
  const settled = settleOne(parts);
  if ('why' in settled) return refuse(settled.why);
  const today = atTime(startOfDay(toWallTime(now, zone)), settled.time);
  const at = toInstant(today, zone);
  return accept({ kind: 'once', at: at > now ? at : toInstant(today + DAY_MS, zone) });
}

function makeDelayedDay(parts: Parts, context: ScheduleContext, said: string): ScheduleResult {
  const days = (parts.delay ?? 0) / DAY_MS;
  if (!Number.isInteger(days)) return refuse(`"${said}" names a length of time and a time of the day. Write one of them.`);
  const { delay: _delay, ...rest } = parts;
  return makeDate({ ...rest, date: { kind: 'ahead', days } }, context);
}

function makeDate(parts: Parts, context: ScheduleContext): ScheduleResult {
  const settled = settleOne(parts);
  if ('why' in settled) return refuse(settled.why);
  const { date } = parts;
  if (date === undefined || date.kind === 'moment') return refuse('a time is named twice. Write it once.');
  const day = findDay(date, settled.time, context);
  return typeof day === 'string' ? refuse(day) : accept({ kind: 'once', at: toInstant(atTime(day, settled.time), context.zone) });
}

/** A date in numbers alone is its first minute, as programs write it. Words need a time. */
function makeWholeDate({ date, part, zone: named }: Parts, { zone }: ScheduleContext, said: string): ScheduleResult {
  if (date?.kind === 'moment' && part === undefined) {
    const { wall, offset } = date;
    if (offset !== undefined && named !== undefined) return refuse(`"${said}" names two zones. Write one of them.`);
    if (offset === undefined) return accept({ kind: 'once', at: toInstant(wall, zone) });
    const at = Date.parse(`${new Date(wall).toISOString().slice(0, 19)}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
    return Number.isNaN(at) ? refuse(`there is no time ${said}.`) : accept({ kind: 'once', at });
  }
  if (part === undefined && date?.kind === 'day' && /^\d{4}-/.test(said) && date.year !== undefined)
    return accept({ kind: 'once', at: toInstant(Date.UTC(date.year, date.month - 1, date.day), zone) });
  return refuse(askTime(said));
}

function makeYearly(parts: Parts, context: ScheduleContext, said: string): ScheduleResult {
  const { date } = parts;
  if (date?.kind !== 'day' || date.year !== undefined) return refuse(`"${said}" names a date that does not come every year.`);
  return makeByTimes(parts, context, `${date.day} ${date.month} *`);
}

/** The first minute of a day as a wall time, or why it is not clear. */
function findDay(date: Exclude<WrittenDate, { kind: 'moment' }>, time: ClockTime, { now, zone }: ScheduleContext): number | string {
  const wall = toWallTime(now, zone);
  const today = startOfDay(wall);
  if (date.kind === 'ahead') return today + date.days * DAY_MS;
  if (date.kind === 'weekday') return findWeekday(date.weekday, date.isNext, today);
  const { year, month, day } = date;
  if (year !== undefined) return Date.UTC(year, month - 1, day);
  const first = new Date(today).getUTCFullYear();
  // 29 February is at most eight years away.
  const years = Array.from({ length: 9 }, (_, index) => Date.UTC(first + index, month - 1, day));
  return years.find((each) => new Date(each).getUTCDate() === day && atTime(each, time) > wall) ?? 'there is no such day.';
}

/** `next friday` is refused where it can be this week's or the one after. */
function findWeekday(weekday: number, isNext: boolean, today: number): number | string {
  const here = new Date(today).getUTCDay();
  const ahead = (weekday - here + 7) % 7;
  const leftThisWeek = 7 - ((here + 6) % 7) - 1;
  if (!isNext)
    return ahead <= leftThisWeek ? today + ahead * DAY_MS : 'that day of this week is over. Write "next" for the one that comes.';
  const coming = today + (ahead === 0 ? 7 : ahead) * DAY_MS;
  if (ahead === 0 || ahead > leftThisWeek) return coming;
  const [one, other] = [coming, coming + WEEK_MS].map((at) => new Date(at).toISOString().slice(0, 10));
  return `"next" can mean ${one} or ${other}. Write the date.`;
}
