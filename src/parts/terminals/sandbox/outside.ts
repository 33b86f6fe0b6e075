import type { OpenTerminalOptions, RunOptions, RunResult, RunningProcess, StartOptions, Terminal } from '../../../contracts/terminal.ts';

/** Commands that run at this machine itself, from where the shell inside stands. */
export interface OutsideShell extends AsyncDisposable {
  run(command: string, options: RunOptions): Promise<RunResult>;
  start(command: string, options: StartOptions): Promise<RunningProcess>;
}

/**
 * Each command has a shell of its own, in the folder where the shell inside stands; nothing of it goes back in. And nothing
 * comes out: a function, an alias or a variable that a command inside left would decide what the words outside mean.
 */
export function openOutside(cwd: () => string, given: OpenTerminalOptions): OutsideShell {
  const opened: Terminal[] = [];
  const open = async (): Promise<Terminal> => {
    const { openLocalSession } = await import('../local/session.ts');
    const shell = openLocalSession({ ...given, cwd: cwd() });
    opened.push(shell);
    return shell;
  };
  return {
    run: async (command, options) => {
      const shell = await open();
      try {
        return await shell.run(command, options);
      } finally {
        opened.splice(opened.indexOf(shell), 1);
        await shell[Symbol.asyncDispose]();
      }
    },
    start: async (command, options) => (await open()).start(command, options),
    [Symbol.asyncDispose]: async () => void (await Promise.all(opened.map((shell) => shell[Symbol.asyncDispose]()))),
  };
}
