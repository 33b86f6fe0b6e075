import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { log } from '../../../src/parts/store/sqlite/migrations/001-log.ts';
import { search } from '../../../src/parts/store/sqlite/migrations/002-search.ts';
import { MIGRATIONS } from '../../../src/parts/store/sqlite/migrations/all.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { computeChecksum } from '../../../src/parts/store/sqlite/sum.ts';
import { beginSampleSession, assertRefused, createUserEntry, SESSION } from '../../../src/testing/conformance/session-store-samples.ts';
import { writePythonStore } from '../../fixtures/homes/python-store.ts';
import { freshPath } from './places.ts';

test('only the owner can read the files', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  await store.create(SESSION);
  for (const end of ['', '-wal', '-shm']) equal(statSync(path + end).mode & 0o777, 0o600, `state.db${end}`);
  await store.care.backup(`${path}.copy`);
  equal(statSync(`${path}.copy`).mode & 0o777, 0o600);
});

test('a store made by a newer program is left alone', async () => {
  const path = freshPath();
  await (await openSqliteStore({ path }))[Symbol.asyncDispose]();
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA user_version = 99');
  raw.close();
  await assertRefused(openSqliteStore({ path }), 'newer');
});

test('a database of another program is left alone, and told as such', async () => {
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  writePythonStore(path);
  const before = readFileSync(path);
  await assertRefused(openSqliteStore({ path }), 'foreign');
  ok(before.equals(readFileSync(path)));
});

const OLD = {
  seq: 1,
  id: 'e_1',
  turn_id: null,
  at: 2,
  origin: 'user',
  body: JSON.stringify({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'ancient words', trust: 'owner' }] } }),
};

test('an old store is copied, then brought to the newest version with all it holds', async () => {
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; ${log.sql} PRAGMA user_version = 1;
    INSERT INTO sessions (id, source, cwd, model, provider, title, title_by, started_at, updated_at, last_seq, messages)
      VALUES ('20250101_000000_abcdef', 'cli', '/', 'm', 'p', 'From the old days', 'user', 1, 2, 1, 1);
    INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (1, 1, 'e_1', 2, 'user', 'message', ${computeChecksum(OLD)}, '${OLD.body}')`);
  old.close();
  await using store = await openSqliteStore({ path });
  deepEqual((await store.entries('20250101_000000_abcdef')).length, 1);
  equal((await store.search({ text: 'ancient' })).length, 1);
  equal((await store.search({ text: 'old days' })).length, 1);
  deepEqual(await store.care.check(), []);
  const [now, then] = [path, `${path}.version-1`].map(
    (file) => new DatabaseSync(file).prepare('PRAGMA user_version').get()?.['user_version'],
  );
  deepEqual([now, then], [MIGRATIONS.at(-1)?.version, 1]);
});

test('a store of version 2 keeps its waiting texts as words of the owner, its cut-off turn, its claims and where it was held', async () => {
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  const texts = ['plain', '"quoted" \\ \n', 'nul \0 inside', '😀 中文', ''];
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; ${log.sql} ${search.sql} PRAGMA user_version = 2;
    INSERT INTO sessions (id, source, cwd, model, provider, started_at, updated_at) VALUES ('20250101_000000_abcdef', 'cli', '/', 'm', 'p', 1, 2);
    INSERT INTO claims (session, token, host, pid, started, lease) VALUES (1, 7, 'elsewhere', 1, 'x', 0);
    INSERT INTO turns (session, phase, state) VALUES (1, 'sample', '{"phase":"sample"}')`);
  const post = old.prepare('INSERT INTO inbox (session, id, key, mode, at, fate, text) VALUES (1, ?, ?, ?, ?, ?, ?)');
  for (const [index, words] of texts.entries()) post.run(`i_${index}`, `k${index}`, 'queue', index, index === 0 ? 'turn' : null, words);
  old.close();
  await using store = await openSqliteStore({ path });
  const [session] = await store.list();
  deepEqual([session?.source, session?.platform, session?.unfinished], ['cli', 'cli', true]);
  deepEqual(
    await store.inbox(session?.id ?? ''),
    texts.map((words, index) => ({
      id: `i_${index}`,
      sessionId: session?.id,
      mode: 'queue',
      key: `k${index}`,
      at: index,
      content: [createTextBlock(words, 'owner')],
      ...(index === 0 && { fate: 'turn' }),
    })),
  );
  equal((await store.waiting(session?.id ?? '')).length, texts.length - 1);
  equal((await store.claim(session?.id ?? '')).token, 8);
  deepEqual(await store.care.check(), []);
});

test('an empty file beside a log or a copy is not made a new store', async () => {
  for (const [beside, isMissing] of [
    ['-wal', false],
    ['-wal', true],
    ['.version-2', false],
    ['.corrupt-1700000000000', false],
  ] as const) {
    const path = freshPath();
    mkdirSync(dirname(path), { recursive: true });
    if (!isMissing) writeFileSync(path, '');
    writeFileSync(`${path}${beside}`, 'what is left');
    await assertRefused(openSqliteStore({ path }), 'io');
    equal(readFileSync(`${path}${beside}`, 'utf8'), 'what is left');
    equal(statSync(path, { throwIfNoEntry: false })?.size, isMissing ? undefined : 0);
  }
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  await using store = await openSqliteStore({ path });
  deepEqual(await store.list(), []);
});

test('two programs may make the store at the same time', async () => {
  const path = freshPath();
  const stores = await Promise.all([1, 2, 3].map(() => openSqliteStore({ path })));
  for (const store of stores) await store.create(SESSION);
  equal((await stores[0]?.list())?.length, 3);
  for (const store of stores) await store[Symbol.asyncDispose]();
});

test('a lock is waited for, and reported when it stays', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path, patience: 150 });
  const { session, claim } = await beginSampleSession(store);
  const raw = new DatabaseSync(path);
  raw.exec('BEGIN IMMEDIATE');
  await assertRefused(store.commit(claim, { append: [createUserEntry('never')] }), 'busy');
  setTimeout(() => raw.exec('COMMIT'), 40);
  await store.commit(claim, { append: [createUserEntry('a little later')] });
  equal((await store.entries(session.id)).length, 1);
  raw.close();
});

/** Root may write everywhere, so the writer becomes nobody first. */
const READ_ONLY = `
  if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534); }
  const { openSqliteStore } = await import(process.argv[2]);
  try {
    const store = await openSqliteStore({ path: process.argv[1] });
    console.log('read', (await store.list()).length, (await store.search({ text: 'kept' })).length);
    await store.create({ source: 'cli', cwd: '/', model: 'm', provider: 'p' });
    console.log('written');
  } catch (error) { console.log(error.code, error.message); }
`;

test(
  'a store that may only be read says so and can still be read',
  { skip: process.platform === 'win32' && 'no file modes here' },
  async (context) => {
    const path = freshPath();
    await using store = await openSqliteStore({ path });
    const { claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('kept')] });
    await store.care.tend();
    chmodSync(path, 0o444);
    for (const end of ['-wal', '-shm']) chmodSync(path + end, 0o444);
    for (let folder = dirname(path), i = 0; i < 2; folder = dirname(folder), i++) chmodSync(folder, 0o755);
    const entry = join(import.meta.dirname, '../../../src/parts/store/sqlite/store.ts');
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', READ_ONLY, path, entry], { encoding: 'utf8' });
    if (/EACCES|ERR_MODULE_NOT_FOUND/u.test(stderr)) return context.skip('the sources cannot be read as another user');
    match(stdout, /read 1 1/u, stderr);
    match(stdout, /^read_only Could not create a session/mu);
    ok(existsSync(path));
  },
);
