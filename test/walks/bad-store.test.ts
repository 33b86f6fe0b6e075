import assert from 'node:assert/strict';
import { execFileSync, type ChildProcess } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer, type Ran } from './hermes.ts';

const noStack = ({ err }: Ran) => assert.ok(!/^\s+at /m.test(err) && !err.includes('bug in hermes'), err);

/** A home with some sessions in it, made by the program itself. */
async function lived(sessions: number): Promise<{ readonly home: string; readonly ids: readonly string[] }> {
  await using server = await startWireServer({ answer: ({ index }) => ({ text: `answer ${index} ${'with some weight '.repeat(400)}` }) });
  const home = tempHome();
  for (let count = 0; count < sessions; count++) {
    const ran = await hermes(['chat', '-q', `question ${count}`, ...toServer(server.url)], { home });
    assert.equal(ran.code, 0, ran.err);
  }
  return { home, ids: await idsIn(home) };
}

async function idsIn(home: string): Promise<string[]> {
  const ran = await hermes(['sessions', 'list', '--json'], { home });
  assert.equal(ran.code, 0, ran.err);
  return (JSON.parse(ran.out) as { readonly id: string }[]).map(({ id }) => id);
}

/** Damage, and whether the sessions can be saved from it. */
const DAMAGE: readonly {
  readonly name: string;
  readonly saves: 'all' | 'nothing';
  readonly exit: number;
  readonly harm: (path: string) => void;
}[] = [
  {
    name: 'overwritten with other text',
    saves: 'nothing',
    exit: 1,
    harm: (path) => writeFileSync(path, 'not a database at all\n'.repeat(500)),
  },
  { name: 'whose header is damaged', saves: 'nothing', exit: 0, harm: (path) => scribble(path, 0, 'XXXXXXXXXXXXXXXX') },
  { name: 'with a damaged search index', saves: 'all', exit: 0, harm: emptyIndex },
];

for (const { name, saves, exit, harm } of DAMAGE) {
  test(`a store ${name}: the message offers sessions repair, repair works, the damaged file is kept`, async () => {
    const { home, ids } = await lived(2);
    const path = join(home, 'sessions.db');
    harm(path);
    for (const args of saves === 'all'
      ? []
      : [
          ['sessions', 'list'],
          ['chat', '-q', 'hi', '--base-url', 'http://127.0.0.1:9', '-m', 'm'],
        ]) {
      const refused = await hermes(args, { home });
      noStack(refused);
      assert.deepEqual([refused.code, refused.out], [1, ''], args.join(' '));
      assert.match(refused.err, /hermes sessions repair/);
    }
    const repair = await hermes(['sessions', 'repair'], { home });
    noStack(repair);
    assert.equal(repair.code, exit, `${repair.out}${repair.err}`);
    const left = await idsIn(home);
    if (saves === 'all') for (const id of ids) assert.ok(left.includes(id), `${id} survived`);
    else
      assert.ok(
        readdirSync(home).some((file) => file.startsWith('sessions.db.corrupt-')),
        readdirSync(home).join(),
      );
    await works(home);
  });
}

/** A chat goes through and its session is there. */
async function works(home: string): Promise<void> {
  await using server = await startWireServer({ answer: () => ({ text: 'Works.' }) });
  const ran = await hermes(['chat', '-q', 'and now?', ...toServer(server.url)], { home });
  assert.deepEqual([ran.code, ran.out], [0, 'Works.\n'], ran.err);
  const checked = JSON.parse((await hermes(['doctor', '--json'], { home })).out) as {
    readonly name: string;
    readonly ok: boolean;
    readonly words: string;
  }[];
  const store = checked.find(({ name }) => name === 'store');
  assert.equal(store?.ok, true, store?.words ?? 'no row');
}

function scribble(path: string, position: number, bytes: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, position);
  closeSync(file);
}

/** Empties the inner table of a full-text index: SQLite then finds it malformed. */
function emptyIndex(path: string): void {
  const db = new DatabaseSync(path, { defensive: false });
  const [table] = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%\\_data' ESCAPE '\\'").all();
  assert.ok(table !== undefined, 'there is an index to damage');
  db.exec(`DELETE FROM "${String(table['name'])}"`);
  db.close();
}

/** Writes nonsense over pages of a store that rests. */
function damagePages(path: string, pages: (count: number, rootOf: (table: string) => number) => readonly number[]): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const roots = new Map(
    db
      .prepare('SELECT name, rootpage FROM sqlite_master')
      .all()
      .map((row) => [String(row['name']), Number(row['rootpage'])]),
  );
  db.close();
  for (const page of pages(statSync(path).size / PAGE, (table) => roots.get(table) ?? 0))
    scribble(path, (page - 1) * PAGE, '\u0001garbage'.repeat(400));
}
const PAGE = 4096;

async function repairs(home: string, ids: readonly string[], exit: number): Promise<void> {
  const repair = await hermes(['sessions', 'repair'], { home });
  noStack(repair);
  assert.equal(repair.code, exit, `${repair.out}${repair.err}`);
  assert.match(repair.out, /^! /m, 'what is wrong is named');
  const left = await idsIn(home);
  assert.ok(left.length > 0 && left.every((id) => ids.includes(id)), `${left.length} of ${ids.length} sessions: ${repair.out}`);
  await works(home);
}

test('damage among the entries of a store: what can be read is saved and the rest is named', async () => {
  const { home, ids } = await lived(6);
  damagePages(join(home, 'sessions.db'), (count) => [count - 1, count - 3]);
  await repairs(home, ids, 1);
});

test('damage among the claims of a store costs no session', async () => {
  const { home, ids } = await lived(2);
  damagePages(join(home, 'sessions.db'), (_, rootOf) => [rootOf('claims')]);
  await repairs(home, ids, 0);
});

test('a store of a newer version is refused by name and stays untouched; repair does not harm it either', async () => {
  const { home } = await lived(1);
  const path = join(home, 'sessions.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  for (const args of [
    ['sessions', 'list'],
    ['chat', '-q', 'hi', '--base-url', 'http://127.0.0.1:9', '-m', 'm'],
    ['sessions', 'repair'],
  ]) {
    const ran = await hermes(args, { home });
    assert.deepEqual([ran.code, ran.out], [1, ''], args.join(' '));
    assert.match(ran.err, /version 999.*Update hermes.*HERMES_HOME/);
  }
  const again = new DatabaseSync(path);
  assert.equal(again.prepare('PRAGMA user_version').get()?.['user_version'], 999);
  again.exec('PRAGMA user_version = 0');
  assert.equal(again.prepare('SELECT count(*) AS n FROM sessions').get()?.['n'], 1);
  again.close();
});

test('a lost table of the search index is named by doctor and made anew by a search, with a notice', async () => {
  const { home } = await lived(1);
  const db = new DatabaseSync(join(home, 'sessions.db'));
  db.exec('DROP TABLE vocabulary');
  db.close();
  const doctor = await hermes(['doctor'], { home });
  assert.match(doctor.out, /✗ store .*vocabulary is missing[^]*hermes sessions repair/);
  const search = await hermes(['sessions', 'search', 'question', '--json'], { home });
  noStack(search);
  assert.deepEqual([search.code, JSON.parse(search.out).length], [0, 2], search.err);
  assert.match(search.err, /^hermes: The search index was incomplete and was rebuilt.*vocabulary/);
  assert.equal((await hermes(['sessions', 'search', 'question'], { home })).err, '');
  await works(home);
});

test('a store of an older shape under the newest version is refused with the way out, and repaired', async () => {
  const { home, ids } = await lived(1);
  const db = new DatabaseSync(join(home, 'sessions.db'));
  db.exec('ALTER TABLE sessions DROP COLUMN exit_reason');
  db.close();
  const list = await hermes(['sessions', 'list'], { home });
  noStack(list);
  assert.deepEqual([list.code, /hermes sessions repair/.test(list.err)], [1, true], list.err);
  await repairs(home, ids, 0);
});

test(
  'a home where no folder can be made is told at once',
  { skip: process.platform !== 'linux' && 'only Linux has /proc', timeout: 20_000 },
  async () => {
    const cwd = tempHome();
    for (const args of [['sessions', 'list'], ['config', 'set', 'agent.max_turns', '3'], ['doctor']]) {
      let timer: NodeJS.Timeout | undefined;
      const started = (child: ChildProcess) => (timer = setTimeout(() => child.kill('SIGKILL'), 6000));
      const ran = await hermes(args, { home: '/proc/nohome', cwd, started });
      clearTimeout(timer);
      assert.equal(ran.signal, null, `${args.join(' ')} hangs`);
      assert.match(ran.err + ran.out, /(Cannot create the home folder \/proc\/nohome|\/proc\/nohome.* could not be)/, args.join(' '));
    }
  },
);

test('a folder in place of the store is told as such', async () => {
  const home = tempHome();
  mkdirSync(join(home, 'sessions.db'));
  const store = await hermes(['sessions', 'list'], { home });
  assert.deepEqual([store.code, store.out], [1, '']);
  assert.match(store.err, /sessions\.db/);
  noStack(store);
});

test('a file in place of the home is told as such', async () => {
  const file = join(tempHome(), 'file');
  writeFileSync(file, '');
  const { code, out, err } = await hermes(['sessions', 'list'], { home: file, cwd: tempHome() });
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /home folder .*HERMES_HOME/);
});

/** Mounts over a folder of the test until the end of its block; `undefined`, and a skip with the reason, where that is not allowed. */
function mount(context: TestContext, folder: string, ...args: readonly string[]): Disposable | undefined {
  try {
    execFileSync('mount', [...args, folder], { stdio: 'pipe' });
  } catch (error) {
    context.skip(`cannot mount here: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]) };
}

test('a read-only home: reading works or says why not, writing says what to do, nothing is lost', async (context) => {
  const { home: source, ids } = await lived(1);
  const home = join(tempHome(), 'ro');
  mkdirSync(home);
  copyFileSync(join(source, 'sessions.db'), join(home, 'sessions.db'));
  using place = mount(context, home, '--bind', '-o', 'ro', home);
  if (place === undefined) return;
  try {
    writeFileSync(join(home, 'probe'), '');
    return context.skip('the mount is not read-only here');
  } catch {
    /* as it should be */
  }
  const chat = await hermes(['chat', '-q', 'hi', '--base-url', 'http://127.0.0.1:9', '-m', 'm'], { home, cwd: source });
  noStack(chat);
  assert.deepEqual([chat.code, chat.out], [1, '']);
  assert.match(chat.err, /sessions\.db.*(writable|read-only|folder exists, that you own it)/is);
  const set = await hermes(['config', 'set', 'agent.max_turns', '3'], { home, cwd: source });
  assert.equal(set.code, 2);
  assert.match(set.err, /could not be written.*Nothing was changed.*HERMES_HOME/);
  const doctor = await hermes(['doctor'], { home, cwd: source });
  assert.match(doctor.out, /✗ home .*Cannot write to/);
  assert.deepEqual(await idsIn(source), ids);
});

test('a full disk: the message says so, what was committed stays, and the session goes on once there is room', async (context) => {
  const home = join(tempHome(), 'small');
  mkdirSync(home);
  using place = mount(context, home, '-t', 'tmpfs', '-o', 'size=2m', 'none');
  if (place === undefined) return;
  await using server = await startWireServer({ answer: ({ index }) => ({ text: `answer ${index}` }) });
  const cwd = tempHome();
  const first = await hermes(['chat', '-q', 'first', ...toServer(server.url)], { home, cwd });
  assert.deepEqual([first.code, first.out], [0, 'answer 0\n'], first.err);
  writeFileSync(join(cwd, 'big'), 'much text '.repeat(400_000));
  const full = await hermes(['chat', '--continue', '--query-file', 'big', ...toServer(server.url)], { home, cwd });
  noStack(full);
  assert.deepEqual([full.code, full.out], [1, ''], full.err);
  assert.match(full.err, /full|no space|space/i);
  const next = await hermes(['chat', '--continue', '-q', 'small again', ...toServer(server.url)], { home, cwd });
  assert.equal(next.code, 0, next.err);
  const [id = ''] = await idsIn(home);
  const shown = await hermes(['sessions', 'show', id], { home, cwd });
  for (const words of ['first', 'answer 0', 'small again']) assert.ok(shown.out.includes(words), words);
});
