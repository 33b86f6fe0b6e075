import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEntry } from '../../contracts/entry.ts';
import { createTextBlock } from '../../contracts/message.ts';
import {
  createAnswerEntry,
  beginSampleSession,
  createCallRecord,
  readCurrentSession,
  createPrepareState,
  assertRefused,
  createUserEntry,
  type OpenStore,
} from './session-store-samples.ts';

const REPORT = {
  engine: 'e',
  reason: 'threshold',
  outcome: 'refused',
  ms: 3,
  tokensBefore: 9,
  tokensAfter: 9,
  messagesBefore: 1,
  messagesAfter: 1,
} as const;
const LOG: readonly NewEntry[] = [
  createUserEntry('one'),
  { ...createAnswerEntry('two'), id: 'e_two' },
  { type: 'outcome', origin: 'system', outcome: 'answered', exitReason: 'answered', messageId: 'e_two' },
  { type: 'rewind', origin: 'user', toSeq: 0 },
  { type: 'note', origin: 'system', text: 'refused', compaction: REPORT },
  createUserEntry('after the border'),
];

/** Copies of a log up to a position. */
export function testBranches(open: OpenStore): void {
  test('a branch holds the same entries under the same ids and positions, and nothing of what came later', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store, { source: 'tui', platform: 'cli', title: 'Parsers' });
    await store.commit(claim, {
      turnId: 't1',
      append: LOG,
      turn: createPrepareState(session.id, 't1'),
      calls: [createCallRecord(session.id, 'm1', { price: 1 })],
    });
    await store.post({ sessionId: session.id, content: [createTextBlock('waits', 'owner')], mode: 'queue' });
    const branch = await store.branch(session.id, { throughSeq: 5 });
    const { source, platform, cwd, model, provider } = session;
    deepEqual(branch, {
      source,
      platform,
      cwd,
      model,
      provider,
      id: branch.id,
      parent: { sessionId: session.id, kind: 'branch' },
      title: 'Parsers #2',
      titleBy: 'derived',
      startedAt: branch.startedAt,
      updatedAt: branch.startedAt,
      messages: 2,
      unfinished: false,
      copiedSeq: 5,
    });
    deepEqual(
      await store.entries(branch.id),
      (await store.entries(session.id)).slice(0, 5).map((entry) => ({ ...entry, sessionId: branch.id })),
    );
    deepEqual(
      [await store.turn(branch.id), await store.inbox(branch.id), await store.calls({ sessionId: branch.id })],
      [undefined, [], []],
    );
    deepEqual([(await store.spent(branch.id)).price, (await store.spent(session.id)).price], [0, 1]);
    equal((await store.compactions({})).length, 1, 'a copied report counts once');
    deepEqual((await store.care?.check()) ?? [], []);
  });

  test('a branch and its parent go on apart, and survive each other', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('shared words')] });
    const branch = await store.branch(session.id, { throughSeq: 1, title: 'Another way' });
    deepEqual([branch.title, branch.titleBy], ['Another way', 'user']);
    const own = await store.claim(branch.id);
    await store.commit(own, { append: [createUserEntry('only in the branch')] });
    await store.commit(claim, { append: [createUserEntry('only in the parent')] });
    const found = async (words: string) =>
      (await store.search({ text: words })).map(({ sessionId, seq }) => `${sessionId} ${seq}`).toSorted();
    deepEqual(await found('shared'), [`${session.id} 1`, `${branch.id} 1`].toSorted());
    deepEqual([await found('"the branch"'), await found('"the parent"')], [[`${branch.id} 2`], [`${session.id} 2`]]);
    const again = await store.branch(branch.id, { throughSeq: 2 });
    deepEqual([again.copiedSeq, again.parent?.sessionId], [2, branch.id]);
    await store.release(claim);
    await store.remove(session.id);
    deepEqual([(await store.entries(branch.id)).length, (await readCurrentSession(store, branch.id)).parent], [2, undefined]);
    await store.care?.repair();
    deepEqual((await readCurrentSession(store, again.id)).messages, 2);
  });

  test('a position the log does not have, and a title that is taken, leave nothing behind', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('one')] });
    await store.retitle(session.id, 'Mine', 'user');
    for (const throughSeq of [-1, 0, 2, 0.5]) await assertRefused(store.branch(session.id, { throughSeq }), 'missing');
    await assertRefused(store.branch('no-such-session', { throughSeq: 1 }), 'missing');
    await assertRefused(store.branch(session.id, { throughSeq: 1, title: 'Mine' }), 'taken');
    equal((await store.list()).length, 1);
  });
}
