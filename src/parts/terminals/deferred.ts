import { homedir } from 'node:os';
import type { Files } from '../../contracts/files.ts';
import type { Terminal, TerminalInfo } from '../../contracts/terminal.ts';

export interface DeferredTerminal {
  readonly kind: string;
  readonly cwd: string;
  readonly place?: TerminalInfo | undefined;
  open(): Promise<Terminal>;
  /** What a use is told when the place could not be opened. An opening for a command that is only on its way has nobody to tell. */
  fail(error: unknown): never;
}

/**
 * A terminal that is opened by its first use, by `ready`, or on this machine for a command that is on its way; not earlier, for
 * many sessions never run a command. Until then it stands in the folder it was asked for, with the home of this machine's user;
 * `ready` is awaited before anything is decided by either.
 */
export function deferTerminal({ kind, cwd, place, open, fail }: DeferredTerminal): Terminal {
  let terminal: Terminal | undefined;
  let opening: Promise<Terminal> | undefined;
  let isClosed = false;
  // A place that could not be opened is tried again by the next who needs it.
  const start = (): Promise<Terminal> =>
    (opening ??= open().then(
      (found) => (terminal = found),
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    ));
  const opened = (): Promise<Terminal> => start().catch(fail);
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
    prepare: async (expected) => {
      if (isClosed) return;
      const found = expected?.isCalled === true && place?.onThisMachine === true ? await start().catch(() => undefined) : terminal;
      if (!isClosed) await found?.prepare?.(expected);
    },
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
      isClosed = true;
      await opening?.catch(() => undefined);
      await terminal?.[Symbol.asyncDispose]();
    },
  };
}
