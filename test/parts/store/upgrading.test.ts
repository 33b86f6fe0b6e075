import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { MIGRATIONS } from '../../../src/parts/store/sqlite/migrations/all.ts';
import { computeChecksum } from '../../../src/parts/store/sqlite/sum.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, assertRefused, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { program } from '../../program.ts';
import { freshPath } from './places.ts';

const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;
const SESSIONS = 400;

const OLD = {
  seq: 1,
  id: 'e_1',
  turn_id: null,
  at: 2,
  origin: 'user',
  body: JSON.stringify({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'ancient words', trust: 'owner' }] } }),
};

/** A store as version `version` wrote it, large enough that its copy takes a while. */
function writeOldStore(path: string, version: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const old = new DatabaseSync(path);
  const sql = MIGRATIONS.filter((migration) => migration.version <= version).map((migration) => migration.sql);
  old.exec(`PRAGMA journal_mode = WAL; ${sql.join('\n')} PRAGMA user_version = ${version}; BEGIN`);
  const insert = old.prepare(`INSERT INTO sessions (id, source, cwd, model, provider, title, started_at, updated_at, last_seq, messages)
    VALUES (?, 'cli', ?, 'm', 'p', ?, 1, 2, 1, 1)`);
  const entry = old.prepare('INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (?, 1, ?, 2, ?, ?, ?, ?)');
  for (let n = 1; n <= SESSIONS; n++) {
    insert.run(`20250101_000000_${String(n).padStart(6, '0')}`, 'x'.repeat(9000), `old ${n}`);
    entry.run(n, OLD.id, OLD.origin, 'message', computeChecksum(OLD), OLD.body);
  }
  old.exec('COMMIT');
  old.close();
}

function startOpener(path: string): ChildProcess {
  return spawn(process.execPath, [program(join(import.meta.dirname, 'upgrader.ts')), path], { stdio: ['pipe', 'pipe', 'pipe'] });
}

interface Opened {
  readonly code: number | null;
  readonly out: string;
}
async function waitForEnd(child: ChildProcess): Promise<Opened> {
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  await once(child, 'close');
  return { code: child.exitCode, out };
}

const copiesOf = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.version-`))
    .map((name) => join(dirname(path), name));

function readCopy(path: string): Record<string, unknown> {
  const copy = new DatabaseSync(path);
  try {
    return {
      version: copy.prepare('PRAGMA user_version').get()?.['user_version'],
      check: copy.prepare('PRAGMA integrity_check').get()?.['integrity_check'],
      sessions: copy.prepare('SELECT count(*) AS found FROM sessions').get()?.['found'],
    };
  } finally {
    copy.close();
  }
}

/** Starts them all, then lets them open the store in the same instant. */
async function openAtOnce(path: string, count: number): Promise<{ children: ChildProcess[]; ends: Promise<Opened>[] }> {
  const children = Array.from({ length: count }, () => startOpener(path));
  await Promise.all(children.map((child) => once(child.stdout ?? child, 'data')));
  const ends = children.map(waitForEnd);
  for (const child of children) child.stdin?.write('go\n');
  return { children, ends };
}

test('twelve processes that open an old store at once all succeed, and one verified copy is kept', async () => {
  for (const version of [2, 9]) {
    const path = freshPath();
    writeOldStore(path, version);
    const { ends } = await openAtOnce(path, 12);
    deepEqual(
      (await Promise.all(ends)).filter(({ code, out }) => code !== 0 || !out.includes(`sessions ${SESSIONS}`)),
      [],
    );
    deepEqual(copiesOf(path).map(readCopy), [{ version, check: 'ok', sessions: SESSIONS }]);
    await using store = await openSqliteStore({ path });
    deepEqual(await store.care.check(), []);
  }
});

test('upgrades that are killed leave the store whole and every copy that has its name sound', async () => {
  const path = freshPath();
  writeOldStore(path, 2);
  for (let round = 0; round < 5 && readCopy(path)['version'] === 2; round++) {
    const { children, ends } = await openAtOnce(path, 3);
    await new Promise((resolve) => setTimeout(resolve, 5 + round * 20));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ends);
    const copies = copiesOf(path).filter((name) => !name.includes('.part-'));
    for (const copy of copies) deepEqual(readCopy(copy), { version: 2, check: 'ok', sessions: SESSIONS }, copy);
  }
  const { ends } = await openAtOnce(path, 10);
  deepEqual(
    (await Promise.all(ends)).filter(({ code }) => code !== 0),
    [],
  );
  const copies = copiesOf(path);
  ok(copies.length > 0);
  for (const copy of copies) deepEqual(readCopy(copy), { version: 2, check: 'ok', sessions: SESSIONS }, copy);
  equal(readCopy(path)['version'], NEWEST);
});

test('a copy that an earlier upgrade made is never replaced', async () => {
  const path = freshPath();
  writeOldStore(path, 2);
  writeFileSync(`${path}.version-2`, 'SQLite format 3\0 and whatever the owner made of it');
  await (await openSqliteStore({ path }))[Symbol.asyncDispose]();
  match(readFileSync(`${path}.version-2`, 'utf8'), /whatever the owner/u);
  deepEqual(readCopy(`${path}.version-2.2`), { version: 2, check: 'ok', sessions: SESSIONS });
});

test('a store whose copy would be damaged is not upgraded', async () => {
  const path = freshPath();
  writeOldStore(path, 2);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, bytes.length - 4096 * 3, bytes.length - 4096);
  writeFileSync(path, bytes);
  await assertRefused(openSqliteStore({ path }), 'corrupt');
  ok(bytes.equals(readFileSync(path)), 'the file is as it was');
  deepEqual(copiesOf(path), []);
  ok(!existsSync(`${path}.upgrade.lock`));
});

test('a process that still runs while another version upgrades is told to restart, and nothing of its step is saved', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('before')] });
  const other = new DatabaseSync(path);
  other.exec(`ALTER TABLE entries RENAME COLUMN body TO content; PRAGMA user_version = ${NEWEST + 1}`);
  for (const refused of [store.commit(claim, { append: [createUserEntry('after')] }), store.entries(session.id), store.list()])
    await refused.then(
      () => ok(false, 'it went on'),
      (error: unknown) => match(String(error), /while this process was running.*Restart hermes.*an unfinished turn goes on/u),
    );
  equal(other.prepare('SELECT count(*) AS found FROM entries').get()?.['found'], 1);
  other.exec(`ALTER TABLE entries RENAME COLUMN content TO body; PRAGMA user_version = ${NEWEST}`);
  other.close();
});

/** Every byte of a store: the file, its log, and what lies beside it. */
const readEverything = (path: string): string =>
  readdirSync(dirname(path))
    .map((name) => readFileSync(join(dirname(path), name), 'latin1').toLowerCase())
    .join('\n');

test('a removed session cannot be read from any byte of the store, and its space is given back without stopping others', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path });
  await using other = await openSqliteStore({ path });
  const kept = await beginSampleSession(store);
  await store.commit(kept.claim, { append: [createUserEntry('keepsake stays')] });
  const removed = await beginSampleSession(other);
  for (let n = 0; n < 40; n++) await other.commit(removed.claim, { append: [createUserEntry(`zebrafinch${n} ${'quokka '.repeat(3000)}`)] });
  await other.retitle(removed.session.id, 'The wombatting', 'user');
  await other.post({ sessionId: removed.session.id, mode: 'queue', content: [createTextBlock('numbatting', 'owner')] });
  while (await store.care.tend());
  equal((await store.search({ text: 'zebrafinch7' })).length, 1);
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  raw.close();
  const size = statSync(path).size;
  await other.release(removed.claim);
  const removal = other.remove(removed.session.id);
  for (let n = 0; n < 5; n++) await store.commit(kept.claim, { append: [createUserEntry(`meanwhile ${n}`)] });
  await removal;
  while (await other.care.tend());
  const bytes = readEverything(path);
  for (const word of ['zebrafinch', 'quokka', 'wombatting', 'numbatting']) ok(!bytes.includes(word), word);
  ok(bytes.includes('keepsake'));
  ok(statSync(path).size < size - 400_000, `${size} to ${statSync(path).size}`);
  deepEqual(await store.care.check(), []);
});

test('a store of an earlier version is rewritten once, and holds nothing of sessions it removed before', async () => {
  const path = freshPath();
  writeOldStore(path, 14);
  const old = new DatabaseSync(path);
  old.exec(`UPDATE sessions SET title = 'zebrafinch ' || n; DELETE FROM sessions WHERE n > 10; DELETE FROM entries WHERE session > 10`);
  old.exec(`UPDATE sessions SET title = 'kept ' || n`);
  old.close();
  ok(readFileSync(path, 'latin1').includes('zebrafinch'));
  await using store = await openSqliteStore({ path });
  ok(!readFileSync(path, 'latin1').includes('zebrafinch'));
  ok(statSync(path).size < statSync(`${path}.version-14`).size / 4);
  deepEqual(await store.care.check(), []);
});
