import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGuardedFiles } from '../../../../src/parts/safety/guarded/guarded-files.ts';
import { createGuardedTerminal } from '../../../../src/parts/safety/guarded/terminal.ts';
import { createGuardWindow, shareGuardWindow, type GuardWindow } from '../../../../src/parts/safety/guarded/window.ts';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { createRepository, GIT_ENV, shell } from './stage.ts';

test('a guard that could not be opened fails that command, and is tried again with the next', async () => {
  const folder = createRepository();
  let tries = 0;
  const open = async (): Promise<GuardWindow> => {
    if (++tries === 1) throw new Error('too many open files');
    return createGuardWindow({ files: openGuardedFiles({ roots: [folder], notice: () => {} }) });
  };
  await using terminal = createGuardedTerminal(await localTerminal.open({ cwd: folder, env: GIT_ENV }), {
    open: () => shareGuardWindow(folder, open).window,
    close: () => {},
    toPathHere: (path) => path,
    onHeld: () => {},
  });
  await assert.rejects(run(terminal, 'echo first > ran'), /too many open files/);
  assert.equal((await run(terminal, 'cat ran')).exitCode, 1, 'nothing ran without its guard');
  const { held } = await run(terminal, 'git config core.pager evil');
  assert.deepEqual(
    held?.map(({ what }) => what),
    ['git config'],
  );
  assert.equal(tries, 2);
});

test('what a session’s processes write while they are being ended is put back, however long that takes', async () => {
  const folder = createRepository();
  const window = createGuardWindow({ files: openGuardedFiles({ roots: [folder], notice: () => {} }), leftBehind: () => false });
  await window.begin(() => {}).end();
  const told: string[] = [];
  const ends = async (): Promise<void> => {
    // Longer than the time after which a window without commands closes.
    await sleep(400);
    shell(folder, 'git config core.pager evil');
  };
  await window.leave((changes) => told.push(...changes.map(({ what }) => what)), ends);
  assert.deepEqual(told, ['git config']);
});
