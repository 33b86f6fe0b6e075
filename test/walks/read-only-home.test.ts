import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, createUserEntry } from '../../src/testing/conformance/session-store-samples.ts';
import { hermes, tempHome } from './hermes.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program on a home it cannot write: for root by a mount of its own, for anybody else by the folder's mode. */
async function onReadOnly(home: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  if (process.getuid?.() !== 0) return hermes(args, { home, env: more });
  const wall = ['--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', home, home];
  const env = { ...process.env, HERMES_HOME: home, ...more };
  return promisify(execFile)('bwrap', [...wall, process.execPath, MAIN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { readonly code?: number; readonly stdout?: string; readonly stderr?: string }) => ({
      code: error.code ?? -1,
      out: error.stdout ?? '',
      err: error.stderr ?? '',
    }),
  );
}

async function canTry(t: TestContext): Promise<boolean> {
  if (process.getuid?.() !== 0) return true;
  const works = await promisify(execFile)('bwrap', ['--bind', '/', '/', 'true']).then(
    () => true,
    () => false,
  );
  if (!works) t.skip('root can write everywhere, and there is no bwrap to make a mount');
  return works;
}

test('a read-only home can list, show, search and export', async (t) => {
  if (!(await canTry(t))) return;
  const home = join(tempHome(), 'home');
  mkdirSync(home);
  const store = await openSqliteStore({ path: join(home, 'state.db') });
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('a needle in the last words')] });
  // Still open: what was written last stands beside the file, in the log of SQLite.
  assert.ok(readdirSync(home).includes('state.db-wal'));
  if (process.getuid?.() !== 0) chmodSync(home, 0o500);
  const before = readdirSync(home);
  const ran = async (...args: readonly string[]) => {
    const { code, out, err } = await onReadOnly(home, args);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
    return out;
  };
  assert.match(await ran('sessions', 'list'), new RegExp(session.id));
  assert.match(await ran('sessions', 'show', session.id), /a needle in the last words/);
  assert.match(await ran('sessions', 'search', 'needle'), new RegExp(session.id));
  assert.match(await ran('sessions', 'export', session.id), /a needle in the last words/);
  const refused = await onReadOnly(home, ['sessions', 'rename', session.id, 'other']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /readonly database\. Make the file and its folder writable/);
  for (const args of [
    ['gateway', 'run'],
    ['serve', '--port', '0'],
  ]) {
    const program = await onReadOnly(home, args, { API_SERVER_KEY: 'a-key-of-this-test-0123456789' });
    assert.deepEqual([program.code, /bug in hermes|^ +at /m.test(program.err)], [1, false], program.err);
    assert.match(
      program.err,
      /^hermes: .* could not be (?:made: (?:EROFS|EACCES).* must be writable|used \((?:EROFS|EACCES)\): .* HERMES_HOME)/,
    );
  }
  assert.deepEqual(readdirSync(home), before);
  if (process.getuid?.() !== 0) chmodSync(home, 0o700);
  await store[Symbol.asyncDispose]();
});

test('sessions repair exits 1 when entries were lost, and 0 when all of them could be saved', async () => {
  for (const [from, length, code] of [
    [0, 100, 0],
    [20_000, 60_000, 1],
  ] as const) {
    const home = join(tempHome(), 'home');
    mkdirSync(home);
    const path = join(home, 'state.db');
    const store = await openSqliteStore({ path });
    const { claim } = await beginSampleSession(store);
    for (let i = 0; i < 40; i++) await store.commit(claim, { append: [createUserEntry(`line ${i} ${'hay '.repeat(700)}`)] });
    await store[Symbol.asyncDispose]();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
    closeSync(file);
    const ran = await hermes(['sessions', 'repair', '--json'], { home });
    const report: { readonly lost: readonly string[]; readonly entries: number } = JSON.parse(ran.out);
    assert.deepEqual([ran.code, report.lost.length > 0], [code, code === 1], ran.err);
  }
});
