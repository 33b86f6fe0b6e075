import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './folders.ts';
import { realPath } from './real-path.ts';

/**
 * Writes a file so that a reader, or a crash, meets the old text or the new one and nothing between. A text that is too long to be held
 * comes in pieces. Throws what the system says.
 */
export function replaceFile(path: string, text: string | Iterable<string>, mode?: number): void {
  makeFolder(dirname(path));
  const target = resolveLinks(path);
  const fresh = `${target}.${process.pid}.new`;
  try {
    writeDurably(fresh, text, mode ?? modeOf(target) ?? 0o600);
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function writeDurably(path: string, text: string | Iterable<string>, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    fchmodSync(file, mode);
    // Not writeSync: on a disk that is nearly full it writes a part and says nothing.
    for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const modeOf = (path: string): number | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.mode & 0o777;
};

/** A file kept elsewhere and linked stays a link. */
export const resolveLinks = (path: string): string => realPath(path) ?? path;
