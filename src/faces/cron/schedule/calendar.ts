import { readFields, type CronFields, type DayField } from './cron-fields.ts';

const DAY_MS = 86_400_000;
/** 29 February is at most eight years away; what does not come within this never does. */
const MAX_DAYS = 9 * 366;

/** Between expressions of which any may fit: 9:00 and 17:30 are no single one. */
export const ANY_OF = ' | ';

/** The first time after another that clocks show and that fits an expression; both as wall times (`base/zoned-time.ts`). */
export function findNextWall(expression: string, after: number): number | undefined {
  const found = expression.split(ANY_OF).flatMap((one) => findNextOf(fieldsOf(one), after) ?? []);
  return found.length === 0 ? undefined : Math.min(...found);
}

function findNextOf(fields: CronFields, after: number): number | undefined {
  const from = (Math.floor(after / 1_000) + 1) * 1_000;
  const today = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = 0; day < MAX_DAYS; day++) {
    const midnight = today + day * DAY_MS;
    const time = isDay(new Date(midnight), fields) ? findTime(fields, Math.max(0, from - midnight) / 1_000) : undefined;
    if (time !== undefined) return midnight + time * 1_000;
  }
  return undefined;
}

const known = new Map<string, CronFields>();
const MAX_KNOWN = 500;

function fieldsOf(expression: string): CronFields {
  const found = known.get(expression);
  if (found !== undefined) return found;
  const read = readFields(expression);
  if (!read.ok) throw new Error(`the cron expression "${expression}" was stored and cannot be read: ${read.why}`);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(expression, read.fields);
  return read.fields;
}

function isDay(date: Date, { months, days, weekdays }: CronFields): boolean {
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const day = date.getUTCDate();
  const size = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const fitsMonth = days !== undefined && (days.values.includes(day) || (days.last.length > 0 && day === size));
  const fitsWeek = weekdays !== undefined && isWeekday(weekdays, date.getUTCDay(), day, size);
  return (days === undefined && weekdays === undefined) || fitsMonth || fitsWeek;
}

const isWeekday = ({ values, last, nth }: DayField, weekday: number, day: number, size: number): boolean =>
  values.includes(weekday) ||
  (last.includes(weekday) && day + 7 > size) ||
  nth.some(([each, count]) => each === weekday && Math.ceil(day / 7) === count);

/** The first time of a day from so many seconds on, in seconds. */
function findTime({ hours, minutes, seconds }: CronFields, from: number): number | undefined {
  for (const hour of hours) {
    if (hour * 3_600 + 3_599 < from) continue;
    for (const minute of minutes) {
      const start = hour * 3_600 + minute * 60;
      const second = seconds.find((each) => start + each >= from);
      if (second !== undefined) return start + second;
    }
  }
  return undefined;
}
