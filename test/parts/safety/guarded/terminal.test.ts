import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGuardedFiles } from '../../../../src/parts/safety/guarded/guarded-files.ts';
import { createGuardedTerminal } from '../../../../src/parts/safety/guarded/terminal.ts';
import { createGuardWindow, shareGuardWindow, type GuardWindow } from '../../../../src/parts/safety/guarded/window.ts';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { createRepository, GIT_ENV } from './stage.ts';

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
