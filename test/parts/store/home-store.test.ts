import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { resolveHome, type Home } from '../../../src/base/home.ts';
import { isStoreError } from '../../../src/contracts/session-store.ts';
import { renameStore } from '../../../src/parts/store/former-store.ts';
import { describeFormerStore, findStore, openHomeStore, repairHomeStore } from '../../../src/parts/store/home-store.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { SESSION, beginSampleSession, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { writePythonStore } from '../../fixtures/homes/python-store.ts';
import { freshPath } from './places.ts';

const ENTRIES = 40;
/** A home with a store under its former name; `kept` leaves SQLite's log beside it, as a process that was killed does. */
async function formerHome(kept: 'closed' | 'killed' = 'closed'): Promise<Home> {
  const root = dirname(freshPath());
  const home = resolveHome({ HERMES_HOME: root });
  const made = join(root, 'made', 'state.db');
  await using store = await openSqliteStore({ path: made, durability: 'process' });
  const { claim } = await beginSampleSession(store);
  for (let count = 0; count < ENTRIES; count++) await store.commit(claim, { append: [createUserEntry(`words ${count}`)] });
  if (kept === 'killed') for (const end of ['', '-wal']) copyFileSync(made + end, home.formerStore + end);
  else await store.care.backup(home.formerStore);
  return home;
}
async function entriesIn(home: Home): Promise<number> {
  await using store = await openHomeStore(home);
  const sessions = await store.list();
  return Math.max(...(await Promise.all(sessions.map(async ({ id }) => (await store.entries(id)).length))));
}
const filesIn = ({ root }: Home): string[] =>
  readdirSync(root)
    .filter((name) => name !== 'made')
    .toSorted();

for (const kept of ['closed', 'killed'] as const)
  test(`a store under its former name (${kept}) is renamed once with all it holds`, async () => {
    const home = await formerHome(kept);
    const log = `${home.formerStore}-wal`;
    equal(existsSync(log) && readFileSync(log).length > 10_000, kept === 'killed', 'the last commits are beside the file');
    equal(await entriesIn(home), ENTRIES);
    deepEqual(filesIn(home), ['sessions.db']);
    equal(await entriesIn(home), ENTRIES);
  });

test('a store that is a link to another disk stays there; the link is renamed', async () => {
  const home = await formerHome();
  const far = join(home.root, 'made', 'far.db');
  renameSync(home.formerStore, far);
  symlinkSync(far, home.formerStore);
  equal(await entriesIn(home), ENTRIES);
  deepEqual([filesIn(home), existsSync(far)], [['sessions.db'], true]);
});

/** A process that opens the store when it is told to. */
const worker = (home: Home): Promise<ChildProcess> => started(join(import.meta.dirname, 'opener.ts'), home.root);
/** A process of an earlier version that is at work on the store. */
const HOLDER = `const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.prepare('SELECT count(*) FROM entries').get();
  console.log('ready');
  process.stdin.once('data', () => process.exit());`;

async function started(...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await heard(child);
  return child;
}
const heard = async ({ stdout }: ChildProcess): Promise<string> => String((await once(stdout ?? process.stdin, 'data'))[0]);

test('while another process has the store open it is used where it lies, and renamed by the next that finds it closed', async () => {
  const home = await formerHome();
  const other = await started('-e', HOLDER, home.formerStore);
  {
    await using store = await openHomeStore(home);
    deepEqual([existsSync(home.store), await findStore(home)], [false, home.formerStore]);
    const { claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('said meanwhile')] });
  }
  other.stdin?.write('end\n');
  await once(other, 'exit');
  equal(await entriesIn(home), ENTRIES);
  deepEqual(filesIn(home), ['sessions.db']);
  await using store = await openHomeStore(home);
  equal((await store.search({ text: 'said meanwhile' })).length, 1);
});

test('processes that come at the same moment end up in one store', async () => {
  const home = await formerHome('killed');
  const workers = await Promise.all(Array.from({ length: 5 }, () => worker(home)));
  for (const child of workers) child.stdin?.write('go\n');
  deepEqual(
    await Promise.all(workers.map(heard)),
    Array.from(workers, () => 'open\n'),
  );
  for (const child of workers) child.stdin?.write('end\n');
  await Promise.all(workers.map((child) => once(child, 'exit')));
  await using store = await openHomeStore(home);
  equal((await store.list()).length, 1 + workers.length);
  deepEqual(
    filesIn(home).filter((name) => !/-(?:wal|shm)$/.test(name)),
    ['sessions.db'],
  );
});

test('a process killed at any moment of the renaming leaves the store whole under one name', async () => {
  for (let round = 0; round < 12; round++) {
    const home = await formerHome('killed');
    const child = await worker(home);
    child.stdin?.write('go\n');
    const until = performance.now() + 4 * round;
    while (performance.now() < until);
    child.kill('SIGKILL');
    await once(child, 'exit');
    equal(await entriesIn(home), ENTRIES, `round ${round}`);
    ok(existsSync(home.store) && !existsSync(home.formerStore), filesIn(home).join());
  }
});

test('a renaming that stops right before its last step leaves the store whole', async () => {
  const home = await formerHome('killed');
  throws(() => renameStore(home.formerStore, join(home.root, 'nowhere', 'sessions.db')), /ENOENT/);
  deepEqual(filesIn(home), ['state.db'], 'the log is written back and gone');
  equal(await entriesIn(home), ENTRIES);
});

test('a store of the Python system is left alone byte for byte, and named with the way to bring it over', async () => {
  const home = resolveHome({ HERMES_HOME: dirname(freshPath()) });
  mkdirSync(home.root, { recursive: true });
  writePythonStore(home.formerStore);
  const before = readFileSync(home.formerStore);
  equal(await findStore(home), undefined);
  {
    await using store = await openHomeStore(home);
    await store.create(SESSION);
  }
  match((await describeFormerStore(home)) ?? '', /sessions of the Python version.*To take them over: hermes migrate/);
  ok(before.equals(readFileSync(home.formerStore)));
  deepEqual(filesIn(home), ['sessions.db', 'state.db']);
});

test('a damaged store under the former name is not hidden by a new one; repair saves what it can', async () => {
  const home = await formerHome();
  writeFileSync(home.formerStore, 'not a database at all '.repeat(500));
  await rejects(openHomeStore(home), (error) => isStoreError(error, 'corrupt'));
  deepEqual(filesIn(home), ['state.db']);
  match((await repairHomeStore(home)).problems.join(), /kept as .*state\.db\.corrupt-/);
  await using store = await openHomeStore(home);
  deepEqual(await store.list(), []);
  equal(filesIn(home).filter((name) => name.startsWith('state.db.corrupt-')).length, 1);
});

test('a folder and an empty file of the former name are nobody’s store', async () => {
  for (const make of [(path: string) => mkdirSync(path), (path: string) => writeFileSync(path, '')]) {
    const home = resolveHome({ HERMES_HOME: dirname(freshPath()) });
    mkdirSync(home.root, { recursive: true });
    make(home.formerStore);
    await using store = await openHomeStore(home);
    deepEqual([await store.list(), await describeFormerStore(home)], [[], undefined]);
  }
});

test('sessions an earlier version wrote after the renaming are told about', async () => {
  const home = await formerHome();
  await entriesIn(home);
  await (await openSqliteStore({ path: home.formerStore }))[Symbol.asyncDispose]();
  match((await describeFormerStore(home)) ?? '', /earlier version.*HERMES_HOME/);
});
