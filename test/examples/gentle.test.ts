import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openOverShell } from '../../src/parts/terminals/remote/over-shell.ts';
import { testTerminalConformance } from '../../src/testing/conformance/terminal.ts';
import { folder } from '../app/host-scene.ts';
import { onlyThese } from '../size.ts';

/** As an author proves a back end: what `openOverShell` makes of one command line keeps every promise of a terminal. */
testTerminalConformance(
  'a terminal over one command line',
  async () => {
    const cwd = realpathSync(mkdtempSync(join(folder, 'over-shell-')));
    const command = (script: string): readonly string[] => ['nice', '-n', '5', 'bash', '-c', script];
    const env = { PATH: process.env['PATH'] ?? '' };
    return { terminal: await openOverShell({ kind: 'gentle', name: 'this machine, gently', cwd, env, command }), folder: cwd };
  },
  {
    noPty: 'a command line has no terminal of its own',
    begunWithinMs: 1_500,
    leftOut: onlyThese('a command gives its output', 'the working folder carries over', 'input is handed over whole'),
  },
);
