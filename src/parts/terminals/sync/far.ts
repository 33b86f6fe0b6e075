import type { RemoteShell } from '../line/line.ts';
import { runRemote } from '../line/run.ts';
import type { SyncSource, RemoteFile } from './plan.ts';
import { createListScript, readList } from './there.ts';

/** The other side of a sync. */
export interface SyncTarget {
  readonly line: RemoteShell;
  /** `~/.hermes` there. */
  readonly root: string;
  readonly maxBytes: number;
}

export const LIMITS = { timeoutMs: 600_000, maxOutput: 32 * 1024 * 1024 } as const;

/** Throws what the script said when it failed. */
export async function runSyncScript({ line }: SyncTarget, script: string, stdin?: Buffer): Promise<string> {
  const { exitCode, output } = await runRemote(line, script, {
    ...LIMITS,
    signal: new AbortController().signal,
    ...(stdin !== undefined && { stdin }),
  });
  if (exitCode === 0) return output;
  throw new Error(output.trim() || `a script there ended with ${exitCode ?? 'nothing'}`);
}

export const listRemoteFiles = async (far: SyncTarget, sources: readonly SyncSource[]): Promise<RemoteFile[]> =>
  readList(
    await runSyncScript(
      far,
      createListScript(
        far.root,
        sources.map(({ to }) => to),
      ),
    ),
  );
