import { lazy } from '../../base/lazy.ts';
import type { Terminal, TerminalBackend } from '../../contracts/terminal.ts';
import { localFiles } from './files/local.ts';

/** Commands on this machine, each in a process group of its own. */
export const localTerminal: TerminalBackend = {
  kind: 'local',
  open: async ({ cwd, env }) => openLocal(cwd, env),
};

/** Many sessions never run a command: what running one needs is loaded and made for the first. */
function openLocal(start: string, env: Readonly<Record<string, string>>): Terminal {
  let session: Terminal | undefined;
  const opened = lazy(async () => (session = (await import('./local-session.ts')).openLocalSession(start, env)));
  return {
    kind: 'local',
    files: localFiles,
    get cwd() {
      return session?.cwd ?? start;
    },
    run: async (command, options) => (await opened()).run(command, options),
    start: async (command, options) => (await opened()).start(command, options),
    [Symbol.asyncDispose]: async () => session?.[Symbol.asyncDispose](),
  };
}
