import { deepEqual, equal, match, ok } from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import { createTextBlock, type Message } from '../../../src/contracts/message.ts';
import { openDb } from '../../../src/parts/store/sqlite/database/db.ts';
import { listSalvagedTables } from '../../../src/parts/store/sqlite/salvage-tables.ts';
import { repairSalvagedLog } from '../../../src/parts/store/sqlite/salvage-repair.ts';
import { openSqliteStore, repairSqliteStore, createSqliteStore, type SqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import {
  beginSampleSession,
  createCallRecord,
  assertRefused,
  createUserEntry,
  SESSION,
} from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

/** A closed store with some sessions of long texts, and what was in it. */
async function filled(path: string, sessions = 8): Promise<Map<string, readonly Entry[]>> {
  await using store = await openSqliteStore({ path, durability: 'process' });
  const content = new Map<string, readonly Entry[]>();
  for (let s = 0; s < sessions; s++) {
    const { session, claim } = await beginSampleSession(store);
    for (let i = 0; i < 20; i++) await store.commit(claim, { append: [createUserEntry(`needle ${s} ${i} ${'hay '.repeat(700)}`)] });
    content.set(session.id, await store.entries(session.id));
  }
  await store.search({ text: 'needle' });
  return content;
}

function overwrite(path: string, from: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

/** What is there is as it was; what is not is a note in the same place. Gives how many entries survived. */
async function assertRepaired(store: SqliteStore, content: ReadonlyMap<string, readonly Entry[]>): Promise<number> {
  let survived = 0;
  deepEqual(await store.care.check(), []);
  for (const session of await store.list()) {
    const entries = await store.entries(session.id);
    const before =
      content.get(session.id) ?? [...content.values()].find((each) => each.some((entry) => entries.some((now) => now.id === entry.id)));
    for (const [index, entry] of entries.entries()) {
      equal(entry.seq, index + 1);
      if (entry.type === 'note') continue;
      deepEqual({ ...entry, sessionId: '' }, { ...before?.[index], sessionId: '' });
      survived++;
    }
  }
  equal((await store.search({ text: 'needle', limit: 10_000 })).length, survived);
  return survived;
}

const DAMAGES: readonly (readonly [string, (path: string, size: number) => void])[] = [
  ['garbage in the middle', (path, size) => overwrite(path, Math.floor(size / 2), 20_000)],
  ['garbage near the start', (path) => overwrite(path, 4096 * 3, 5000)],
  ['garbage in many places', (path, size) => Array.from({ length: 10 }, (_, i) => overwrite(path, Math.floor((size * (i + 1)) / 12), 300))],
  ['an end that is missing', (path, size) => truncateSync(path, Math.floor(size * 0.6))],
];

test('a file with a broken header is repaired, and nothing but the header was lost', async () => {
  for (const [from, length] of [
    [0, 16],
    [0, 100],
    [16, 8],
  ] as const) {
    const path = freshPath();
    const content = await filled(path, 3);
    overwrite(path, from, length);
    const report = await repairSqliteStore({ path });
    deepEqual([report.sessions, report.entries, report.lost], [3, 60, []]);
    await using store = await openSqliteStore({ path });
    equal(await assertRepaired(store, content), 60);
    ok(!readdirSync(dirname(path)).some((name) => name.includes('.header')));
  }
});

/** Pages of the list of tables, besides the first. */
function schemaPages(path: string): { readonly pages: readonly number[]; readonly size: number } {
  const file = readFileSync(path);
  const size = file.readUInt16BE(16);
  // An interior page: after its head of 12 bytes the places of its cells, each of which begins with the number of a page; the last is in the head.
  equal(file[100], 5);
  const cells = Array.from({ length: file.readUInt16BE(103) }, (_, index) => file.readUInt32BE(file.readUInt16BE(112 + 2 * index)));
  return { pages: [...cells, file.readUInt32BE(108)], size };
}

test('one damaged page of the list of tables costs nothing of the log', async () => {
  const path = freshPath();
  const content = await filled(path, 3);
  const sound = readFileSync(path);
  const { pages, size } = schemaPages(path);
  ok(pages.length > 1);
  for (const page of [1, ...pages]) {
    writeFileSync(path, sound);
    // Of the first page all but the header.
    overwrite(path, page === 1 ? 100 : (page - 1) * size, page === 1 ? size - 100 : size);
    await assertNoticed(path);
    const report = await repairSqliteStore({ path });
    deepEqual([report.sessions, report.entries, report.lost], [3, 60, []], `page ${page}`);
    await using store = await openSqliteStore({ path });
    equal(await assertRepaired(store, content), 60);
    ok(!readdirSync(dirname(path)).some((name) => name.includes('.schema')));
  }
});

test('what was written last, in the log beside the file, survives a damaged list of tables too', async () => {
  const path = freshPath();
  await filled(path, 1);
  const store = await openSqliteStore({ path });
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('the last words')] });
  const copy = freshPath();
  mkdirSync(dirname(copy), { recursive: true });
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
  await store[Symbol.asyncDispose]();
  const { pages, size } = schemaPages(copy);
  overwrite(copy, ((pages[0] ?? 0) - 1) * size, size);
  const report = await repairSqliteStore({ path: copy });
  deepEqual([report.sessions, report.lost], [2, []]);
  await using saved = await openSqliteStore({ path: copy });
  match(JSON.stringify(await saved.entries(session.id)), /the last words/u);
});

test('a repair says whether something of the log was lost', async () => {
  const path = freshPath();
  await filled(path);
  deepEqual((await repairSqliteStore({ path })).lost, []);
  overwrite(path, Math.floor(statSync(path).size / 2), 20_000);
  ok((await repairSqliteStore({ path })).lost.length > 0);
});

for (const [what, damage] of DAMAGES) {
  test(`a file with ${what} is noticed and repaired; what can be read is saved`, async () => {
    const path = freshPath();
    const content = await filled(path);
    damage(path, statSync(path).size);
    await assertNoticed(path);
    const report = await repairSqliteStore({ path });
    ok(report.problems.length > 0);
    ok(
      readdirSync(dirname(path)).some((name) => name.startsWith('state.db.corrupt-')),
      'the damaged file is kept',
    );
    await using store = await openSqliteStore({ path });
    ok((await assertRepaired(store, content)) > 30, report.problems.join('\n'));
    await beginSampleSession(store);
  });
}

/** Damage shows as `corrupt`, when opening, reading or checking; never as something else. */
async function assertNoticed(path: string): Promise<void> {
  try {
    await using store = await openSqliteStore({ path });
    const findings = await store.care.check();
    ok(findings.length > 0);
  } catch (error) {
    await assertRefused(Promise.reject(error), 'corrupt');
    match(String(error), /hermes sessions repair/u);
  }
}

test('a file that is no database is refused in words and put aside by repair', async () => {
  const path = freshPath();
  await filled(path, 1);
  writeFileSync(path, 'this was a store once '.repeat(1000));
  await assertRefused(openSqliteStore({ path }), 'corrupt');
  const report = await repairSqliteStore({ path });
  deepEqual([report.sessions, report.entries], [0, 0]);
  match(report.problems.join(' '), /Nothing could be read.*kept as/u);
  await using store = await openSqliteStore({ path });
  await beginSampleSession(store);
});

test('a running store mends itself and goes on', async () => {
  const path = freshPath();
  const content = await filled(path);
  await using store = await openSqliteStore({ path });
  await using other = await openSqliteStore({ path });
  equal((await other.list()).length, 8);
  overwrite(path, Math.floor(statSync(path).size / 2), 20_000);
  ok((await store.care.repair()).problems.length > 0);
  ok((await assertRepaired(store, content)) > 100);
  const { session, claim } = await beginSampleSession(other);
  await other.commit(claim, { append: [createUserEntry('into the new file')] });
  equal((await store.entries(session.id)).length, 1);
});

const views = async (store: SessionStore) => [await store.list(), await store.search({ text: 'needle', limit: 100 })];

test('derived tables that lie are found and made anew', async () => {
  const path = freshPath();
  await filled(path, 2);
  await using store = await openSqliteStore({ path });
  const before = await views(store);
  const raw = new DatabaseSync(path, { defensive: false });
  raw.exec(
    `UPDATE sessions SET messages = 99, last_seq = 7; DELETE FROM texts_data WHERE id > 10; DELETE FROM vocabulary; DELETE FROM meta`,
  );
  raw.close();
  match((await store.care.check()).join('\n'), /search index is damaged[^]*counters of 2 sessions/u);
  const report = await store.care.repair();
  ok(report.problems.length > 0);
  deepEqual(await store.care.check(), []);
  deepEqual(await views(store), before);
});

test('a salvage drops what hangs on a session without a trace, not what removed sessions have cost', async () => {
  const path = freshPath();
  await filled(path, 1);
  const db = await openDb({ path });
  await using store = createSqliteStore(db, {});
  for (const id of ['removed', 'lost']) {
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { calls: [createCallRecord(session.id, id, { price: 1 })] });
    await store.release(claim);
    if (id === 'removed') await store.remove(session.id);
  }
  db.run("UPDATE calls SET session = 99 WHERE id = 'lost'");
  repairSalvagedLog(db, 1);
  deepEqual(
    (await store.calls({})).map(({ id }) => id),
    ['removed'],
  );
});

test('a full disk refuses the commit, keeps what was committed and takes the next one', async () => {
  const path = freshPath();
  await filled(path, 1);
  const db = await openDb({ path });
  await using store = createSqliteStore(db, {});
  const { session, claim } = await beginSampleSession(store);
  const [kept] = await store.commit(claim, { append: [createUserEntry('before it was full')] });
  const { page_count: pages = 0 } = db.get<{ page_count: number }>('PRAGMA page_count') ?? {};
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  await assertRefused(store.commit(claim, { append: [createUserEntry('small'), createUserEntry('large '.repeat(20_000))] }), 'full');
  deepEqual(await store.entries(session.id), [kept]);
  db.exec('PRAGMA max_page_count = 1000000');
  const [next] = await store.commit(claim, { append: [createUserEntry('after room was made')] });
  equal(next?.seq, 2);
  deepEqual(await store.care.check(), []);
});

test('a store that is gone is not written to', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const { claim } = await beginSampleSession(store);
  const { rmSync } = await import('node:fs');
  rmSync(path);
  await assertRefused(store.commit(claim, { append: [createUserEntry('into the void')] }), 'io');
  ok(!existsSync(path));
});

test('a folder that cannot be made is told', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  await store.create(SESSION);
  await assertRefused(openSqliteStore({ path: `${path}/inside/state.db` }), 'io');
});

/** A row for each table besides the log, made by the types of its columns alone; gives all rows of all of them. */
function fillEveryTable(path: string): void {
  const raw = new DatabaseSync(path);
  for (const { name, columns, json } of tablesOf(raw).filter(({ name: table }) => !['sessions', 'entries'].includes(table)))
    for (let n = 1; n <= 2; n++) {
      const values = columns.map((column) => {
        if (column.name === json) return JSON.stringify({ n });
        if (column.name === 'session' && column.pk === 0) return 1;
        if (column.name === 'lease') return 1;
        return column.type === 'TEXT' ? `${column.name} ${n}` : n;
      });
      raw.prepare(`INSERT OR REPLACE INTO ${name} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
    }
  raw.close();
}
const tablesOf = (raw: DatabaseSync) =>
  listSalvagedTables({ all: (sql: string, ...values: string[]) => raw.prepare(sql).all(...values) } as unknown as Parameters<
    typeof listSalvagedTables
  >[0]);
function readEveryTable(path: string): Record<string, unknown> {
  const raw = new DatabaseSync(path);
  const rows = tablesOf(raw).map(({ name }): [string, unknown] => [name, raw.prepare(`SELECT * FROM ${name}`).all()]);
  raw.close();
  return Object.fromEntries(rows);
}

test('with its first page gone, every table of a store is saved', async () => {
  for (const from of [0, 100]) {
    const path = freshPath();
    await filled(path, 2);
    fillEveryTable(path);
    await repairSqliteStore({ path });
    const before = readEveryTable(path);
    ok(Object.values(before).every((rows) => Array.isArray(rows) && rows.length > 0));
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4096 - from), 0, 4096 - from, from);
    closeSync(file);
    deepEqual((await repairSqliteStore({ path })).lost, []);
    deepEqual(readEveryTable(path), before);
  }
});

/** The first page of a table's tree. */
function rootOf(path: string, table: string): number {
  const raw = new DatabaseSync(path);
  const root = Number(raw.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.['rootpage']);
  raw.close();
  return root;
}

test('a table besides the log that cannot be saved is named as lost', async () => {
  for (const table of ['jobs', 'routes', 'questions', 'grants', 'runs', 'facts']) {
    const path = freshPath();
    await filled(path, 1);
    fillEveryTable(path);
    const root = rootOf(path, table);
    overwrite(path, (root - 1) * 4096, 4096);
    const { lost } = await repairSqliteStore({ path });
    ok(
      lost.some((line) => line.startsWith(`${table}:`)),
      `${table}: ${lost.join(' ')}`,
    );
    deepEqual((await repairSqliteStore({ path })).lost, [], 'told once');
  }
});

const call = (id: string) => ({ type: 'tool_call', id, name: 'terminal', input: {}, trust: 'model' }) as const;
const resultOf = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: 'terminal',
  failed: false,
  content: [createTextBlock('done', 'tool')],
});
const DIALOG: readonly Message[] = [
  { role: 'user', content: [createTextBlock('two things', 'owner')] },
  { role: 'assistant', content: [call('a'), call('b')] },
  resultOf('a'),
  resultOf('b'),
  { role: 'assistant', content: [createTextBlock('both done', 'model')] },
];

/** Every call has exactly one result, right after it, and every result its call. */
function assertValid(entries: readonly Entry[]): void {
  let open: string[] = [];
  for (const entry of entries) {
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'tool') {
      ok(open.includes(message.callId), `a result without its call: ${message.callId}`);
      open = open.filter((id) => id !== message.callId);
    } else {
      deepEqual(open, [], 'calls without a result');
      open = message.role === 'assistant' ? message.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])) : [];
    }
  }
  deepEqual(open, [], 'calls without a result at the end');
}

test('whatever entries of a session are lost, each is named, its place is filled and the next request is valid', async () => {
  for (const gone of [[1], [2], [3], [4], [5], [3, 4], [4, 5], [3, 4, 5], [2, 3], [2, 3, 4, 5]]) {
    const path = freshPath();
    let id = '';
    {
      await using store = await openSqliteStore({ path });
      const { session, claim } = await beginSampleSession(store);
      id = session.id;
      await store.commit(claim, { append: DIALOG.map((message) => ({ type: 'message', origin: 'user', message })) });
    }
    const raw = new DatabaseSync(path);
    for (const seq of gone) raw.prepare('DELETE FROM entries WHERE seq = ?').run(seq);
    raw.close();
    {
      await using store = await openSqliteStore({ path });
      match((await store.care.check()).join(' '), /Entries are missing in 1 session/u);
    }
    const { lost } = await repairSqliteStore({ path });
    match(lost.join(' '), new RegExp(`lost ${gone.length} of 5 entries: ${gone.join(', ')}`, 'u'));
    await using store = await openSqliteStore({ path });
    const entries = await store.entries(id);
    deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
    );
    ok(entries.length >= 5);
    assertValid(entries);
    deepEqual(await store.care.check(), []);
  }
});
