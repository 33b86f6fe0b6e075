import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { createHolder, isGone, lookAtHolderFile, takeHolderFile } from '../../base/holder-file.ts';

const PREFIX = '.hermes-profile-';
const HOLDER = 'holder';
/** Whether somebody on another machine still works there cannot be asked; no copy takes this long. */
const OLD_MS = 86_400_000;

/** A place for ourselves alone, which goes when it is disposed of. */
export interface Staging extends Disposable {
  /** Where a profile is laid out. */
  readonly folder: string;
  /** For what is made of it, on the same disk. */
  readonly besideIt: string;
}

/** Makes one, and removes those that processes left here when they died: they hold keys in plain text. */
export function openStaging(parent: string): Staging {
  removeLeftOnes(parent);
  const besideIt = makePlace(parent);
  takeHolderFile(join(besideIt, HOLDER), createHolder(), OLD_MS);
  const folder = join(besideIt, 'profile');
  mkdirSync(folder, { mode: 0o700 });
  return { folder, besideIt, [Symbol.dispose]: () => rmSync(besideIt, { recursive: true, force: true }) };
}

function makePlace(parent: string): string {
  try {
    return mkdtempSync(join(parent, PREFIX));
  } catch (error) {
    throw new UsageError(
      `nothing can be written in ${parent}: ${toErrorMessage(error)}. Choose another folder, or change its permissions.`,
      {
        cause: error,
      },
    );
  }
}

/** What cannot be read or removed stays: it is in nobody's way. */
function removeLeftOnes(parent: string): void {
  try {
    const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
    for (const path of names.map((name) => join(parent, name))) if (isLeft(path)) rmSync(path, { recursive: true, force: true });
  } catch {}
}

function isLeft(path: string): boolean {
  const { uid, mtimeMs } = lstatSync(path);
  if (uid !== process.getuid?.()) return false;
  const found = lookAtHolderFile(join(path, HOLDER));
  // One without a name in it is being made at this moment, or is very old.
  return found === undefined ? Math.abs(Date.now() - mtimeMs) > OLD_MS : isGone(found, OLD_MS);
}
