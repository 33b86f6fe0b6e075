import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { withFileLock } from '../../src/base/file-lock.ts';
import { FileLockError } from '../../src/base/holder-file.ts';
import { makeFolder } from '../../src/base/folders.ts';
import { identifyOwnProcess } from '../../src/base/process-identity.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-lock-')));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
/** A file nobody else uses, and its lock. */
const fresh = () => {
  const path = join(root, String(++made), 'notes');
  return { path, lock: `${path}.lock` };
};
const source = (name: string): string => JSON.stringify(import.meta.resolve(`../../src/base/${name}`));

/** A process of its own that runs a few lines with the lock at hand. */
function child(script: string, ...args: string[]): ChildProcess {
  const head = `import fs from 'node:fs'; import { withFileLock } from ${source('file-lock.ts')}; import { identifyOwnProcess } from ${source('process-identity.ts')};`;
  return spawn(process.execPath, ['--input-type=module', '-e', `${head}\n${script}`, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}
const HOLD = `const path = process.argv[1];
await withFileLock(path, () => { fs.writeSync(1, 'held'); return new Promise((done) => setTimeout(done, 60_000)); });`;

/** A holder that has the lock by now. */
async function holderOf(path: string): Promise<ChildProcess> {
  const holder = child(HOLD, path);
  assert.ok(holder.stdout);
  const [said] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')])) as unknown[];
  assert.equal(String(said), 'held');
  return holder;
}
async function kill(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'close');
}

/** Plants a lock as somebody else might have left it, so many seconds ago. */
function plant(lock: string, content: string, secondsAgo = 0): void {
  makeFolder(dirname(lock));
  writeFileSync(lock, content);
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(lock, at, at);
}
const held = (over: object): string => JSON.stringify({ ...identifyOwnProcess(), token: 'planted', ...over });

test('work is done by one at a time, and the lock is gone after it', async () => {
  const { path, lock } = fresh();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} in`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(`${name} out`);
    return name;
  };
  const names = await Promise.all(['a', 'b', 'c'].map((name) => withFileLock(path, work(name))));
  assert.deepEqual(names, ['a', 'b', 'c']);
  for (let index = 0; index < seen.length; index += 2) assert.equal(seen[index]?.replace('in', 'out'), seen[index + 1], seen.join());
  assert.equal(existsSync(lock), false);
});

test('work that throws gives the lock back', async () => {
  const { path, lock } = fresh();
  await assert.rejects(
    withFileLock(path, () => {
      throw new Error('broken');
    }),
    /^Error: broken$/,
  );
  assert.equal(existsSync(lock), false);
});

test('a live process is waited for and named; once killed, its lock is taken over at once', async () => {
  const { path, lock } = fresh();
  const holder = await holderOf(path);
  const theirs = readFileSync(lock, 'utf8');
  await assert.rejects(
    withFileLock(path, () => {}, { waitMs: 60 }),
    (error: unknown) =>
      error instanceof FileLockError && error.message.includes(`process ${holder.pid}`) && /within 0\.1 s.*try again/.test(error.message),
  );
  assert.equal(readFileSync(lock, 'utf8'), theirs, 'nobody touched it');
  await kill(holder);
  assert.equal(await withFileLock(path, () => 'mine', { waitMs: 0 }), 'mine');
});

const LEFT: readonly { readonly name: string; readonly content: string; readonly secondsAgo: number; readonly taken: boolean }[] = [
  { name: 'a later process that has the pid of a dead one', content: held({ started: 'long ago' }), secondsAgo: 0, taken: true },
  { name: 'this very process', content: held({}), secondsAgo: 3600, taken: false },
  { name: 'another host, a moment ago', content: held({ host: 'elsewhere', pid: 1 }), secondsAgo: 20, taken: false },
  { name: 'another host, long silent', content: held({ host: 'elsewhere', pid: 1 }), secondsAgo: 31, taken: true },
  { name: 'another container, a moment ago', content: held({ space: 'pid:[1]', started: 'then' }), secondsAgo: 20, taken: false },
  { name: 'another container, long silent', content: held({ space: 'pid:[1]' }), secondsAgo: 31, taken: true },
  { name: 'a clock that was set back', content: held({ host: 'elsewhere' }), secondsAgo: -3600, taken: true },
  { name: 'a maker that may still fill it', content: '', secondsAgo: 0, taken: false },
  { name: 'a maker that died before filling it', content: '', secondsAgo: 3, taken: true },
  { name: 'a maker that died while filling it', content: '{"pid":1,', secondsAgo: 3, taken: true },
  { name: 'a token that would lead to another folder', content: held({ token: '../../x' }), secondsAgo: 3, taken: true },
];
for (const { name, content, secondsAgo, taken } of LEFT)
  test(`a lock left by ${name} is ${taken ? 'taken over' : 'respected'}`, async () => {
    const { path, lock } = fresh();
    plant(lock, content, secondsAgo);
    const got = await withFileLock(path, () => true, { waitMs: 0 }).catch(() => false);
    assert.equal(got, taken);
    assert.deepEqual(readdirSync(join(path, '..')), taken ? [] : [basename(lock)]);
  });

test('a stale lock is left to the heir that clears it away, unless that one is dead too', async () => {
  const { path, lock } = fresh();
  plant(lock, held({ started: 'long ago', token: 'stale' }));
  plant(`${lock}.stale`, held({ token: 'heir' }));
  await assert.rejects(
    withFileLock(path, () => {}, { waitMs: 0 }),
    FileLockError,
  );
  assert.deepEqual(readdirSync(dirname(lock)), [basename(lock), `${basename(lock)}.stale`]);
  plant(`${lock}.stale`, held({ token: 'heir', started: 'long ago' }));
  assert.equal(await withFileLock(path, () => 'mine', { waitMs: 0 }), 'mine');
  assert.deepEqual(readdirSync(dirname(lock)), []);
});

test('a lock that somebody else has by now is not removed', async () => {
  const { path, lock } = fresh();
  const theirs = held({ host: 'elsewhere' });
  await withFileLock(path, () => writeFileSync(lock, theirs));
  assert.equal(readFileSync(lock, 'utf8'), theirs);
});

test('a stop ends the wait', async () => {
  const { path, lock } = fresh();
  plant(lock, held({}));
  const stop = new AbortController();
  const waiting = withFileLock(path, () => assert.fail('it never had the lock'), { signal: stop.signal, waitMs: 600_000 });
  stop.abort();
  await assert.rejects(waiting, /was stopped; nothing was done/);
});

test('a place that cannot be written to is told in words', async () => {
  const { path } = fresh();
  await withFileLock(path, () => writeFileSync(path, 'a file'));
  await assert.rejects(
    withFileLock(join(path, 'below'), () => {}),
    (error: unknown) => error instanceof FileLockError && /below\.lock could not be made: .*writable/.test(error.message),
  );
});

test('a file reached over a link has the lock of the file', async () => {
  const { path, lock } = fresh();
  await withFileLock(path, () => writeFileSync(path, ''));
  symlinkSync(path, `${path}-link`);
  await withFileLock(`${path}-link`, () => assert.ok(existsSync(lock)));
});

/** Each leaves a dead holder's lock behind instead of its own, so every single one has to take over, and they do it at once. */
const HEIR = `const [path, count] = process.argv.slice(1);
for (let i = 0; i < Number(count); i++) await withFileLock(path, () => {
  const seen = Number(fs.readFileSync(path, 'utf8'));
  fs.writeFileSync(path, String(seen + 1));
  const dead = path + '.dead.' + process.pid;
  fs.writeFileSync(dead, JSON.stringify({ ...identifyOwnProcess(), started: 'long ago', token: process.pid + '-' + i }));
  fs.renameSync(dead, path + '.lock');
}, { waitMs: 30_000 });`;

test('four processes that inherit stale locks from each other still go one at a time', { timeout: 60_000 }, async () => {
  const { path, lock } = fresh();
  await withFileLock(path, () => writeFileSync(path, '0'));
  const heirs = Array.from({ length: 4 }, () => child(HEIR, path, '50'));
  const codes = await Promise.all(heirs.map(async (heir) => (await once(heir, 'close'))[0] as unknown));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  assert.equal(readFileSync(path, 'utf8'), '200');
  assert.deepEqual(readdirSync(join(path, '..')).toSorted(), [basename(path), basename(lock)]);
});
