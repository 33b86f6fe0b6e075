import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { createLeftBehindCheck } from '../../../src/parts/terminals/process/left-behind.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { WAIT_FOR_SCRIPT } from '../../../src/parts/terminals/shell/spare-shell.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { noSandbox, openSandboxed } from './sandbox-stage.ts';

const LINUX = { skip: process.platform === 'linux' ? false : 'processes are looked at in /proc' };

async function open(): Promise<{ terminal: Terminal; folder: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-spare-')));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    terminal: await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', OURS: folder } }),
    folder,
  };
}

/** Shells of this test that wait for a script: their environment names its folder. */
const waitingIn = (folder: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).includes(WAIT_FOR_SCRIPT) && textOf(`/proc/${pid}/environ`).includes(`OURS=${folder}`))
    .map(Number);
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it ended meanwhile
  }
}

test('the next command is run by the shell that waits, and sees nothing of its waiting', LINUX, async () => {
  const { terminal, folder } = await open();
  await using _ = terminal;
  await run(terminal, 'mine=5');
  // A second may begin at any moment; more of them would be the waiting.
  const line = 'compgen -v | grep -v BASH_EXECUTION_STRING | sort; echo $# $- $((SECONDS > 2))';
  const plain = await run(terminal, line);
  await terminal.prepare?.();
  const [waiting] = waitingIn(folder);
  assert.notEqual(waiting, undefined);
  assert.equal((await run(terminal, 'echo $$')).output, `${waiting}\n`);
  await terminal.prepare?.();
  assert.deepEqual(await run(terminal, line), plain);
  assert.deepEqual(waitingIn(folder), []);
});

test('one that was killed, or stands in a folder that is another by now, is not used', LINUX, async () => {
  const { terminal, folder } = await open();
  await using _ = terminal;
  const below = join(folder, 'below');
  mkdirSync(below);
  await run(terminal, 'cd below');
  await terminal.prepare?.();
  // Its end has not been heard when the command comes.
  for (const pid of waitingIn(folder)) process.kill(pid, 'SIGKILL');
  assert.equal((await run(terminal, 'echo still here')).output, 'still here\n');
  await terminal.prepare?.();
  rmSync(below, { recursive: true });
  mkdirSync(below);
  writeFileSync(join(below, 'new.txt'), '');
  assert.equal((await run(terminal, 'ls')).output, 'new.txt\n');
  await retryUntil('the one in the old folder has gone', async () => waitingIn(folder).length === 0);
});

for (const [where, openOne, skip] of [
  ['here', open, LINUX.skip],
  ['in a sandbox', () => openSandboxed({ wall: 'attended' }), noSandbox ?? false],
] as const) {
  test(`a shell that waits ${where} is nothing a command left behind`, { skip }, async () => {
    const isLeftBehind = createLeftBehindCheck();
    const { terminal } = await openOne();
    await using _ = terminal;
    await run(terminal, 'true');
    await terminal.prepare?.();
    await run(terminal, 'true');
    await terminal.prepare?.();
    assert.equal(isLeftBehind(), false);
    const { output } = await run(terminal, 'sleep 60 >/dev/null 2>&1 & echo $!');
    assert.equal(isLeftBehind(), true);
    await run(terminal, `kill ${output}`);
  });
}

test('none is left when the terminal is closed, and none is started afterwards', LINUX, async () => {
  const { terminal, folder } = await open();
  await run(terminal, 'true');
  await terminal.prepare?.();
  assert.equal(waitingIn(folder).length, 1);
  await terminal[Symbol.asyncDispose]();
  assert.deepEqual(waitingIn(folder), []);
  await terminal.prepare?.();
  assert.deepEqual(waitingIn(folder), []);
});

test('in a sandbox it never passes for a command that must not be disturbed', { skip: noSandbox }, async () => {
  const later = realpathSync(mkdtempSync(join(homedir(), 'hermes-later-')));
  after(() => rmSync(later, { recursive: true, force: true }));
  const { terminal } = await openSandboxed({ wall: 'attended' });
  await using _ = terminal;
  assert.notEqual((await run(terminal, `touch ${later}/note.txt`)).exitCode, 0);
  await terminal.prepare?.();
  await terminal.wall?.grant({ type: 'write', path: later });
  // The sandbox is made anew for that, which it is not while something runs inside.
  assert.deepEqual((await run(terminal, `touch ${later}/note.txt`)).output, '');
  assert.deepEqual(readdirSync(later), ['note.txt']);
});
