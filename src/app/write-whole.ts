import { closeSync, fchmodSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UsageError } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';

/** Writes a file so that a reader, or a crash, meets the old text or the new one and nothing between. */
export function writeWhole(path: string, text: string, mode?: number): void {
  try {
    makeFolder(dirname(path));
    const target = behindLinks(path);
    const fresh = `${target}.${process.pid}.new`;
    try {
      writeDurably(fresh, text, mode ?? modeOf(target) ?? 0o600);
      renameSync(fresh, target);
    } finally {
      rmSync(fresh, { force: true });
    }
  } catch (error) {
    throw new UsageError(
      `${path} could not be written: ${messageOf(error)}. Nothing was changed; make its folder writable for you, or name another with HERMES_HOME.`,
    );
  }
}

function writeDurably(path: string, text: string, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    fchmodSync(file, mode);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const modeOf = (path: string): number | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.mode & 0o777;
};

/** A settings file kept elsewhere and linked stays a link. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
