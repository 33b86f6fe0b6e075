import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { withRecentLog } from '../../../src/parts/store/recent-log.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { testSessionStoreConformance } from '../../../src/testing/conformance/session-store.ts';
import { beginSampleSession, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

const open = async (path = freshPath()): Promise<SessionStore> =>
  withRecentLog(await openSqliteStore({ path, durability: 'process' }), () => 0);
testSessionStoreConformance('SQLite with the log that was read last', () => open());

test('a log that was just read is read again only behind its end, and whole once that is called for', async () => {
  const plain = await openSqliteStore({ path: freshPath() });
  const reads: number[] = [];
  const counting: SessionStore = {
    ...plain,
    entries: async (id, afterSeq = 0) => {
      reads.push(afterSeq);
      return plain.entries(id, afterSeq);
    },
  };
  let generation = 1;
  await using store = withRecentLog(counting, () => generation);
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('one'), createUserEntry('two')] });
  const first = await store.entries(session.id);
  equal(await store.entries(session.id), first);
  await store.commit(claim, { append: [createUserEntry('three')] });
  deepEqual(
    (await store.entries(session.id)).map(({ seq }) => seq),
    [1, 2, 3],
  );
  generation = 2;
  await store.entries(session.id);
  deepEqual(reads, [0, 2, 2, 0]);
  await store.release(claim);
  await store.remove(session.id);
  deepEqual(await store.entries(session.id), []);
});

test('the logs of sessions that are at work at once are all known, within bounds', async () => {
  const plain = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const reads: (readonly [string, number])[] = [];
  const counting: SessionStore = {
    ...plain,
    entries: async (id, afterSeq = 0) => {
      reads.push([id, afterSeq]);
      return plain.entries(id, afterSeq);
    },
  };
  await using store = withRecentLog(counting, () => 0);
  const ids: string[] = [];
  for (const count of [2, 3, 4_996, 3]) {
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: Array.from({ length: count }, (_, index) => createUserEntry(`word ${index}`)) });
    ids.push(session.id);
  }
  const [one = '', two = '', long = '', last = ''] = ids;
  for (const id of [one, two, one, long, one, last, long]) await store.entries(id);
  deepEqual(reads, [
    [one, 0],
    [two, 0],
    [one, 2],
    [long, 0],
    // The long one left room for what was read just before.
    [one, 2],
    [last, 0],
    [long, 0],
  ]);
});
