import { toInstant } from '../../../base/zoned-time.ts';
import type { JobSchedule } from '../../../contracts/job-store.ts';
import { readFields } from './cron-fields.ts';
import { findNextInstant } from './instants.ts';
import { readClock, readDays, readDuration } from './words.ts';

/** A schedule, or why there is none, in words for a person. */
export type ScheduleResult = { readonly ok: true; readonly schedule: JobSchedule } | { readonly ok: false; readonly why: string };
export interface ScheduleContext {
  readonly now: number;
  /** An IANA name; times without a zone are meant there. */
  readonly zone: string;
}

const FORMS =
  'Write 30m or "in 2h" (once), "every 30m", "weekdays at 9am", a cron expression such as "0 9 * * 1-5", or a time such as 2027-02-03T14:00.';

/** Each reads one form: `undefined` when it is not meant. */
const READERS: readonly ((text: string, context: ScheduleContext) => ScheduleResult | undefined)[] = [
  readPhrase,
  readEvery,
  readExpression,
  readTimestamp,
  readDelay,
];

/** Reads what somebody wrote. What comes of it has at least one instant after now. */
export function parseSchedule(text: string, context: ScheduleContext): ScheduleResult {
  const words = text.trim().replaceAll(/\s+/g, ' ');
  if (words === '') return refuse(`a job needs a schedule. ${FORMS}`);
  for (const read of READERS) {
    const result = read(words, context);
    if (result === undefined) continue;
    return result.ok && findNextInstant(result.schedule, context.now) === undefined
      ? refuse(`"${words}" is in the past. ${FORMS}`)
      : result;
  }
  return refuse(`"${words}" is no schedule. ${FORMS}`);
}

const refuse = (why: string): ScheduleResult => ({ ok: false, why });
const accept = (schedule: JobSchedule): ScheduleResult => ({ ok: true, schedule });

/** `weekdays at 9am`, `every monday 9am`, `monday, wednesday at 9:30`. */
function readPhrase(words: string, { zone }: ScheduleContext): ScheduleResult | undefined {
  const match = /^(?:every )?(.+?)(?: at | @ ?| )(\S+(?: ?[ap]\.?m\.?)?)$/i.exec(words);
  const days = match?.[1] === undefined ? undefined : readDays(match[1]);
  if (match === null || days === undefined) return readBareDays(words);
  const clock = readClock(match[2] ?? '');
  if (clock === undefined) return readBareDays(words) ?? refuse(`"${match[2]}" is no time of the day. Write 9am, 9:30pm or 14:00.`);
  return accept({ kind: 'cron', expression: `${clock[1]} ${clock[0]} * * ${days}`, zone });
}

/** Days without a time. `every day` is a rhythm of its own. */
function readBareDays(words: string): ScheduleResult | undefined {
  const days = words.replace(/^every /i, '');
  if (readDays(days) === undefined || /^every days?$/i.test(words)) return undefined;
  return refuse(`"${words}" does not say at what time. Write, for example, "${words} at 9am".`);
}

const SHORTEST_MS = 60_000;

function readEvery(words: string, { now }: ScheduleContext): ScheduleResult | undefined {
  const rest = /^(?:every|each) (.+)$/i.exec(words)?.[1] ?? (/^hourly$/i.test(words) ? 'hour' : undefined);
  if (rest === undefined) return undefined;
  const ms = readDuration(rest);
  if (ms === undefined) return refuse(`"${rest}" is neither a length of time nor days with a time. ${FORMS}`);
  return ms < SHORTEST_MS ? refuse('a job cannot run more often than once a minute.') : accept({ kind: 'every', ms, from: now });
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

function readExpression(words: string, { zone }: ScheduleContext): ScheduleResult | undefined {
  if (words.startsWith('@') && NICKNAMES[words.toLowerCase()] === undefined)
    return refuse(`there is no ${words}. There are ${Object.keys(NICKNAMES).join(', ')}.`);
  const expression = (NICKNAMES[words.toLowerCase()] ?? words).toUpperCase();
  if (!looksLikeFields(expression)) return undefined;
  const read = readFields(expression);
  if (!read.ok) return refuse(`"${words}" is no cron expression: ${read.why}`);
  const schedule: JobSchedule = { kind: 'cron', expression, zone };
  return findNextInstant(schedule, 0) === undefined ? refuse(`"${words}" never comes: there is no such day.`) : accept(schedule);
}

/** Whether a text is meant as fields, right or wrong. */
const looksLikeFields = (text: string): boolean => {
  const fields = text.split(' ');
  return fields.length >= 5 && fields.every((field) => /^[A-Z0-9*,/?#-]+$/.test(field)) && /^[\d*]/.test(text);
};

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

function readTimestamp(words: string, { zone }: ScheduleContext): ScheduleResult | undefined {
  const match = TIMESTAMP.exec(words);
  if (match === null) return undefined;
  const [, day = '', time = '00:00', seconds = '00', offset] = match;
  const wall = Date.parse(`${day}T${time}:${seconds}Z`);
  // 31 February would be read as a day of March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return refuse(`there is no time ${words}.`);
  if (offset === undefined) return accept({ kind: 'once', at: toInstant(wall, zone) });
  const at = Date.parse(`${day}T${time}:${seconds}${offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  return Number.isNaN(at) ? refuse(`there is no time ${words}.`) : accept({ kind: 'once', at });
}

/** `30m` and `in 30m` are the same: once, after that time. */
function readDelay(words: string, { now }: ScheduleContext): ScheduleResult | undefined {
  const [, isIn, rest = ''] = /^(in )?(.+)$/i.exec(words) ?? [];
  const ms = /^\d/.test(rest) || isIn !== undefined ? readDuration(rest) : undefined;
  if (ms === undefined) return isIn === undefined ? undefined : refuse(`"${rest}" is no length of time. Write in 30m, in 2h or in 1 day.`);
  return ms <= 0 ? refuse('a length of time is at least one minute.') : accept({ kind: 'once', at: now + ms });
}
