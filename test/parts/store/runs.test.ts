import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { SESSION } from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

const DAY = 86_400_000;

async function addRun(store: SqliteStore, more: { readonly isBrief?: true } = {}): Promise<string> {
  const place = { type: 'new', owner: 'main', session: { ...SESSION, source: 'api_server' }, facts: {} } as const;
  const item = { content: [createTextBlock('hi', 'owner')] };
  const begun = await store.runs.begin({ owner: 'main', kind: 'chat', request: {}, place, item, maxOpen: 99, ...more });
  return begun.type === 'begun' ? begun.run.id : '';
}
const end = (store: SqliteStore, runId: string) =>
  store.runs.append([
    {
      runId,
      events: [{ type: 'run.completed', data: {} }],
      end: { state: 'completed', result: {}, seq: 1, prefixes: [`prefix of ${runId}`] },
    },
  ]);

test('what runs told goes after a day, they themselves and what conversations are known by after a month, and what is open stays', async () => {
  let now = 1_000 * DAY;
  await using store = await openSqliteStore({ path: freshPath(), durability: 'process', now: () => now });
  const [old, brief, open] = [await addRun(store), await addRun(store, { isBrief: true }), await addRun(store)];
  for (const id of [old, brief]) await end(store, id);
  await store.runs.append([{ runId: open, events: [{ type: 'message.delta', data: { delta: 'a' } }] }]);
  const left = async (ms: number) => {
    now += ms;
    while (await store.care.tend());
    const runs = await Promise.all([old, brief, open].map(async (id) => (await store.runs.find(id)) !== undefined));
    const events = await Promise.all([old, brief, open].map(async (id) => (await store.runs.events(id, 0, 9)).length));
    return { runs, events, isKnown: (await store.runs.findPrefix('main', [`prefix of ${old}`])) !== undefined };
  };
  assert.deepEqual(await left(1_000), { runs: [true, true, true], events: [1, 1, 1], isKnown: true });
  assert.deepEqual(await left(300_000), { runs: [true, false, true], events: [1, 0, 1], isKnown: true });
  assert.deepEqual(await left(DAY), { runs: [true, false, true], events: [0, 0, 1], isKnown: true });
  assert.deepEqual(await left(30 * DAY), { runs: [false, false, true], events: [0, 0, 1], isKnown: false });
});
