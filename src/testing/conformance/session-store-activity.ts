import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageEntry, NewEntry } from '../../contracts/entry.ts';
import { QUARTER_HOUR } from '../../contracts/ledger.ts';
import { NO_USAGE } from '../../contracts/message.ts';
import type { ExitReason } from '../../contracts/outcome.ts';
import {
  beginSampleSession,
  createCallRecord,
  createToolResultEntry,
  createUserEntry,
  RUNTIME,
  type OpenStore,
} from './session-store-samples.ts';

const USAGE = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, reasoning: 2 };
const DAY = 86_400_000;

const createOutcomeEntry = (exitReason: ExitReason): NewEntry => ({ type: 'outcome', origin: 'system', outcome: 'answered', exitReason });
const createRunEntry = (failed: boolean, ran: Pick<MessageEntry, 'tool' | 'ms'> = {}): NewEntry => {
  const entry = createToolResultEntry('done');
  if (entry.type !== 'message' || entry.message.role !== 'tool') throw new Error('a tool result is a message');
  return { ...entry, message: { ...entry.message, failed }, ...ran };
};

/** What happened, counted over all sessions. */
export function testActivity(open: OpenStore): void {
  testCountedCalls(open);
  testCountedEntries(open);
}

function testCountedCalls(open: OpenStore): void {
  test('calls are counted by quarter hour, model, purpose and result, each once', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const call = (id: string, at: number, more: Parameters<typeof createCallRecord>[2] = {}) =>
      createCallRecord(session.id, id, { at, usage: USAGE, ...more });
    await store.commit(claim, {
      calls: [
        call('m1', DAY, { price: 0.5 }),
        call('m2', DAY + QUARTER_HOUR - 1, { usageEstimated: true }),
        call('m3', DAY + QUARTER_HOUR, { price: 0, purpose: 'title' }),
        call('m4', DAY + QUARTER_HOUR, { result: 'rate_limited', usage: NO_USAGE, runtime: { ...RUNTIME, model: 'other' } }),
        call('before', DAY - 1),
      ],
    });
    const twice = { input: 20, output: 10, cacheRead: 200, cacheWrite: 40, reasoning: 4 };
    const one = { provider: 'some-provider', model: 'some-model', estimated: 0, ms: 20, calls: 1, unpriced: 0, price: 0 };
    const { calls } = await store.activity({ since: DAY });
    deepEqual(
      calls,
      [
        { ...one, at: DAY, result: 'stop', calls: 2, estimated: 1, ms: 40, usage: twice, price: 0.5, unpriced: 1 },
        { ...one, at: DAY + QUARTER_HOUR, model: 'other', result: 'rate_limited', usage: NO_USAGE, unpriced: 1 },
        { ...one, at: DAY + QUARTER_HOUR, purpose: 'title', result: 'stop', usage: USAGE },
      ].toSorted((a, b) => a.at - b.at || (a.model < b.model ? -1 : 1)),
    );
    equal(
      (await store.activity({})).calls.reduce((sum, each) => sum + each.calls, 0),
      5,
    );
  });
}

function testCountedEntries(open: OpenStore): void {
  test('tools are counted by what was meant, with what failed and how long they ran', async () => {
    await using store = await open();
    const { claim } = await beginSampleSession(store);
    await store.commit(claim, {
      append: [
        createUserEntry('x'),
        createRunEntry(false, { tool: 'mcp__notes__find', ms: 30 }),
        createRunEntry(true, { tool: 'mcp__notes__find', ms: 12 }),
        createRunEntry(false),
      ],
    });
    deepEqual((await store.activity({})).tools, [
      { name: 'mcp__notes__find', calls: 2, failed: 1, timed: 2, ms: 42 },
      { name: 'read_file', calls: 1, failed: 0, timed: 0, ms: 0 },
    ]);
    deepEqual((await store.activity({ since: Date.now() + DAY })).tools, []);
  });

  test('turns are counted by why they ended, sessions by who opened them; an empty session is none', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await beginSampleSession(store, { source: 'cron' });
    await store.commit(claim, { append: [createUserEntry('x'), createOutcomeEntry('answered')] });
    await store.commit(claim, { append: [createOutcomeEntry('turn_limit'), createOutcomeEntry('answered')] });
    const { turns, sessions } = await store.activity({});
    const sums = Object.groupBy(turns, ({ exitReason }) => exitReason);
    deepEqual(
      Object.entries(sums).map(([reason, rows]) => [reason, rows.reduce((sum, row) => sum + row.turns, 0)]),
      [
        ['answered', 2],
        ['turn_limit', 1],
      ],
    );
    deepEqual(sessions, [{ at: Math.floor(session.startedAt / QUARTER_HOUR) * QUARTER_HOUR, source: 'cli', sessions: 1 }]);
    equal(
      turns.every(({ at }) => at % QUARTER_HOUR === 0),
      true,
    );
  });

  test('what a branch copied counts once, what it did itself counts, and what is removed is gone', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, {
      append: [createUserEntry('x'), createRunEntry(false, { tool: 'look', ms: 1 }), createOutcomeEntry('answered')],
      calls: [createCallRecord(session.id, 'm1')],
    });
    const branch = await store.branch(session.id, { throughSeq: 3 });
    const own = await store.claim(branch.id);
    await store.commit(own, { append: [createRunEntry(true, { tool: 'look', ms: 4 }), createOutcomeEntry('answered')] });
    const count = async () => {
      const { tools, turns, calls } = await store.activity({});
      return [tools, turns.reduce((sum, row) => sum + row.turns, 0), calls.length];
    };
    deepEqual(await count(), [[{ name: 'look', calls: 2, failed: 1, timed: 2, ms: 5 }], 2, 1]);
    await store.release(claim);
    await store.remove(session.id);
    deepEqual(await count(), [[{ name: 'look', calls: 1, failed: 1, timed: 1, ms: 4 }], 1, 1]);
  });
}
