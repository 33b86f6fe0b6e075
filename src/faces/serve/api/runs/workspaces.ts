import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Session, SessionStore } from '../../../../contracts/session-store.ts';

/**
 * The folders that sessions of programs work in. Most of them stay empty, and each conversation has one. So one in which nothing
 * lies goes with the last session that is open in it, and is made again when one is opened there.
 */
export interface Workspaces {
  enter(session: Session): void;
  leave(session: Session): Promise<void>;
  /** Removes what a process that was killed left empty. Before the first session is opened. */
  clear(): Promise<void>;
}
export interface WorkspacesDeps {
  readonly store: Pick<SessionStore, 'processes' | 'find'>;
  readonly makeWorkspace: (scope: string) => string;
  /** Containers that outlive their sessions hold their folders: an empty one stays. */
  readonly keepsWorkspaces: boolean;
}

export function createWorkspaces({ store, makeWorkspace, keepsWorkspaces }: WorkspacesDeps): Workspaces {
  const prefix = makeWorkspace('');
  const sessions = new Map<string, number>();
  const isOurs = (cwd: string): boolean => cwd.startsWith(prefix) && /^[0-9a-f]{16}$/.test(cwd.slice(prefix.length));
  /** Where processes go on that outlive their sessions. */
  const listHeld = async (): Promise<ReadonlySet<string>> => {
    const found = await Promise.all((await store.processes.list()).map(({ sessionId }) => store.find(sessionId)));
    return new Set(found.flat().map(({ cwd }) => cwd));
  };
  return {
    enter: ({ cwd }) => {
      mkdirSync(cwd, { recursive: true, mode: 0o700 });
      sessions.set(cwd, (sessions.get(cwd) ?? 0) + 1);
    },
    leave: async ({ cwd }) => {
      const left = (sessions.get(cwd) ?? 1) - 1;
      sessions.set(cwd, left);
      if (left > 0) return;
      sessions.delete(cwd);
      if (keepsWorkspaces || !isOurs(cwd)) return;
      const held = await listHeld();
      if (!held.has(cwd) && !sessions.has(cwd)) removeEmpty(cwd);
    },
    clear: async () => {
      if (keepsWorkspaces) return;
      const held = await listHeld();
      const all = listNames(dirname(prefix)).flatMap((name) => (name.startsWith(basename(prefix)) ? [join(dirname(prefix), name)] : []));
      for (const cwd of all) if (isOurs(cwd) && !held.has(cwd)) removeEmpty(cwd);
    },
  };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nobody has worked there yet.
    return [];
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something lies in it, or it is gone.
  }
}
