/** Temporary files of the tests in memory where there is room: a quarter of the suite's time is waiting for a disk nobody reads. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Nothing where there is no such folder, little room in it, or programs in it cannot be started. */
export function openTempFolder(): ({ readonly folder: string } & Disposable) | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return undefined;
    // A short name: sockets lie below it, whose paths may have 107 characters.
    const folder = mkdtempSync(join(IN_MEMORY, 'ht-'));
    // As the usual folder is: some tests go on as another user.
    chmodSync(folder, 0o1777);
    const place = { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    if (runsPrograms(folder)) return place;
    place[Symbol.dispose]();
  } catch {
    // Not every system has one, and not everybody may write to it: the usual folder does as well.
  }
  return undefined;
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}
