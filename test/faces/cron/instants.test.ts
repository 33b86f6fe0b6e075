import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobPass, JobSchedule, MisfirePolicy } from '../../../src/contracts/job-store.ts';
import { collectPast, findNextInstant } from '../../../src/faces/cron/schedule/instants.ts';
import { graceOf, listEarlier, planPass } from '../../../src/faces/cron/schedule/misfire.ts';
import { createDefinition } from '../../../src/testing/conformance/job-store-samples.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const cron = (expression: string, zone: string): JobSchedule => ({ kind: 'cron', expression, zone });
const list = (schedule: JobSchedule, after: number, count: number): string[] => {
  const found: number[] = [];
  for (let next = findNextInstant(schedule, after); next !== undefined && found.length < count; next = findNextInstant(schedule, next))
    found.push(next);
  return found.map((instant) => new Date(instant).toISOString().slice(0, 16));
};

/** Zone, expression, after when, and what comes. */
const CHANGES: readonly (readonly [string, string, string, readonly string[]])[] = [
  // 02:00 becomes 03:00 on 29 March: 01:00 UTC.
  ['Europe/Paris', '30 2 * * *', '2026-03-28T12:00', ['2026-03-29T01:00', '2026-03-30T00:30']],
  ['Europe/Paris', '15,30,45 2 * * *', '2026-03-28T12:00', ['2026-03-29T01:00', '2026-03-30T00:15', '2026-03-30T00:30']],
  ['Europe/Paris', '30 2,3 * * *', '2026-03-28T12:00', ['2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:30']],
  ['Europe/Paris', '0 2-4 * * *', '2026-03-28T12:00', ['2026-03-29T01:00', '2026-03-29T02:00', '2026-03-30T00:00']],
  ['Europe/Paris', '30 * * * *', '2026-03-29T00:00', ['2026-03-29T00:30', '2026-03-29T01:30', '2026-03-29T02:30']],
  // 03:00 becomes 02:00 on 25 October, at 01:00 UTC.
  ['Europe/Paris', '30 2 * * *', '2026-10-24T12:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
  ['Europe/Paris', '0,30 1-3 * * *', '2026-10-25T00:15', ['2026-10-25T00:30', '2026-10-25T02:00', '2026-10-25T02:30', '2026-10-26T00:00']],
  ['Europe/Paris', '30 2 * * *', '2026-10-25T01:10', ['2026-10-26T01:30']],
  ['Europe/Paris', '30 * * * *', '2026-10-24T23:40', ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30']],
  ['Europe/Paris', '*/20 * * * *', '2026-10-25T00:30', ['2026-10-25T00:40', '2026-10-25T01:00', '2026-10-25T01:20', '2026-10-25T01:40']],
  ['Europe/Paris', '59 * 25 10 *', '2026-10-25T00:59', ['2026-10-25T01:59', '2026-10-25T02:59']],
  // Half an hour, a midnight that does not exist, and a day that does not.
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T00:00', ['2026-10-03T15:30', '2026-10-04T15:15']],
  ['America/Havana', '0 0 * * *', '2027-03-13T12:00', ['2027-03-14T05:00', '2027-03-15T04:00']],
  ['Pacific/Apia', '0 9 * * *', '2011-12-29T12:00', ['2011-12-29T19:00', '2011-12-30T10:00', '2011-12-30T19:00']],
  // The last day, the last Friday and the first Monday of a month; days of the month and of the week together mean either.
  ['UTC', '0 9 L * *', '2026-11-18T00:00', ['2026-11-30T09:00', '2026-12-31T09:00', '2027-01-31T09:00', '2027-02-28T09:00']],
  ['UTC', '0 9 * * 5L', '2026-11-18T00:00', ['2026-11-27T09:00', '2026-12-25T09:00']],
  ['UTC', '0 9 * * MON#1', '2026-11-18T00:00', ['2026-12-07T09:00', '2027-01-04T09:00']],
  ['UTC', '0 9 1 * MON', '2026-02-20T00:00', ['2026-02-23T09:00', '2026-03-01T09:00', '2026-03-02T09:00']],
  ['UTC', '0 0 * * 5-7', '2026-11-18T00:00', ['2026-11-20T00:00', '2026-11-21T00:00', '2026-11-22T00:00', '2026-11-27T00:00']],
  ['Asia/Kolkata', '0 9 29 2 *', '2026-01-01T00:00', ['2028-02-29T03:30', '2032-02-29T03:30']],
];
for (const [zone, words, after, wanted] of CHANGES)
  test(`${words} in ${zone} after ${after}`, () => assert.deepEqual(list(cron(words, zone), at(after), wanted.length), wanted));

test('a rhythm follows the time that passes, from the moment it was made', () => {
  const schedule: JobSchedule = { kind: 'every', ms: 45 * 60_000, from: at('2026-10-25T00:10') };
  assert.deepEqual(list(schedule, at('2026-10-25T00:10'), 3), ['2026-10-25T00:55', '2026-10-25T01:40', '2026-10-25T02:25']);
  // The clock was set back: it keeps its rhythm and does not wait for the day it was made on.
  assert.deepEqual(list(schedule, at('2026-10-20T00:00'), 2), ['2026-10-20T00:10', '2026-10-20T00:55']);
});

test('the latest of many instants is found, and how many came before it, however many there are', () => {
  const first = at('2026-11-18T10:00');
  const minutes = cron('* * * * *', 'Europe/Paris');
  assert.deepEqual(collectPast(minutes, first, first + 59_000), { latest: first });
  const three = { latest: first + 120_000, earlier: { from: first, through: first + 60_000, count: 2 } };
  assert.deepEqual(collectPast(minutes, first, first + 121_000), three);
  const year = 365 * 86_400_000;
  const many = { from: first, through: first + year - 60_000, count: 1_000, isMore: true };
  assert.deepEqual(collectPast(minutes, first, first + year), { latest: first + year, earlier: many });
  assert.deepEqual(collectPast({ kind: 'once', at: first }, first, first + year), { latest: first });
  const atTheBound = { from: first, through: first + 999 * 60_000, count: 1_000 };
  assert.deepEqual(collectPast(minutes, first, first + 1_000 * 60_000), { latest: first + 1_000 * 60_000, earlier: atTheBound });
});

const NOON = at('2026-11-18T12:00');
const jobOf = (schedule: JobSchedule, nextAt: number, more: Partial<Job['definition']> = {}, runs = 0): Job => ({
  id: 'j',
  version: 4,
  state: 'scheduled',
  definition: createDefinition('j', { schedule, ...more }),
  createdAt: 0,
  nextAt,
  runs,
  failures: 0,
});
const pass = (from: number, rest: Partial<JobPass>): JobPass => ({ jobId: 'j', version: 4, from, ...rest });
const hourly = cron('0 * * * *', 'UTC');
const HOUR = 3_600_000;

/** What happened, the job, now, the policy, and how it goes on. */
const PASSES: readonly (readonly [string, Job, number, MisfirePolicy, JobPass | undefined])[] = [
  ['not yet', jobOf(hourly, NOON), NOON - 1, 'run_once', undefined],
  ['in time', jobOf(hourly, NOON), NOON + 5, 'skip', pass(NOON, { run: NOON, next: NOON + HOUR })],
  ['late within half its period', jobOf(hourly, NOON), NOON + HOUR / 2, 'skip', pass(NOON, { run: NOON, next: NOON + HOUR })],
  [
    'too late, and left out',
    jobOf(hourly, NOON),
    NOON + HOUR / 2 + 1,
    'skip',
    pass(NOON, { next: NOON + HOUR, missed: { from: NOON, through: NOON, count: 1 } }),
  ],
  ['too late, and made up for', jobOf(hourly, NOON), NOON + HOUR - 1, 'run_once', pass(NOON, { run: NOON, next: NOON + HOUR })],
  [
    'three missed: one run makes up for all',
    jobOf(hourly, NOON - 3 * HOUR),
    NOON + HOUR - 1,
    'run_once',
    pass(NOON - 3 * HOUR, { run: NOON, next: NOON + HOUR, missed: { from: NOON - 3 * HOUR, through: NOON - HOUR, count: 3 } }),
  ],
  [
    'three missed and the latest in time',
    jobOf(hourly, NOON - 3 * HOUR),
    NOON + 1,
    'skip',
    pass(NOON - 3 * HOUR, { run: NOON, next: NOON + HOUR, missed: { from: NOON - 3 * HOUR, through: NOON - HOUR, count: 3 } }),
  ],
  [
    'four missed and left out',
    jobOf(hourly, NOON - 3 * HOUR),
    NOON + HOUR - 1,
    'skip',
    pass(NOON - 3 * HOUR, { next: NOON + HOUR, missed: { from: NOON - 3 * HOUR, through: NOON, count: 4 } }),
  ],
  [
    'its own policy wins',
    jobOf(hourly, NOON, { misfire: 'run_once' }),
    NOON + HOUR - 1,
    'skip',
    pass(NOON, { run: NOON, next: NOON + HOUR }),
  ],
  ['its last repetition', jobOf(hourly, NOON, { repeat: 3 }, 2), NOON, 'skip', pass(NOON, { run: NOON })],
  [
    'a repetition that is left out does not count',
    jobOf(hourly, NOON, { repeat: 3 }, 2),
    NOON + HOUR - 1,
    'skip',
    pass(NOON, { next: NOON + HOUR, missed: { from: NOON, through: NOON, count: 1 } }),
  ],
  ['once', jobOf({ kind: 'once', at: NOON }, NOON), NOON + 9 * HOUR, 'run_once', pass(NOON, { run: NOON })],
  [
    'once, too late',
    jobOf({ kind: 'once', at: NOON }, NOON),
    NOON + 120_001,
    'skip',
    pass(NOON, { missed: { from: NOON, through: NOON, count: 1 } }),
  ],
];
for (const [name, job, now, policy, wanted] of PASSES) test(name, () => assert.deepEqual(planPass(job, now, policy), wanted));

test('how late is too late: half the period, at least two minutes, at most two hours', () => {
  const grace = (words: string) => graceOf(cron(words, 'UTC'), NOON) / 60_000;
  assert.deepEqual([grace('* * * * *'), grace('*/10 * * * *'), grace('0 12 * * *')], [2, 5, 120]);
});

test('after the clock was set back a job could wait for every instant until the one it waits for', () => {
  assert.deepEqual([...listEarlier(jobOf(hourly, NOON), NOON - 3 * HOUR)], [NOON - 2 * HOUR, NOON - HOUR]);
  assert.deepEqual([...listEarlier(jobOf(hourly, NOON), NOON - 1)], []);
  assert.equal([...listEarlier(jobOf(hourly, NOON + 9_000 * HOUR), NOON)].length, 1_000);
});
