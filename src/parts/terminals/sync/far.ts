import type { RemoteShell } from '../line/line.ts';
import { runFar } from '../line/run.ts';
import type { SyncSource, RemoteFile } from './plan.ts';
import { listScript, readList } from './there.ts';

/** The other side of a sync. */
export interface SyncTarget {
  readonly line: RemoteShell;
  /** `~/.hermes` there. */
  readonly root: string;
  readonly maxBytes: number;
}

export const LIMITS = { timeoutMs: 600_000, maxOutput: 32 * 1024 * 1024 } as const;

/** Throws what the script said when it failed. */
export async function say({ line }: SyncTarget, script: string, stdin?: Buffer): Promise<string> {
  const { exitCode, output } = await runFar(line, script, {
    ...LIMITS,
    signal: new AbortController().signal,
    ...(stdin !== undefined && { stdin }),
  });
  if (exitCode === 0) return output;
  throw new Error(output.trim() || `a script there ended with ${exitCode ?? 'nothing'}`);
}

export const list = async (far: SyncTarget, sources: readonly SyncSource[]): Promise<RemoteFile[]> =>
  readList(
    await say(
      far,
      listScript(
        far.root,
        sources.map(({ to }) => to),
      ),
    ),
  );
