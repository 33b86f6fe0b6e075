import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, identifyOwnProcess } from '../../../base/process-identity.ts';

/** A folder that is gone when it is closed, at the end of the process, or when the next one of its kind is made. */
export interface TemporaryFolder {
  readonly path: string;
  close(): void;
  /** Closes it beside other work: where folders of it were mounted, the system takes milliseconds for each. */
  remove(): Promise<void>;
}

/** For one session's snapshots. In memory where there is a place for that: what was exported then never reaches a disk, and no flush is waited for. */
export function openPrivateFolder(): TemporaryFolder | undefined {
  for (const above of ['/dev/shm', tmpdir()]) {
    try {
      accessSync(above, constants.W_OK);
      const room = openTemporaryFolder(above, 'hermes-shell-');
      for (const file of ['a', 'b']) writeFileSync(join(room.path, file), '', { mode: 0o600 });
      return room;
    } catch {
      // A full or foreign folder: the next one. Without any, commands run all the same and leave nothing behind.
    }
  }
  return undefined;
}

/** Closed to everybody else. Not everybody who opens a terminal gets to close it, and a process may be killed. */
export function openTemporaryFolder(above: string, prefix: string): TemporaryFolder {
  sweep(above, prefix);
  const path = mkdtempSync(join(above, `${prefix}${process.pid}-${space()}-`));
  // One listener for all: a process may hold many.
  if (OPEN.size === 0) process.once('exit', removeAll);
  OPEN.add(path);
  const forget = () => {
    if (OPEN.delete(path) && OPEN.size === 0) process.removeListener('exit', removeAll);
  };
  return {
    path,
    close: () => {
      remove(path);
      forget();
    },
    remove: async () => {
      // What it cannot remove is opened up first.
      await rm(path, REMOVAL).catch(() => remove(path));
      forget();
    },
  };
}
/** Removes what lies in a folder, whatever commands made of it, but for these names. */
export async function emptyFolder(path: string, but: readonly string[] = []): Promise<void> {
  const inner = readdirSync(path).filter((name) => !but.includes(name));
  await Promise.all(inner.map((name) => rm(join(path, name), REMOVAL).catch(() => remove(join(path, name)))));
}
const OPEN = new Set<string>();
const REMOVAL = { recursive: true, force: true, maxRetries: 3 } as const;
const remove = (path: string): void => {
  try {
    rmSync(path, REMOVAL);
  } catch {
    // Commands may have left folders that nobody may look into, not even their owner.
    openUp(path);
    rmSync(path, REMOVAL);
  }
};
function openUp(folder: string): void {
  chmodSync(folder, 0o700);
  for (const item of readdirSync(folder, { withFileTypes: true })) if (item.isDirectory()) openUp(join(folder, item.name));
}
const removeAll = (): void => OPEN.forEach(remove);

/** The namespace pids are counted in: containers may share a folder, and there a pid means another process. */
const space = (): string => identifyOwnProcess().space.replaceAll(/\D/g, '') || '0';

/** What a process of ours left that was killed: its pid is in the name. */
function sweep(above: string, prefix: string): void {
  for (const name of readdirSync(above)) {
    const [, pid, where] = name.startsWith(prefix) ? (/^(\d+)-(\d+)-\w+$/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid === undefined || where !== space() || isAlive({ pid: Number(pid), started: '' })) continue;
    try {
      rmSync(join(above, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}
