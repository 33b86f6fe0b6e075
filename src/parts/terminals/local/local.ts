import { lazy } from '../../../base/lazy.ts';
import type { OpenTerminalOptions, Terminal, TerminalBackend } from '../../../contracts/terminal.ts';
import { localFiles } from '../files/local.ts';

/** Commands on this machine, each in a process group of its own. */
export const localTerminal: TerminalBackend = {
  kind: 'local',
  open: async (options) => openLocal(options),
};

/** Many sessions never run a command: what running one needs is loaded and made for the first. */
function openLocal(given: OpenTerminalOptions): Terminal {
  let session: Terminal | undefined;
  let isClosed = false;
  const opened = lazy(async () => (session = (await import('./session.ts')).openLocalSession(given)));
  return {
    kind: 'local',
    files: localFiles,
    get cwd() {
      return session?.cwd ?? given.cwd;
    },
    prepare: async (expected) => (isClosed ? undefined : (await opened()).prepare?.(expected)),
    carried: () => session?.carried?.() ?? [],
    run: async (command, options) => (await opened()).run(command, options),
    start: async (command, options) => (await opened()).start(command, options),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await session?.[Symbol.asyncDispose]();
    },
  };
}
