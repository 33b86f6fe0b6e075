import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, createUserEntry } from '../../src/testing/conformance/session-store-samples.ts';
import { tempHome } from './hermes.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const run = promisify(execFile);

/** Fills a small disk with the home and then to its last byte, and runs each command there; one JSON line for each. */
const SCRIPT = `
mount -t tmpfs -o size=4m none "$1" || exit 77
cp "$2"/sessions.db "$1"/
dd if=/dev/zero of="$1"/filler bs=4096 2>/dev/null
export HERMES_HOME="$1"
shift 2
"$0" "$@"
`;
const inNamespace = (command: readonly string[]) => run('unshare', ['-rm', ...command]);

test('on a full disk sessions can be listed, shown and exported, and whoever writes is told that it is full', async (t) => {
  const root = tempHome();
  const [home, disk] = [join(root, 'home'), join(root, 'disk')];
  for (const folder of [home, disk]) mkdirSync(folder);
  if (
    !(await inNamespace(['mount', '-t', 'tmpfs', 'none', disk]).then(
      () => true,
      () => false,
    ))
  )
    return t.skip('no disk of its own can be mounted here');
  const store = await openSqliteStore({ path: join(home, 'sessions.db') });
  const { session, claim } = await beginSampleSession(store);
  await store.commit(claim, { append: [createUserEntry('a needle in the last words')] });
  await store.release(claim);
  await store[Symbol.asyncDispose]();
  const ran = (...args: readonly string[]) =>
    inNamespace(['sh', '-c', SCRIPT, process.execPath, disk, home, MAIN, ...args]).then(
      ({ stdout }) => stdout,
      (error: { readonly stdout?: string; readonly stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
    );
  assert.match(await ran('sessions', 'list'), new RegExp(session.id));
  assert.match(await ran('sessions', 'show', session.id), /a needle in the last words/);
  assert.match(await ran('sessions', 'export', session.id), /a needle in the last words/);
  const refused = await ran('sessions', 'rename', session.id, 'another name');
  assert.match(refused, /the disk is full\. Free some space, then try again\. Nothing that was saved is lost\./);
  assert.doesNotMatch(refused, /disk is healthy|writable for you|open it in/);
});
