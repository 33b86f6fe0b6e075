import { deepEqual, equal } from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, createUserEntry, SESSION } from '../../../src/testing/conformance/session-store-samples.ts';
import { DEAD, freshPath } from './places.ts';

const ids = async (store: SessionStore, limit?: number): Promise<string[]> =>
  (await store.list(limit === undefined ? {} : { limit })).map(({ id }) => id);

test('sessions of a dead process that never got an entry are not listed, and repair removes them', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const used = await beginSampleSession(store);
  await store.commit(used.claim, { append: [createUserEntry('kept')] });
  await using dead = await openSqliteStore({ path, holder: DEAD });
  const [made, claimed, posted] = [await dead.create(SESSION), await beginSampleSession(dead), await dead.create(SESSION)];
  await dead.post({ sessionId: posted.id, content: [createTextBlock('still to be answered', 'owner')], mode: 'queue' });
  const fresh = await store.create(SESSION);
  deepEqual((await ids(store)).toSorted(), [used.session.id, posted.id, fresh.id].toSorted(), 'what lives or waits is listed');
  equal((await store.find(made.id)).length, 1, 'named by its id it is found');
  const { problems, sessions } = await store.care.repair();
  deepEqual([problems, sessions], [['Removed 2 empty sessions.'], 3]);
  deepEqual([await store.find(made.id), await store.find(claimed.session.id)], [[], []]);
  await store.commit(await store.claim(fresh.id), { append: [createUserEntry('the maker goes on')] });
  deepEqual((await store.care.repair()).problems, []);
});

test('the newest used session is found behind any number of unused ones', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('the one')] });
  await using dead = await openSqliteStore({ path, holder: DEAD, now: () => Date.now() + 60_000 });
  for (let made = 0; made < 5; made++) await dead.create(SESSION);
  deepEqual(await ids(store, 1), [session.id]);
});

test('a maker that has not claimed yet is in nobody’s way, and one on another host lives as long as its lease', async () => {
  const path = freshPath();
  let now = 1_000_000;
  await using store = await openSqliteStore({ path, now: () => now });
  await using far = await openSqliteStore({ path, now: () => now, holder: { ...DEAD, host: `not-${hostname()}` } });
  const { id } = await far.create(SESSION);
  deepEqual(await ids(store), [id]);
  now += 60_000;
  deepEqual(await ids(store), []);
  const second = await far.create(SESSION);
  equal((await store.claim(second.id)).token, 1);
});
