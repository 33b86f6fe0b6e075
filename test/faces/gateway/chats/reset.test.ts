import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { findExpiry, flushDue, isExpired, selectResetPolicy, type ResetPolicy } from '../../../../src/faces/gateway/chats/reset.ts';
import { readTimeZone } from '../../../../src/faces/gateway/accounts/time-zone.ts';
import { resetSettings } from '../../../../src/faces/gateway/settings.ts';
import { forAll } from '../../../../src/testing/seeded-random.ts';

const BOTH: ResetPolicy = { mode: 'both', atHour: 4, idleMinutes: 1_440 };
const DAILY: ResetPolicy = { ...BOTH, mode: 'daily' };
const at = (text: string): number => Date.parse(text);
const expiry = (used: string, policy: ResetPolicy, zone: string): string => new Date(findExpiry(at(used), policy, zone)).toISOString();

/** Last use, zone, policy, and when it is over. */
const TABLE: readonly (readonly [string, string, Partial<ResetPolicy>, string])[] = [
  ['2026-11-16T12:00:00Z', 'UTC', {}, '2026-11-17T04:00:00.000Z'],
  ['2026-11-16T03:59:59Z', 'UTC', {}, '2026-11-16T04:00:00.000Z'],
  ['2026-11-16T04:00:00Z', 'UTC', {}, '2026-11-17T04:00:00.000Z'],
  ['2026-11-16T12:00:00Z', 'UTC', { mode: 'idle' }, '2026-11-17T12:00:00.000Z'],
  ['2026-11-16T12:00:00Z', 'UTC', { idleMinutes: 30 }, '2026-11-16T12:30:00.000Z'],
  ['2026-11-16T12:00:00Z', 'Asia/Tokyo', {}, '2026-11-16T19:00:00.000Z'],
  ['2026-11-16T12:00:00Z', 'Asia/Kathmandu', {}, '2026-11-16T22:15:00.000Z'],
  ['2026-11-16T20:00:00Z', 'Pacific/Kiritimati', {}, '2026-11-17T14:00:00.000Z'],
  // Clocks go forward on 14 March 2027 in New York: the day has 23 hours, and 02:00 is not one of them.
  ['2027-03-13T20:00:00Z', 'America/New_York', {}, '2027-03-14T08:00:00.000Z'],
  ['2027-03-13T20:00:00Z', 'America/New_York', { atHour: 2 }, '2027-03-14T07:00:00.000Z'],
  ['2027-03-14T07:00:00Z', 'America/New_York', { atHour: 2 }, '2027-03-15T06:00:00.000Z'],
  // They go back on 1 November 2026: 01:00 comes twice, and the first counts.
  ['2026-10-31T20:00:00Z', 'America/New_York', { atHour: 1 }, '2026-11-01T05:00:00.000Z'],
  ['2026-11-01T05:00:00Z', 'America/New_York', { atHour: 1, mode: 'daily' }, '2026-11-02T06:00:00.000Z'],
  ['2026-10-31T20:00:00Z', 'America/New_York', {}, '2026-11-01T09:00:00.000Z'],
  // A jump at midnight, and one of half an hour.
  ['2027-03-13T20:00:00Z', 'America/Havana', { atHour: 0 }, '2027-03-14T05:00:00.000Z'],
  ['2026-10-03T10:00:00Z', 'Australia/Lord_Howe', { atHour: 2 }, '2026-10-03T15:30:00.000Z'],
];
for (const [used, zone, policy, over] of TABLE)
  test(`used ${used} in ${zone} with ${JSON.stringify(policy)}: over ${over}`, () => {
    const full = { ...BOTH, ...policy };
    assert.equal(expiry(used, full, zone), over);
    assert.deepEqual(
      [-1, 0].map((off) => isExpired(at(used), at(over) + off, full, zone)),
      [false, true],
    );
  });

test('without a reset nothing is over, and nothing is to be flushed', () => {
  const none: ResetPolicy = { ...BOTH, mode: 'none' };
  assert.equal(findExpiry(0, none, 'UTC'), Infinity);
  assert.equal(isExpired(0, at('2030-01-01'), none, 'UTC'), false);
  assert.equal(flushDue({ lastUsedAt: 0 }, at('2030-01-01'), none, 'UTC'), false);
});

test('in any zone a day ends 23 to 25 hours after the one before, when clocks show the hour', () =>
  forAll(400, (chance) => {
    const zone = chance.pick(['Europe/Paris', 'America/New_York', 'America/Santiago', 'Australia/Sydney', 'Asia/Kolkata', 'Africa/Cairo']);
    const policy = { ...DAILY, atHour: chance.int(0, 23) };
    const first = findExpiry(at('2026-01-01') + chance.int(0, 730 * 86_400) * 1_000 + chance.int(0, 999), policy, zone);
    const second = findExpiry(first, policy, zone);
    const hours = (second - first) / 3_600_000;
    assert.ok(hours >= 22 && hours <= 26, `${zone} ${new Date(first).toISOString()}: ${hours}`);
    const shown = Number(new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(first));
    assert.ok(shown === policy.atHour || shown === (policy.atHour + 1) % 24, `${zone} ${new Date(first).toISOString()} shows ${shown}`);
  }));

test('what is worth remembering is written down shortly before the end, once', () => {
  const used = at('2026-11-16T12:00:00Z');
  const due = (now: string, flushedAt?: number) =>
    flushDue({ lastUsedAt: used, ...(flushedAt !== undefined && { flushedAt }) }, at(now), BOTH, 'UTC');
  assert.deepEqual(
    {
      early: due('2026-11-17T03:44:59Z'),
      before: due('2026-11-17T03:45:00Z'),
      late: due('2026-11-18T00:00:00Z'),
      again: due('2026-11-17T03:50:00Z', at('2026-11-17T03:45:00Z')),
      afterAnotherUse: due('2026-11-17T03:50:00Z', used - 1),
    },
    { early: false, before: true, late: true, again: false, afterAnotherUse: true },
  );
  const short: ResetPolicy = { mode: 'idle', atHour: 4, idleMinutes: 8 };
  assert.deepEqual(
    [5, 6].map((minutes) => flushDue({ lastUsedAt: used }, used + minutes * 60_000, short)),
    [false, true],
  );
});

test('a policy for a platform wins over one for a type of chat, and that over the rest; what is wrong is left out', () => {
  const settings = {
    ...collectDefaults(resetSettings),
    reset_by_platform: { slack: { idle_minutes: 60 }, discord: { mode: 'often', at_hour: 24 }, sms: 'never' },
    reset_by_type: { group: { mode: 'idle', idle_minutes: 30 }, dm: { at_hour: 6 } },
  };
  assert.deepEqual(
    {
      slackGroup: selectResetPolicy(settings, 'slack', 'group'),
      telegramGroup: selectResetPolicy(settings, 'telegram', 'group'),
      telegramPrivate: selectResetPolicy(settings, 'telegram', 'private'),
      discord: selectResetPolicy(settings, 'discord', 'channel'),
      sms: selectResetPolicy(settings, 'sms', 'channel'),
    },
    {
      slackGroup: { mode: 'idle', atHour: 4, idleMinutes: 60 },
      telegramGroup: { mode: 'idle', atHour: 4, idleMinutes: 30 },
      telegramPrivate: { mode: 'both', atHour: 6, idleMinutes: 1_440 },
      discord: BOTH,
      sms: BOTH,
    },
  );
});

test('a time zone that is not known is told, and the machine’s counts', () => {
  assert.deepEqual(
    ['', 'Europe/Paris', 'Mars/Olympus'].map((timezone) => readTimeZone({ timezone })),
    [
      {},
      { zone: 'Europe/Paris' },
      {
        problem:
          'timezone: there is no time zone Mars/Olympus. Write one such as Europe/Paris; until then the time of this machine counts.',
      },
    ],
  );
});
