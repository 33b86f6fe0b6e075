import { toErrorMessage } from '../../../base/errors.ts';
import { withFileLock } from '../../../base/file-lock.ts';
import type { RemoteShell } from '../line/line.ts';
import { pullFiles, type SyncBackOptions } from './pull.ts';
import type { SyncTarget } from './far.ts';
import { listLocalFiles } from './here.ts';
import { MAX_BYTES, type SentFile } from './plan.ts';
import { findSentFiles, pushFiles } from './push.ts';

export interface SyncOptions extends SyncBackOptions {
  /** A file of the profile beside which the lock lies: two sessions do not take back at once. */
  readonly lock: string;
  /** Before every command, not only every five seconds (`HERMES_FORCE_FILE_SYNC`). */
  readonly force?: boolean;
  readonly now?: () => number;
  /** Milliseconds before another try to take files back. */
  readonly waits?: readonly number[];
  /** Most bytes of one transfer. */
  readonly maxBytes?: number;
}
export interface Sync {
  /** Brings what changed along. Trouble is a notice; the command runs all the same. */
  push(): Promise<void>;
  /** Takes what changed there back. Trouble is a notice. */
  back(): Promise<void>;
}

const EVERY_MS = 5_000;
const WAITS = [2_000, 4_000] as const;

export function openSync(line: RemoteShell, home: string, options: SyncOptions): Sync {
  const root = `${home}/.hermes`;
  const { now = Date.now, notice, maxBytes = MAX_BYTES } = options;
  const far: SyncTarget = { line, root, maxBytes };
  let sent: ReadonlyMap<string, SentFile> | undefined;
  let last = -Infinity;
  let busy: Promise<void> | undefined;
  const push = async () => {
    try {
      const here = listLocalFiles(options.sources);
      sent = await pushFiles(far, sent ?? (await findSentFiles(far, options.sources, here)), here);
    } catch (error) {
      notice(`Files of the profile could not be brought to ${line.name}: ${toErrorMessage(error)}. The next command tries again.`);
    }
    last = now();
  };
  return {
    push: async () => {
      if (options.force !== true && now() - last < EVERY_MS) return;
      await (busy ??= push().finally(() => (busy = undefined)));
    },
    back: async () => {
      if (sent !== undefined)
        await withRetries(options, line.name, () => withFileLock(options.lock, () => pullFiles(far, options, sent ?? new Map())));
    },
  };
}
async function withRetries({ waits = WAITS, notice }: SyncOptions, name: string, work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const wait = waits[tries];
      if (wait === undefined)
        return notice(
          `Files changed on ${name} could not be taken back after ${tries + 1} tries: ${toErrorMessage(error)}. They are still there, in ~/.hermes.`,
        );
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
