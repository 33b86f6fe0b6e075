import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { toPrintable } from '../../../base/printable.ts';
import type { WriteLog } from '../contract.ts';

const MAX_BYTES = 5_000_000;
const MAX_OLD = 3;

export const findLogFile = (root: string): string => join(root, 'logs', 'gateway.log');

/** Writes lines with their time to a file that never grows beyond a bound: what is older moves on, and goes in the end. */
export function createLogFile(path: string, redact: (text: string) => string, now: () => number = Date.now): WriteLog {
  makeFolder(dirname(path));
  return (words) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) rotate(path);
      appendFileSync(path, `${new Date(now()).toISOString()} ${toPrintable(redact(words))}\n`, { mode: 0o600 });
    } catch {
      // A disk that is full must not stop the gateway.
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
