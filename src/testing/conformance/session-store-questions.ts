import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { NewQuestion } from '../../contracts/question-store.ts';
import { beginSampleSession, type OpenStore, type StoreConformanceOptions } from './session-store-samples.ts';

const AGE = 60_000;
const questionOf = (id: string, summary: string, sessionId = 's1'): NewQuestion => ({
  id,
  act: `${sessionId} ${summary}`,
  action: { tool: 'terminal', summary, reason: 'it deletes', sessionId },
});

/** Questions to the owner and what was allowed. */
export function testQuestions(open: OpenStore, { again }: StoreConformanceOptions): void {
  test('a question waits from the moment it is asked until it is answered where it was asked', async () => {
    await using store = await open();
    const { questions } = store;
    await questions.begin(questionOf('q1', 'rm x'));
    await questions.begin(questionOf('q1', 'something else'));
    await questions.begin(questionOf('q2', 'rm y'));
    await questions.end('q2');
    const [row, ...more] = await questions.list(AGE);
    deepEqual([row?.id, row?.state, row?.action, more], ['q1', 'open', questionOf('q1', 'rm x').action, []]);
  });

  test('the same act is the same question, and what was denied stays denied', async () => {
    await using store = await open();
    const { questions } = store;
    const kept = await questions.keep(questionOf('q1', 'rm x'), AGE);
    deepEqual((await questions.keep(questionOf('q2', 'rm x'), AGE)).id, kept.id);
    equal((await questions.decide('q1', 'denied', AGE))?.state, 'denied');
    equal(await questions.decide('q1', 'allowed', AGE), undefined);
    deepEqual((await questions.keep(questionOf('q3', 'rm x'), AGE)).state, 'denied');
    equal((await questions.keep(questionOf('q4', 'rm x', 's2'), AGE)).id, 'q4');
  });

  test('a consent is used once, by whoever comes first', async () => {
    await using store = await open();
    const { questions } = store;
    const others = again === undefined ? [] : [await again(store), await again(store)];
    await questions.keep(questionOf('q1', 'rm x'), AGE);
    equal(await questions.use('s1 rm x', AGE), undefined);
    const allowed = await questions.decide('q1', 'allowed', AGE);
    equal(typeof allowed?.decidedAt, 'number');
    equal(await questions.use('s1 rm y', AGE), undefined);
    const used = await Promise.all([store, ...others, store].map((each) => each.questions.use('s1 rm x', AGE)));
    deepEqual(
      used.flatMap((row) => row ?? []),
      [{ ...allowed, state: 'used' }],
    );
    for (const other of others) await other[Symbol.asyncDispose]();
  });

  test('what is too old can be neither answered nor used', async () => {
    await using store = await open();
    const { questions } = store;
    await questions.adopt([
      { ...questionOf('old', 'rm x'), at: 1, state: 'allowed', decidedAt: 2 },
      { ...questionOf('older', 'rm y'), at: 1, state: 'open' },
    ]);
    const late = [await questions.use('s1 rm x', AGE), await questions.decide('older', 'allowed', AGE), await questions.list(AGE)];
    deepEqual(late, [undefined, undefined, []]);
    equal((await questions.keep(questionOf('new', 'rm y'), AGE)).id, 'new');
  });

  test('what is allowed holds for its session or its turn, until the session ends or goes', async () => {
    await using store = await open();
    const { questions } = store;
    const { session, claim } = await beginSampleSession(store);
    const sessionId = session.id;
    const [wide, narrow] = [
      { type: 'class', name: 'privilege' },
      { type: 'line', hash: 'abc' },
    ];
    await questions.grant({ sessionId }, [wide]);
    await questions.grant({ sessionId }, [wide]);
    await questions.grant({ sessionId, turnId: 't1' }, [narrow]);
    deepEqual(
      [
        await questions.granted({ sessionId, turnId: 't1' }),
        await questions.granted({ sessionId, turnId: 't2' }),
        await questions.granted({ sessionId: 'another', turnId: 't1' }),
      ],
      [[wide, narrow], [wide], []],
    );
    await store.commit(claim, { end: 'reset' });
    deepEqual(await questions.granted({ sessionId, turnId: 't1' }), []);
    await questions.grant({ sessionId }, [wide]);
    await questions.keep(questionOf('q1', 'rm x', sessionId), AGE);
    await store.release(claim);
    await store.remove(sessionId);
    deepEqual([await questions.granted({ sessionId }), await questions.list(AGE)], [[], []]);
  });
}
