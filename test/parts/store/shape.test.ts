import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { INDEX_TABLES } from '../../../src/parts/store/sqlite/search/catch-up.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import {
  beginSampleSession,
  createCallRecord,
  assertRefused,
  createUserEntry,
} from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

/** Two closed sessions with two entries each, all of it in the index. */
async function filled(path: string): Promise<void> {
  await using store = await openSqliteStore({ path, durability: 'process' });
  for (const words of ['needle one', 'needle two']) {
    const { session, claim } = await beginSampleSession(store, { title: `About ${words}` });
    await store.commit(claim, {
      append: [createUserEntry(words), createUserEntry('more')],
      calls: [createCallRecord(session.id, `c_${words}`)],
    });
  }
  await store.search({ text: 'needle' });
}

function harm(path: string, sql: string): void {
  const raw = new DatabaseSync(path, { defensive: false });
  raw.exec(sql);
  raw.close();
}

const hits = async (store: SessionStore): Promise<string[]> =>
  (await store.search({ text: 'needle' })).map(({ entryId, role }) => `${role} ${entryId}`);

for (const table of INDEX_TABLES) {
  test(`without its table ${table} the index is named by check and made anew by search, with a notice`, async () => {
    const path = freshPath();
    await filled(path);
    const notices: string[] = [];
    await using store = await openSqliteStore({ path, notice: (words) => notices.push(words) });
    const before = await hits(store);
    const [renamed] = await store.list({ limit: 1 });
    await store.retitle(renamed?.id ?? '', 'Another name', 'user');
    harm(path, `DROP TABLE ${table}`);
    deepEqual(await store.care.check(), [`The table ${table} is missing.`]);
    const gone = before.filter((hit) => hit.startsWith('title'))[0];
    deepEqual([before.length, await hits(store)], [4, before.filter((hit) => hit !== gone)]);
    deepEqual(notices, [`The search index was incomplete and was rebuilt. The table ${table} is missing.`]);
    deepEqual(await store.care.check(), []);
  });
}

test('tending makes a missing part of the index anew, a bounded amount at a time', async () => {
  const path = freshPath();
  await filled(path);
  await using store = await openSqliteStore({ path });
  const { claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('something new')] });
  harm(path, 'DROP TABLE vocabulary');
  while (await store.care.tend());
  deepEqual(await store.care.check(), []);
  equal((await hits(store)).length, 4);
});

test('a table of the index of another shape is made anew too', async () => {
  const path = freshPath();
  await filled(path);
  await using store = await openSqliteStore({ path });
  harm(path, 'ALTER TABLE vocabulary DROP COLUMN texts');
  deepEqual(await store.care.check(), ['The column vocabulary.texts is missing.']);
  equal((await hits(store)).length, 4);
  deepEqual(await store.care.check(), []);
});

test('repair makes missing tables of the index anew and says so', async () => {
  const path = freshPath();
  await filled(path);
  await using store = await openSqliteStore({ path });
  harm(path, 'DROP TABLE retitled; DROP TABLE word_parts');
  const { problems, sessions, entries } = await store.care.repair();
  deepEqual(problems.toSorted(), ['The table retitled is missing.', 'The table word_parts is missing.']);
  deepEqual([sessions, entries, (await hits(store)).length, await store.care.check()], [2, 4, 4, []]);
});

/** What is harmed, what check says of it, a use that meets it, and the entries that are left after repair. */
const LOG: readonly (readonly [string, string, (store: SessionStore) => Promise<unknown>, number])[] = [
  ['ALTER TABLE sessions DROP COLUMN exit_reason', 'The column sessions.exit_reason is missing.', (store) => store.list(), 4],
  ['ALTER TABLE entries DROP COLUMN sum', 'The column entries.sum is missing.', firstEntries, 4],
  ['ALTER TABLE calls DROP COLUMN kept', 'The column calls.kept is missing.', (store) => store.calls({}), 4],
  ['DROP TABLE calls', 'The table calls is missing.', (store) => store.calls({}), 4],
  ['DROP TABLE facts', 'The table facts is missing.', (store) => store.learn('a', 'b'), 4],
  ['DROP TABLE texts_config', 'The table texts_config is missing.', (store) => store.search({ text: 'needle' }), 4],
];

async function firstEntries(store: SessionStore): Promise<unknown> {
  const [session] = await store.list();
  return store.entries(session?.id ?? '');
}

for (const [sql, finding, use, left] of LOG) {
  test(`${sql}: named by check, refused with the way out, repaired`, async () => {
    const path = freshPath();
    await filled(path);
    harm(path, sql);
    await using store = await openSqliteStore({ path });
    deepEqual(await store.care.check(), [finding]);
    await assertRefused(use(store), 'corrupt');
    match(await use(store).then(String, String), /hermes sessions repair/u);
    const report = await store.care.repair();
    ok(report.problems.includes(finding), report.problems.join('\n'));
    deepEqual([report.sessions, report.entries, (await hits(store)).length], [2, left, 4]);
    deepEqual(await store.care.check(), []);
    await use(store);
  });
}
