import { measureFolder } from '../../../base/folder-size.ts';
import { measureProcesses } from '../../../base/process-sizes.ts';
import { watchUse, type UseWatch } from '../../../base/watch-use.ts';
import type { SandboxKeeper } from './keeper.ts';

export interface TemporaryLimitOptions {
  /** How much all temporary files of the session may take, in megabytes; 0 means no limit. */
  readonly mb: number;
  /** Where they lie on the host, besides what the keeper knows. */
  readonly folders: readonly string[];
  readonly keeper: Pick<SandboxKeeper, 'inside' | 'endInside'>;
  /** Removes them; nothing runs any more. */
  empty(): Promise<void>;
}
/** Commands of one session share a bound on their temporary files: beyond it all that runs is ended and the files are removed. */
export interface TemporaryLimit {
  /** A command begins, after any removal under way. */
  begin(): Promise<LimitedCommand>;
  close(): void;
}
interface LimitedCommand {
  /** Why it was ended, as a sentence for the model; nothing when it was not. */
  stopped(): string | undefined;
  end(): void;
}

/**
 * A check, because the kernel has none that fits: the files lie on the disk and not in memory, and a limit on the size of a file
 * (`RLIMIT_FSIZE`) would hold for files of the project too.
 */
export function limitTemporaryFiles({ mb, folders, keeper, empty }: TemporaryLimitOptions): TemporaryLimit {
  const most = mb * 1e6;
  const running = new Set<{ stopped?: string }>();
  let watch: UseWatch | undefined;
  let emptied = Promise.resolve();
  const look = async () => {
    const { programs, memory } = keeper.inside();
    let bytes = measureProcesses(programs).deletedBytes;
    for (const folder of [...folders, ...memory]) bytes += (await measureFolder(folder, { bytes: most, files: Infinity })).bytes;
    return { activity: String(bytes), ...(bytes > most && { excess: describeFull(mb) }) };
  };
  const stopAll = (stopped: string): void => {
    for (const command of running) command.stopped = stopped;
    watch = undefined;
    // What cannot be removed is found by the next look.
    emptied = keeper
      .endInside()
      .then(empty)
      .catch(() => {});
  };
  return {
    begin: async () => {
      await emptied;
      if (mb > 0) watch ??= watchUse({ look: () => look().catch(() => ({ activity: '' })) }, stopAll);
      watch?.expectWork();
      const command: { stopped?: string } = {};
      running.add(command);
      return { stopped: () => command.stopped, end: () => void running.delete(command) };
    },
    close: () => watch?.stop(),
  };
}

const describeFull = (mb: number): string =>
  `ended with everything else that ran in the sandbox: the session's temporary files ($TMPDIR) took more than ${mb} MB and were removed. Write large files to the working directory. The owner can change the limit: terminal.sandbox_temp_mb`;
