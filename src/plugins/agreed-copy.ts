import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../base/folders.ts';
import { hashContent } from './content.ts';

/** Nobody starts from a copy for so long: its plugin was updated or removed. */
const UNUSED_MS = 30 * 86_400_000;

/** Where the copies of a profile lie. */
export const findAgreedCopies = (home: string): string => join(home, 'cache', 'plugin-code');

/**
 * A copy of a plugin's folder in which every byte is what was agreed to, or nothing when the folder is not that. It runs
 * from the copy, so a change in the folder, between the look at it and the moment a file is loaded, changes nothing of what runs.
 */
export function keepAgreedCopy(folder: string, hash: string, below: string): string | undefined {
  makeFolder(below);
  const kept = join(below, hash);
  if (!isAgreed(kept, hash)) {
    const fresh = mkdtempSync(join(below, 'new-'));
    // Whoever writes a plugin links to the folder they work in.
    cpSync(realpathSync(folder), fresh, { recursive: true, verbatimSymlinks: true });
    if (isAgreed(fresh, hash)) putInPlace(fresh, kept, hash);
    rmSync(fresh, { recursive: true, force: true });
    removeUnused(below);
    if (!isAgreed(kept, hash)) return undefined;
  }
  utimesSync(kept, new Date(), new Date());
  endPackageSearch(below);
  return kept;
}

/** Node.js looks for a package.json above the code it runs: one of the owner's is neither for the plugin to read nor to go by. */
function endPackageSearch(below: string): void {
  const path = join(below, 'package.json');
  if (!existsSync(path)) writeFileSync(path, '{}\n');
}

function putInPlace(fresh: string, kept: string, hash: string): void {
  // Another process may have been quicker, and runs from its copy.
  if (isAgreed(kept, hash)) return;
  rmSync(kept, { recursive: true, force: true });
  renameSync(fresh, kept);
}

function removeUnused(below: string): void {
  for (const path of readdirSync(below).map((name) => join(below, name)))
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > UNUSED_MS)
      rmSync(path, { recursive: true, force: true });
}

function isAgreed(folder: string, hash: string): boolean {
  try {
    return hashContent(folder) === hash;
  } catch {
    return false;
  }
}
