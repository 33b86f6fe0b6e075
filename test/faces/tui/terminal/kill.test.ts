import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { noPty } from '../../../walks/on-terminal.ts';
import { killOnTerminal } from './kills.ts';
import { stageLauncher } from './shell-stage.ts';

const POINTS = [
  ['SIGKILL', 0],
  ['SIGKILL', 120],
  ['SIGKILL', 400],
  ['SIGHUP', 300],
  ['SIGTSTP', 250],
  ['SIGTERM', 350],
] as const;

test('the terminal is as before after a kill at any moment, a hangup, a stop', { skip: noPty }, async () => {
  using stage = stageLauncher('test/faces/tui/terminal/key-program.ts');
  const options = {
    cwd: stage.folder,
    line: './bin/hermes',
    env: { KEY_PROGRAM_PID: join(stage.folder, 'pid') },
    keys: ['a', 'p'],
    quit: 'q',
  };
  for (const [signal, afterMs] of POINTS) assert.deepEqual(await killOnTerminal(options, signal, afterMs), { signal, afterMs });
  const alone = await killOnTerminal({ ...options, line: './node_modules/.bin/node dist/main.cjs' }, 'SIGKILL', 400);
  assert.match(alone.problem ?? '', /left on: 2004/, 'without the launcher a kill leaves modes on');
});
