import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../base/process-identity.ts';

/** A folder for one session's snapshots, closed to everybody else. */
export interface PrivateRoom {
  readonly path: string;
  close(): void;
}

/** In memory where the system has a place for that: what a session exported then never reaches a disk, and no flush is waited for. */
export function privateRoom(): PrivateRoom | undefined {
  for (const above of ['/dev/shm', tmpdir()]) {
    try {
      accessSync(above, constants.W_OK);
      sweep(above);
      return roomIn(above);
    } catch {
      // A full or foreign folder: the next one. Without any, commands run all the same and leave nothing behind.
    }
  }
  return undefined;
}

const PREFIX = 'hermes-shell-';

/** Gone at the end of the process as well: not everybody who opens a terminal gets to close it. */
function roomIn(above: string): PrivateRoom {
  const path = mkdtempSync(join(above, `${PREFIX}${process.pid}-`));
  for (const file of ['a', 'b']) writeFileSync(join(path, file), '', { mode: 0o600 });
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  const close = () => {
    process.removeListener('exit', remove);
    remove();
  };
  return { path, close };
}

/** What a process of ours left that was killed: its pid is in the name. */
function sweep(above: string): void {
  for (const name of readdirSync(above)) {
    const pid = /^hermes-shell-(\d+)-\w+$/.exec(name)?.[1];
    if (pid === undefined || isAlive({ pid: Number(pid), started: '' })) continue;
    try {
      rmSync(join(above, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}
