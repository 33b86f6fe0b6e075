import { homedir } from 'node:os';
import type { Files } from '../../contracts/files.ts';
import type { Terminal, TerminalInfo } from '../../contracts/terminal.ts';

/**
 * A terminal that is opened by its first use, or by `ready`; not in advance, for many sessions never run a command. Until then it stands in the folder it was asked for, with the
 * home of this machine's user; `ready` is awaited before anything is decided by either.
 */
export function deferTerminal(kind: string, cwd: string, open: () => Promise<Terminal>, place?: TerminalInfo): Terminal {
  let terminal: Terminal | undefined;
  let opening: Promise<Terminal> | undefined;
  // A place that could not be opened is tried again by the next who needs it.
  const opened = (): Promise<Terminal> =>
    (opening ??= open().then(
      (found) => (terminal = found),
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    ));
  const files = async (): Promise<Files> => (await opened()).files;
  return {
    kind,
    ...(place !== undefined && { place }),
    get cwd() {
      return terminal?.cwd ?? cwd;
    },
    get wall() {
      return terminal?.wall;
    },
    ready: async () => void (await opened()),
    prepare: async () => terminal?.prepare?.(),
    carried: () => terminal?.carried?.() ?? [],
    run: async (command, options) => (await opened()).run(command, options),
    start: async (command, options) => (await opened()).start(command, options),
    files: {
      get home() {
        return terminal?.files.home ?? homedir();
      },
      real: async (path) => (await files()).real(path),
      stat: async (path) => (await files()).stat(path),
      read: async function* (path, signal) {
        yield* (await files()).read(path, signal);
      },
      open: async (path) => (await files()).open?.(path),
      write: async (path, bytes) => (await files()).write(path, bytes),
      rename: async (from, to) => (await files()).rename(from, to),
      remove: async (path) => (await files()).remove(path),
      list: async (folder) => (await files()).list(folder),
    },
    [Symbol.asyncDispose]: async () => {
      await opening?.catch(() => undefined);
      await terminal?.[Symbol.asyncDispose]();
    },
  };
}
