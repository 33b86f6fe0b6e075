import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OpenTerminalOptions, Terminal } from '../../../contracts/terminal.ts';
import { localFiles } from '../files/local.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { createCommandId } from '../process/lineage.ts';
import { openPrivateFolder } from '../shell/temporary-folder.ts';
import { openSession } from '../shell/session.ts';

const shellHere = (): string => ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(existsSync) ?? '/bin/sh';

export function openLocalSession({ cwd: start, env, logs, runProgram }: OpenTerminalOptions): Terminal {
  const room = openPrivateFolder();
  const file = shellHere();
  const shell = file.endsWith('/bash') ? 'bash' : 'sh';
  // A shell at level one whose input is a socket takes itself for a remote login and reads ~/.bashrc.
  const launch = (script: string, cwd: string): ProgramLaunch => ({
    file,
    args: ['-c', script],
    cwd,
    env: { SHLVL: '1', ...env, PWD: cwd },
    mark: createCommandId(),
  });
  return openSession(
    {
      kind: 'local',
      files: localFiles,
      shell,
      room: room?.path,
      roomHere: room?.path,
      given: Object.keys(env),
      launch,
      standing: nearestExisting,
      ...(logs !== undefined && {
        outliving: async (command, from, cwd, options) => {
          const { startLogged } = await import('./logged.ts');
          return startLogged({ command, shell, from, cwd, logs, launch, options });
        },
      }),
      ...(runProgram !== undefined &&
        room !== undefined && {
          runElsewhere: async (given, command, options) => {
            const { runInEditor } = await import('./in-editor.ts');
            return runInEditor(given, command, options, { runProgram, room: room.path });
          },
        }),
      close: async () => room?.close(),
    },
    start,
  );
}

/** The folder itself, or the nearest above it that is still there: a command may have removed the one it stood in. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
