import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { freshPath } from './places.ts';

test('tending forgets the empty facts that earlier versions left of sent events, and no other', async () => {
  await using store = await openSqliteStore({ path: freshPath() });
  const facts = { 'hook-event:evt_1': '', 'hook-event:evt_2': '{"id":"evt_2"}', 'hook-events': '', 'hook-trust:notes': '' };
  for (const [key, value] of Object.entries(facts)) await store.learn(key, value);
  while (await store.care.tend());
  const left = await Promise.all(Object.keys(facts).map((key) => store.fact(key)));
  deepEqual(left, [undefined, '{"id":"evt_2"}', '', '']);
});
