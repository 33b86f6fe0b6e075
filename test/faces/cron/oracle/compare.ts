import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findChange, listInstants, readOffset, toWallTime } from '../../../../src/base/zoned-time.ts';
import { findNextWall } from '../../../../src/faces/cron/schedule/calendar.ts';
import { isEveryHour, readFields } from '../../../../src/faces/cron/schedule/cron-fields.ts';
import { findNextInstant } from '../../../../src/faces/cron/schedule/instants.ts';
import { createSeededRandom } from '../../../../src/testing/seeded-random.ts';
import { drawExpressions } from './expressions.ts';

export const PYTHON = resolve(process.env['HERMES_TEST_PYTHON'] ?? '.cache/python/bin/python');

/** Whole hours, half an hour, the south, changes at midnight, none at all, and east of all others. */
export const ZONES: readonly string[] = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/St_Johns',
  'Asia/Beirut',
  'Pacific/Chatham',
  'Africa/Cairo',
  'America/Havana',
];

interface OracleCase {
  readonly expression: string;
  readonly zone: string;
  /** Seconds since the epoch, both. */
  readonly after: number;
  readonly until: number;
  readonly count: number;
}
interface OracleAnswer {
  readonly moments?: readonly number[];
  readonly error?: string;
}
/** Why the two differ at a moment. */
export type Difference = (typeof DIFFERENCES)[number] | 'unexplained';
export const DIFFERENCES = [
  'a time that clocks show twice: croniter runs it twice, we run it once',
  'a time that clocks skip: we run it when they go on, croniter does not',
  'a time that clocks skip, of a schedule that names no hour: croniter runs it when they go on, we do not',
  'a time that clocks skip, of a schedule with seconds: croniter runs it at its second after they go on, we at the first',
  'a time that clocks show twice, of a schedule that names no hour: we run it twice, croniter not where clocks change by half an hour',
  'a range of one value (3-3, 59/18): croniter takes it for all values, we take the one',
  'a range over the end with steps (17-4/8): croniter is one off after the end',
] as const;
const [DOUBLED, SKIPPED, SKIPPED_RHYTHM, SKIPPED_SECOND, DOUBLED_RHYTHM, ONE_VALUE, OVER_THE_END] = DIFFERENCES;
export interface Comparison {
  readonly cases: number;
  readonly moments: number;
  readonly differences: Readonly<Partial<Record<Difference, number>>>;
  readonly examples: Readonly<Partial<Record<Difference, string>>>;
  readonly faults: readonly string[];
}

const DAY = 86_400;
const START = Date.parse('2026-01-01T00:00:00Z') / 1_000;
const COUNT = 40;

/** Days around each change of clocks of two years, and an ordinary time. */
export function listWindows(zone: string): readonly { readonly after: number; readonly until: number }[] {
  const changes: number[] = [];
  for (let day = START; day < START + 730 * DAY; day += DAY) {
    const change = findChange(day * 1_000, (day + DAY) * 1_000, zone);
    if (change !== undefined) changes.push(Math.round(change / 1_000));
  }
  const around = changes.slice(0, 4).map((at) => ({ after: at - DAY - 1_237, until: at + 2 * DAY }));
  return [{ after: START + 45 * DAY + 77, until: START + 400 * DAY }, ...around];
}

/** Holds our instants against croniter's; every difference must be one of those that are wanted. */
export async function compareWithCroniter(expressions: number, zones: readonly string[], seed = 'croniter'): Promise<Comparison> {
  const cases = drawExpressions(createSeededRandom(seed), expressions).flatMap((expression) =>
    zones.flatMap((zone) => listWindows(zone).map((window): OracleCase => ({ expression, zone, ...window, count: COUNT }))),
  );
  const answers = await askCroniter(cases);
  const faults: string[] = [];
  const found = cases.flatMap((one, index) => compareCase(one, answers[index] ?? { error: 'no answer' }, faults));
  const differences: Partial<Record<Difference, number>> = {};
  const examples: Partial<Record<Difference, string>> = {};
  for (const { what, example } of found) {
    differences[what] = (differences[what] ?? 0) + 1;
    examples[what] ??= example;
    if (what === 'unexplained') faults.push(example);
  }
  const moments = answers.reduce((sum, answer) => sum + (answer.moments?.length ?? 0), 0);
  return { cases: cases.length, moments, differences, examples, faults };
}

async function askCroniter(cases: readonly OracleCase[]): Promise<readonly OracleAnswer[]> {
  const child = spawn(PYTHON, [resolve('test/faces/cron/oracle/croniter_oracle.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const answers: OracleAnswer[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the script beside this
  for await (const line of createInterface(child.stdout)) answers.push(JSON.parse(line) as OracleAnswer);
  return answers;
}

interface FoundDifference {
  readonly what: Difference;
  readonly example: string;
}

function compareCase(one: OracleCase, { moments, error }: OracleAnswer, faults: string[]): readonly FoundDifference[] {
  const expression = one.expression.toUpperCase();
  const fields = readFields(expression);
  const name = `${one.expression} in ${one.zone} after ${iso(one.after)}`;
  if (!fields.ok || moments === undefined) {
    // Both refuse, or a day that never comes.
    if (fields.ok || error === undefined)
      faults.push(`${name}: ours ${fields.ok ? 'is fine' : fields.why}; croniter: ${error ?? 'is fine'}`);
    return [];
  }
  const ours = listOurs(expression, one);
  // Where one of the two lists is full, the other is only looked at as far.
  const end = Math.min(...[ours, moments].map((list) => (list.length < one.count ? one.until : (list.at(-1) ?? one.until))));
  const [mine, theirs] = [new Set(ours), new Set(moments)];
  const differing = [...mine.symmetricDifference(theirs)].filter((at) => at <= end).toSorted((a, b) => a - b);
  const form = findOddForm(one.expression);
  return differing.map((at) => ({
    what: form ?? explain(at, mine.has(at), expression, one.zone),
    example: `${name}: ${mine.has(at) ? 'only ours' : 'only croniter'} has ${iso(at)}`,
  }));
}

const LAST = [59, 23, 31, 12, 6, 59];

/** Forms that croniter reads in another way. */
function findOddForm(expression: string): Difference | undefined {
  const items = expression.split(' ').flatMap((field, place) => field.split(',').map((item) => ({ item, last: LAST[place] ?? 59 })));
  if (items.some(({ item, last }) => /^(\w+)-\1(?:\/|$)/.test(item) || item.startsWith(`${last}/`))) return ONE_VALUE;
  return items.some(({ item }) => isWrapped(item)) ? OVER_THE_END : undefined;
}

function isWrapped(item: string): boolean {
  const [, from = '', to = ''] = /^(\w+)-(\w+)\/\d+$/.exec(item) ?? [];
  return Number(from) > Number(to);
}

function listOurs(expression: string, { zone, after, until, count }: OracleCase): readonly number[] {
  const found: number[] = [];
  let at = findNextInstant({ kind: 'cron', expression, zone }, after * 1_000);
  while (at !== undefined && at <= until * 1_000 && found.length < count) {
    found.push(at / 1_000);
    at = findNextInstant({ kind: 'cron', expression, zone }, at);
  }
  return found;
}

function explain(at: number, isOurs: boolean, expression: string, zone: string): Difference {
  const ms = at * 1_000;
  const isSecondTime = listInstants(toWallTime(ms, zone), zone)[1] === ms;
  const namesHour = !isEveryHour(expression);
  const isSkip = readOffset(ms - 1, zone) < readOffset(ms, zone);
  const isAfterSkip = readOffset(ms - 60_000, zone) < readOffset(ms, zone);
  if (isSecondTime) return namesHour && !isOurs ? DOUBLED : !namesHour && isOurs ? DOUBLED_RHYTHM : 'unexplained';
  if (isOurs) return namesHour && isSkip ? SKIPPED : 'unexplained';
  if (isAfterSkip && namesHour) return SKIPPED_SECOND;
  // Clocks show another minute than it names.
  const fits = findNextWall(expression, toWallTime(ms, zone) - 1) === toWallTime(ms, zone);
  return isAfterSkip && !fits ? SKIPPED_RHYTHM : 'unexplained';
}

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 19);
