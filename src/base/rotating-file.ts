import { appendFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './folders.ts';

const MAX_BYTES = 5_000_000;
const MAX_OLD = 3;

/** Appends lines to a file that never grows beyond a bound: what is older moves on, and goes in the end. A disk that is full costs the line and nothing else. */
export function openRotatingFile(path: string): (line: string) => void {
  const folder = dirname(path);
  makeFolder(folder);
  return (line) => {
    try {
      // It may be deleted meanwhile. What it lies in is not made again: a home that was removed stays removed.
      if (!existsSync(folder) && existsSync(dirname(folder))) makeFolder(folder);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) rotate(path);
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // The next line may find room.
    }
  };
}

function rotate(path: string): void {
  rmSync(`${path}.${MAX_OLD}`, { force: true });
  for (let age = MAX_OLD - 1; age >= 1; age--) moveIfThere(`${path}.${age}`, `${path}.${age + 1}`);
  renameSync(path, `${path}.1`);
}
function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
