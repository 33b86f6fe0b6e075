import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSchedule, spellDuration, formatInstant } from '../../../src/faces/cron/schedule/describe.ts';
import { findNextInstant } from '../../../src/faces/cron/schedule/instants.ts';
import { SCHEDULE_FORMS } from '../../../src/faces/cron/schedule/forms.ts';
import { parseSchedule, splitSchedule } from '../../../src/faces/cron/schedule/parse.ts';

const zone = 'Europe/Paris';
const now = Date.parse('2026-11-18T10:00:00Z');
const read = (text: string) => parseSchedule(text, { now, zone });

/** What is written, how it is read, and when it comes first. */
const FORMS: readonly (readonly [string, string, string])[] = [
  ['30m', 'once, Wed 2026-11-18 11:30 Europe/Paris', '2026-11-18T10:30'],
  ['in 30m', 'once, Wed 2026-11-18 11:30 Europe/Paris', '2026-11-18T10:30'],
  ['in an hour', 'once, Wed 2026-11-18 12:00 Europe/Paris', '2026-11-18T11:00'],
  ['2 hours', 'once, Wed 2026-11-18 13:00 Europe/Paris', '2026-11-18T12:00'],
  ['1h 30m', 'once, Wed 2026-11-18 12:30 Europe/Paris', '2026-11-18T11:30'],
  ['in 1d', 'once, Thu 2026-11-19 11:00 Europe/Paris', '2026-11-19T10:00'],
  ['every 30m', 'every 30 minutes', '2026-11-18T10:30'],
  ['every 2h', 'every 2 hours', '2026-11-18T12:00'],
  ['every hour', 'every 1 hour', '2026-11-18T11:00'],
  ['hourly', 'every 1 hour', '2026-11-18T11:00'],
  ['every 90 minutes', 'every 1 hour 30 minutes', '2026-11-18T11:30'],
  ['every day', 'every 1 day', '2026-11-19T10:00'],
  ['0 9 * * *', '0 9 * * * (Europe/Paris)', '2026-11-19T08:00'],
  ['0 9 * * mon-fri', '0 9 * * MON-FRI (Europe/Paris)', '2026-11-19T08:00'],
  ['0 0 1 jan *', '0 0 1 JAN * (Europe/Paris)', '2026-12-31T23:00'],
  ['0 9 * * * 30', '0 9 * * * 30 (Europe/Paris)', '2026-11-19T08:00:30'],
  ['5/15 * * * *', '5/15 * * * * (Europe/Paris)', '2026-11-18T10:05'],
  ['0 22-2 * * *', '0 22-2 * * * (Europe/Paris)', '2026-11-18T21:00'],
  ['0 0 * * fri-mon', '0 0 * * FRI-MON (Europe/Paris)', '2026-11-19T23:00'],
  ['@daily', '0 0 * * * (Europe/Paris)', '2026-11-18T23:00'],
  ['weekdays at 9am', '0 9 * * 1-5 (Europe/Paris)', '2026-11-19T08:00'],
  ['every weekday at 9:30 am', '30 9 * * 1-5 (Europe/Paris)', '2026-11-19T08:30'],
  ['Weekends at noon', '0 12 * * 0,6 (Europe/Paris)', '2026-11-21T11:00'],
  ['daily at 7am', '0 7 * * * (Europe/Paris)', '2026-11-19T06:00'],
  ['every day at 14:05', '5 14 * * * (Europe/Paris)', '2026-11-18T13:05'],
  ['every monday 9am', '0 9 * * 1 (Europe/Paris)', '2026-11-23T08:00'],
  ['mondays at midnight', '0 0 * * 1 (Europe/Paris)', '2026-11-22T23:00'],
  ['monday, wednesday at 9pm', '0 21 * * 1,3 (Europe/Paris)', '2026-11-18T20:00'],
  ['tue and thu at 9', '0 9 * * 2,4 (Europe/Paris)', '2026-11-19T08:00'],
  ['2027-02-03T14:00:00', 'once, Wed 2027-02-03 14:00 Europe/Paris', '2027-02-03T13:00'],
  ['2027-02-03 14:00', 'once, Wed 2027-02-03 14:00 Europe/Paris', '2027-02-03T13:00'],
  ['2027-02-03T14:00:00Z', 'once, Wed 2027-02-03 15:00 Europe/Paris', '2027-02-03T14:00'],
  ['2027-02-03T14:00:00-05:00', 'once, Wed 2027-02-03 20:00 Europe/Paris', '2027-02-03T19:00'],
  ['2027-02-03T14:00:05+0100', 'once, Wed 2027-02-03 14:00:05 Europe/Paris', '2027-02-03T13:00:05'],
  // Clocks skip this hour, and show the other one twice.
  ['2027-03-28T02:30', 'once, Sun 2027-03-28 03:00 Europe/Paris', '2027-03-28T01:00'],
  ['2027-10-31T02:30', 'once, Sun 2027-10-31 02:30 Europe/Paris', '2027-10-31T00:30'],
];

for (const [text, described, first] of FORMS)
  test(`"${text}" is ${described}`, () => {
    const result = read(text);
    assert.ok(result.ok, result.ok ? '' : result.why);
    const at = findNextInstant(result.schedule, now);
    assert.deepEqual([describeSchedule(result.schedule, zone), at], [described, Date.parse(`${first}Z`)]);
  });

/** What is written, and what it is answered with. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /needs a schedule/],
  ['soon', /"soon" is no schedule\. Write 30m/],
  ['every 10s', /once a minute/],
  ['every 0m', /once a minute/],
  ['0m', /at least one minute/],
  ['every monday', /does not say at what time/],
  ['weekdays at 25:00', /"25:00" is no time of the day/],
  ['monday at 13pm', /no time of the day/],
  ['60 * * * *', /"60 \* \* \* \*" is no cron expression: "60" is no minute: it goes from 0 to 59/],
  ['0 9 * * 8', /"8" is no day of the week: it goes from 0 to 6, or SUN to SAT/],
  ['*/0 * * * *', /has no step that can be counted/],
  ['1-2-3 * * * *', /is no range/],
  ['* * * * * * *', /this has 7/],
  ['0 0 30 2 *', /never comes/],
  ['0 9 * * someday', /is no cron expression/],
  ['@sometimes', /there is no @sometimes/],
  ['2026-11-18T10:59', /in the past/],
  ['2027-02-31', /there is no day 2027-2-31/],
  ['2027-02-03T25:00', /there is no time/],
  ['in a while', /"in a while" is no schedule/],
  ['99999999999999999999m', /is no length of time/],
];
for (const [text, why] of REFUSED)
  test(`"${text}" is refused`, () => {
    const result = read(text);
    assert.ok(!result.ok);
    assert.match(result.why, why);
  });

test('moments and lengths of time are written as people read them', () => {
  assert.equal(formatInstant(now, 'Asia/Kathmandu'), 'Wed 2026-11-18 15:45 Asia/Kathmandu');
  assert.deepEqual([0, 59_000, 3_600_000, 90_061_000].map(spellDuration), ['0 seconds', '59 seconds', '1 hour', '1 day 1 hour']);
});

test('what is left over is named, with the form that is nearest', () => {
  const why = (text: string) => {
    const result = read(text);
    return result.ok ? describeSchedule(result.schedule, zone) : result.why;
  };
  assert.match(why('daily at 9am sharp'), /"daily at 9am" is, but "sharp" is left over/);
  assert.match(why('daily at 9am and check the mail'), /"daily at 9am" is, but "and check the mail" is left over.*job for each part/);
  assert.match(why('twice a day'), /Name the times, such as "daily at 9am and 5pm"/);
  assert.match(why('every month'), /name a day, such as "on the 1st of the month at 9am"/);
  assert.match(why('weekdays at 9am PST'), /"PST" does not name one zone\. Write a place, such as America\/Los_Angeles/);
  assert.match(why('on monday at 9am'), /once or every week/);
  assert.match(why('next friday at 9am'), /2026-11-20 or 2026-11-27/);
  assert.match(why('* * * * * *'), /once a minute.*write "\* \* \* \* \*"/);
  assert.match(why('0 0 9 * * *'), /if you wrote the second first, "0 9 \* \* \*"/);
});

/** A line, where its schedule ends, and the prompt. */
const LINES: readonly (readonly [string, string, string])[] = [
  ['every 2h check the mail', 'every 2h', 'check the mail'],
  ['weekdays at 9am say good morning', 'weekdays at 9am', 'say good morning'],
  ['weekdays at 9am UTC say good morning', 'weekdays at 9am UTC', 'say good morning'],
  ['daily at 9am and 5pm  check\nthe  mail', 'daily at 9am and 5pm', 'check\nthe  mail'],
  ['0 9 * * 1-5 plan the day', '0 9 * * 1-5', 'plan the day'],
  ['30m call back', '30m', 'call back'],
  ['tomorrow at 9am call back', 'tomorrow at 9am', 'call back'],
  ['in 2 hours call back', 'in 2 hours', 'call back'],
  ['every 10 minutes on weekdays look at the queue', 'every 10 minutes on weekdays', 'look at the queue'],
  ['daily summarize', 'daily', 'summarize'],
];
for (const [line, said, prompt] of LINES)
  test(`the line "${line}" is split behind its schedule`, () => {
    assert.deepEqual(splitSchedule(line, { now, zone }), { ok: true, said, prompt });
  });

/** Lines of which no job may come: the words behind the schedule could belong to it. */
const UNCLEAR_LINES = [
  'daily at 9am and tell me',
  'daily at 9am except holidays read the mail',
  'weekdays at 9am until friday read the mail',
  'every 2h at noon tell me',
  'every 2h 5 news',
  '30m 2 eggs',
  'every 2h starting tomorrow read the mail',
  'daily at 9am sharp read the mail',
  'daily at 9am, read the mail',
  '0 9 * * 1-5 30 60 read the mail',
  'every 2 hours from 9am read the mail',
  'weekdays at 9am PST read the mail',
  'every monday read the mail',
  'monday at 9am on the first of the month read the mail',
  'read the mail every day',
];
for (const line of UNCLEAR_LINES)
  test(`the line "${line}" is refused`, () => {
    const split = splitSchedule(line, { now, zone });
    assert.ok(!split.ok, JSON.stringify(split));
    assert.match(split.why, /quotes|does not say|is no schedule/);
  });

test('every form of the page is read', () => {
  for (const { examples } of SCHEDULE_FORMS)
    for (const example of examples) assert.ok(read(example).ok, `${example}: ${JSON.stringify(read(example))}`);
});
