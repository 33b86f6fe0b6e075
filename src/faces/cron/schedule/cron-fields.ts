/**
 * Five fields (minute, hour, day of month, month, day of week), or six: the sixth is the second. That is how the Python system
 * reads them; other programs have the second first.
 */
export type FieldsResult = { readonly ok: true; readonly fields: CronFields } | { readonly ok: false; readonly why: string };

/** The values each field allows, in order; of days what makes one fit. */
export interface CronFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  /** Absent: any day of the month, of the week. Both together mean either of them. */
  readonly days?: DayField;
  readonly weekdays?: DayField;
}
export interface DayField {
  readonly values: readonly number[];
  /** The last day of the month; the last of these weekdays in it. */
  readonly last: readonly number[];
  /** The nth of a weekday in the month. */
  readonly nth: readonly (readonly [weekday: number, nth: number])[];
}

interface FieldKind {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}
const KINDS = {
  minute: { name: 'minute', first: 0, last: 59 },
  hour: { name: 'hour', first: 0, last: 23 },
  day: { name: 'day of the month', first: 1, last: 31 },
  month: { name: 'month', first: 1, last: 12, names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ') },
  weekday: { name: 'day of the week', first: 0, last: 6, names: 'SUN MON TUE WED THU FRI SAT'.split(' ') },
  second: { name: 'second', first: 0, last: 59 },
} as const satisfies Record<string, FieldKind>;

/** Reads fields in capitals with one space between them. */
export function readFields(expression: string): FieldsResult {
  const words = expression.split(' ');
  if (words.length !== 5 && words.length !== 6)
    return { ok: false, why: `a cron expression has 5 fields, or 6 with the second at the end; this has ${words.length}.` };
  const [minute = '', hour = '', day = '', month = '', weekday = '', second = '0'] = words;
  try {
    return {
      ok: true,
      fields: {
        seconds: readValues(second, KINDS.second),
        minutes: readValues(minute, KINDS.minute),
        hours: readValues(hour, KINDS.hour),
        months: readValues(month, KINDS.month),
        ...(!isAny(day) && { days: readDayField(day, KINDS.day) }),
        ...(!isAny(weekday) && { weekdays: readDayField(weekday, KINDS.weekday) }),
      },
    };
  } catch (error) {
    if (error instanceof FieldError) return { ok: false, why: error.message };
    throw error;
  }
}

/** Whether it names no hour: it follows the time that passes, not the clocks. */
export const isEveryHour = (expression: string): boolean => ['*', '*/1', '?'].includes(expression.split(' ')[1] ?? '');

class FieldError extends Error {}
const isAny = (field: string): boolean => field === '*' || field === '?';

const readValues = (field: string, kind: FieldKind): readonly number[] => sorted(field.split(',').flatMap((item) => readItem(item, kind)));
const sorted = (values: readonly number[]): readonly number[] => [...new Set(values)].toSorted((one, other) => one - other);

/** `L`, `5L` or `L5`, `MON#1`, and whatever other fields have. */
function readDayField(field: string, kind: FieldKind): DayField {
  const [values, last, nth]: [number[], number[], [number, number][]] = [[], [], []];
  const isWeek = kind === KINDS.weekday;
  for (const item of field.split(',')) {
    const [, day = '', count = ''] = /^(\w+)#([1-5])$/.exec(item) ?? [];
    const [, before = '', after = ''] = /^(\w*)L(\w*)$/.exec(item) ?? [];
    if (isWeek && day !== '') nth.push([toNumber(day, kind) % 7, Number(count)]);
    else if (isWeek && before + after !== '') last.push(toNumber(before + after, kind) % 7);
    else if (!isWeek && item === 'L') last.push(0);
    else values.push(...readItem(item, kind));
  }
  return { values: sorted(isWeek ? values.map((value) => value % 7) : values), last, nth };
}

/** `*`, `7`, `MON-FRI`, `*\/5`, `10-20/5`, and `10/5`, which goes on to the end; a range may go over the end (`22-2`). */
function readItem(item: string, kind: FieldKind): readonly number[] {
  const [range = '', step, ...more] = item.split('/');
  const by = step === undefined ? 1 : /^\d+$/.test(step) ? Number(step) : 0;
  if (by === 0 || more.length > 0) throw new FieldError(`the ${kind.name} "${item}" has no step that can be counted.`);
  const { first, last } = kind;
  if (isAny(range)) return listValues(first, last, by, kind);
  const [from = '', to, ...rest] = range.split('-');
  if (rest.length > 0) throw new FieldError(`the ${kind.name} "${item}" is no range.`);
  const start = toNumber(from, kind);
  if (to !== undefined) return listValues(start, toNumber(to, kind), by, kind);
  return step === undefined ? [start] : listValues(start > last ? first : start, last, by, kind);
}

/** Every so many values from one to another; over the end when that is the smaller one. */
function listValues(from: number, to: number, by: number, { first, last }: FieldKind): readonly number[] {
  const size = last - first + 1;
  const values: number[] = [];
  for (let value = from; value <= (to < from ? to + size : to); value += by)
    values.push(value > last + (to > last ? 1 : 0) ? value - size : value);
  return values;
}

function toNumber(word: string, { name, first, last, names }: FieldKind): number {
  const at = names?.indexOf(word.toUpperCase()) ?? -1;
  const value = at >= 0 ? at + first : /^\d+$/.test(word) ? Number(word) : Number.NaN;
  // Sunday is 7 as well.
  const most = name === KINDS.weekday.name ? last + 1 : last;
  if (value >= first && value <= most) return value;
  throw new FieldError(
    `"${word}" is no ${name}: it goes from ${first} to ${last}${names === undefined ? '' : `, or ${names[0]} to ${names.at(-1)}`}.`,
  );
}
