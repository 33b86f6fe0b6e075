import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { CompactionReport } from '../../contracts/entry.ts';
import {
  beginSampleSession,
  createCallRecord,
  readCurrentSession,
  assertRefused,
  createUserEntry,
  type OpenStore,
} from './session-store-samples.ts';

/** The ledger of model calls. */
export function testLedger(open: OpenStore): void {
  test('calls come back whole, by session, by time and by id', async () => {
    await using store = await open();
    const [one, two] = [await beginSampleSession(store), await beginSampleSession(store)];
    const first = createCallRecord(one.session.id, 'm1', { at: 1000, price: 0.25, firstByteMs: 4 });
    const second = createCallRecord(one.session.id, 'm2', { at: 3000, result: 'rate_limited' });
    const third = createCallRecord(two.session.id, 'm3', { at: 2000 });
    await store.commit(one.claim, { append: [createUserEntry('x')], calls: [first, second] });
    await store.commit(two.claim, { calls: [third] });
    deepEqual(await store.calls({ sessionId: one.session.id }), [first, second]);
    deepEqual(await store.calls({ since: 2000 }), [third, second]);
    deepEqual(await store.calls({ id: 'm3' }), [third]);
    deepEqual(await store.calls({ sessionId: one.session.id, since: 2000 }), [second]);
    deepEqual(await store.calls({}), [first, third, second]);
  });

  test('calls that name the same parts again and again come back whole', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const part = (name: string, hash: string) => ({ name, hash });
    const calls = Array.from({ length: 100 }, (_, i) =>
      createCallRecord(session.id, `m${i}`, {
        at: 1000 + i,
        segments: [
          part('tools', 'a'),
          part('system', i < 50 ? 'b' : 'c'),
          ...Array.from({ length: i }, (__, n) => part(`message ${n}`, `h${n}`)),
        ],
      }),
    );
    for (const each of calls) await store.commit(claim, { calls: [each] });
    deepEqual(await store.calls({ sessionId: session.id }), calls);
    deepEqual(await store.calls({ id: 'm70' }), [calls[70]]);
    deepEqual(await store.calls({ since: 1098 }), calls.slice(98));
    await assertRefused(
      store.commit(claim, { calls: [createCallRecord(session.id, 'lost'), createCallRecord(session.id, 'm1')] }),
      'taken',
    );
    const next = createCallRecord(session.id, 'next', { at: 2000, segments: calls[99]?.segments ?? [] });
    await store.commit(claim, { calls: [next] });
    deepEqual(await store.calls({ id: 'next' }), [next]);
  });

  test('a call is entered once', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { calls: [createCallRecord(session.id, 'm1')] });
    await assertRefused(store.commit(claim, { append: [createUserEntry('x')], calls: [createCallRecord(session.id, 'm1')] }), 'taken');
    deepEqual([(await store.calls({})).length, (await store.entries(session.id)).length], [1, 0]);
  });
  runningTests(open);
  sumTests(open);
  familyTests(open);
}

/** Calls that are entered when they go out. */
function runningTests(open: OpenStore): void {
  const usage = { input: 100, output: 50, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const segments = [{ name: 'tools', hash: 'a' }];

  test('a call counts from its sending, and its end takes the place of its bound', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const sent = createCallRecord(session.id, 'm1', { usage, price: 0.5, result: 'running', segments });
    await store.commit(claim, { sent: [sent] });
    deepEqual(await store.calls({ sessionId: session.id }), [sent]);
    const { price, calls } = await store.spent(session.id);
    deepEqual([price, calls], [0.5, 1]);
    const ended = createCallRecord(session.id, 'm1', { usage: { ...usage, output: 5 }, price: 0.1, result: 'stop', segments });
    await store.commit(claim, { calls: [ended] });
    deepEqual(await store.calls({ sessionId: session.id }), [ended]);
    const after = await store.spent(session.id);
    deepEqual([after.price, after.calls, after.usage.output], [0.1, 1, 5]);
    await assertRefused(store.commit(claim, { calls: [ended] }), 'taken');
  });

  test('what a writer left running stays running until another one takes the session over from a dead process', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { sent: [createCallRecord(session.id, 'm1', { usage, result: 'running' })] });
    await store.release(claim);
    await store.claim(session.id);
    deepEqual(
      (await store.calls({})).map(({ result }) => result),
      ['running'],
    );
  });
}

/** What the ledger adds up to. */
function sumTests(open: OpenStore): void {
  test('spending adds up what is known and counts what is not', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, reasoning: 2 };
    deepEqual(await store.spent(session.id), {
      calls: 0,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      price: 0,
      unpriced: 0,
    });
    await store.commit(claim, {
      calls: [
        createCallRecord(session.id, 'm1', { usage, price: 0.5 }),
        createCallRecord(session.id, 'm2', { usage }),
        createCallRecord(session.id, 'm3', { usage, price: 0 }),
      ],
    });
    const spent = await store.spent(session.id);
    deepEqual(spent.usage, { input: 30, output: 15, cacheRead: 300, cacheWrite: 60, reasoning: 6 });
    deepEqual([spent.calls, spent.price, spent.unpriced], [3, 0.5, 1]);
    equal((await store.spent((await beginSampleSession(store)).session.id)).calls, 0);
  });

  test('reports of compactions come from all sessions, done and refused, oldest first', async () => {
    await using store = await open();
    const [one, two] = [await beginSampleSession(store), await beginSampleSession(store)];
    const report = (tokensAfter: number, outcome: CompactionReport['outcome']): CompactionReport => ({
      engine: 'e',
      reason: 'threshold',
      outcome,
      ms: 3,
      tokensBefore: 100,
      tokensAfter,
      messagesBefore: 9,
      messagesAfter: 4,
    });
    const span = { type: 'compaction', origin: 'summary', fromSeq: 1, toSeq: 1, summary: createUserEntry('notes').message } as const;
    const [done, undone] = [report(40, 'summary'), report(100, 'refused')];
    await store.commit(one.claim, { append: [createUserEntry('x'), { ...span, report: done }] });
    await store.commit(two.claim, {
      append: [
        { type: 'note', origin: 'system', text: 'no', compaction: undone },
        { type: 'note', origin: 'system', text: 'something else' },
        span,
      ],
    });
    const found = await store.compactions({});
    deepEqual(found, [
      { ...done, sessionId: one.session.id, at: found[0]?.at },
      { ...undone, sessionId: two.session.id, at: found[1]?.at },
    ]);
    const last = Math.max(...found.map(({ at }) => at));
    deepEqual(await store.compactions({ since: last + 1 }), []);
  });
}

/** A family's account: children's calls count once, and removing a session brings nothing back. */
function familyTests(open: OpenStore): void {
  test('a session has cost what its children have cost too, each call once', async () => {
    await using store = await open();
    const one = await beginSampleSession(store);
    const derived = async (sessionId: string, kind: 'child' | 'branch') => {
      const session = await store.create({ source: kind, cwd: '/w', model: 'm', provider: 'p', parent: { sessionId, kind } });
      return { session, claim: await store.claim(session.id) };
    };
    const child = await derived(one.session.id, 'child');
    const grandchild = await derived(child.session.id, 'child');
    const branch = await derived(one.session.id, 'branch');
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const paid = [one, child, grandchild, branch].map(({ session }, index) =>
      createCallRecord(session.id, `m${index}`, { usage, price: 10 ** index, at: 1000 + index }),
    );
    for (const [index, { claim }] of [one, child, grandchild, branch].entries())
      await store.commit(claim, { append: [createUserEntry('x')], calls: paid.slice(index, index + 1) });
    const prices = await Promise.all([one, child, grandchild, branch].map(async ({ session }) => (await store.spent(session.id)).price));
    deepEqual(prices, [111, 110, 100, 1000]);
    deepEqual([(await store.spent(one.session.id)).calls, (await store.spent(one.session.id)).usage.input], [3, 30]);
    deepEqual(await store.calls({ childrenOf: one.session.id }), paid.slice(1, 3));
    deepEqual(await store.calls({ childrenOf: one.session.id, since: 1002 }), paid.slice(2, 3));
    deepEqual(await store.calls({ childrenOf: grandchild.session.id }), []);
    deepEqual(await store.calls({ sessionId: one.session.id }), paid.slice(0, 1), 'its own calls are its own');
    deepEqual(await store.calls({}), paid, 'over all sessions every call is there once');
  });

  test('what a removed session has cost stays spent: for its parent where it had one, and in the sum of all', async () => {
    await using store = await open();
    const parts = [{ name: 'system', hash: 'h1' }];
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const held = async (sessionId?: string) => {
      const parent = sessionId === undefined ? {} : { parent: { sessionId, kind: 'child' } as const };
      const session = await store.create({ source: 'cli', cwd: '/w', model: 'm', provider: 'p', ...parent });
      const claim = await store.claim(session.id);
      const paid = [1, 2].map((at) =>
        createCallRecord(session.id, `${session.id}-${at}`, { usage, price: 1, at, segments: parts, bodyHash: 'b' }),
      );
      for (const each of paid) await store.commit(claim, { append: [createUserEntry('x')], calls: [each] });
      await store.release(claim);
      return session.id;
    };
    const one = await held();
    const child = await held(one);
    const grandchild = await held(child);
    const before = await store.spent(one);
    equal(before.price, 6);
    await store.remove(child);
    deepEqual(await store.spent(one), before, 'a budget that is spent is not whole again');
    deepEqual(
      (await store.calls({ sessionId: one })).map(({ sessionId, purpose }) => [sessionId, purpose]),
      [undefined, 'tool', undefined, 'tool'].map((purpose) => [one, purpose]),
    );
    equal((await readCurrentSession(store, grandchild)).parent?.sessionId, one);
    equal((await store.calls({ childrenOf: one })).length, 2);
    await store.remove(one);
    const all = await store.calls({});
    deepEqual([all.length, all.reduce((sum, { price = 0 }) => sum + price, 0)], [6, 6]);
    const gone = all.filter(({ sessionId }) => sessionId === one);
    deepEqual(
      gone.map(({ segments, bodyHash }) => [segments, bodyHash]),
      Array.from({ length: 4 }, () => [[], '']),
      'figures, and no trace of words',
    );
    deepEqual(await store.calls({ sessionId: one }), []);
    equal((await store.spent(await held())).price, 2, 'a new session begins with nothing');
    await store.care?.repair();
    equal((await store.calls({})).length, 8);
  });
}
