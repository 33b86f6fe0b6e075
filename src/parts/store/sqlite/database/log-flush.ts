import { closeSync, fdatasync, openSync } from 'node:fs';

/**
 * Brings what was committed to the log onto the disk itself, beside the work of this thread. Whoever asks while a flush runs
 * shares the next one: however many commits there are, the disk is waited for once.
 */
export interface LogFlush {
  /** Settles when everything that was committed before the call is on the disk. */
  flush(): Promise<void>;
  /** Lets go of the file once what was asked for is done. */
  close(): void;
}

/** SQLite holds no lock on its log: opening and closing it takes none away. */
export function openLogFlush(log: string): LogFlush {
  let file: number | undefined;
  let next: PromiseWithResolvers<void> | undefined;
  let [isRunning, isClosed] = [false, false];
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    while (next !== undefined) {
      const { resolve, reject } = next;
      next = undefined;
      await sync(() => (file ??= openSync(log, 'r+'))).then(resolve, reject);
    }
    isRunning = false;
    if (isClosed) close();
  };
  return {
    flush: () => {
      const { promise } = (next ??= Promise.withResolvers());
      if (!isRunning) void run();
      return promise;
    },
    close: () => {
      isClosed = true;
      if (!isRunning) close();
    },
  };
}

const sync = (open: () => number): Promise<void> =>
  new Promise((resolve, reject) => {
    fdatasync(open(), (error) => (error === null ? resolve() : reject(error)));
  });
