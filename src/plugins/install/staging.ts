import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { FileLockError, lookAtHolderFile } from '../../base/holder-file.ts';
import { randomHex } from '../../base/ids.ts';
import { KINDS } from '../discover.ts';

/**
 * A folder beside the plugins in which a new version is made. Its parts:
 * - `new/NAME`: what is being made; never looked at by anybody else;
 * - `old/PATH`: the version that is being replaced, under the path it has below `plugins`. While it lies here and nothing lies at
 *   its own place, it is the one that counts, and the next start puts it back;
 * - `gone`: what nobody needs any more.
 * Every step between them is one rename, so a kill leaves one whole version that can be told from the rest.
 */
const STAGING = '.staging-';
const NAMELESS_MS = 4_000;
/** Whoever changes folders of plugins holds it. */
const lockOf = (plugins: string): string => join(plugins, '.install');

/** Runs work that changes folders of plugins, after what a killed process left behind was put in order. */
export function changeFolders<Value>(plugins: string, work: () => Promise<Value>): Promise<Value> {
  makeFolder(plugins);
  return withFileLock(lockOf(plugins), async () => {
    putInOrder(plugins);
    return work();
  });
}

/** For every start: puts back what an update that was killed had put aside, and removes what it was making. */
export async function repairFolders(plugins: string): Promise<void> {
  if (listStaging(plugins).length === 0) return;
  try {
    // A lock that names nobody was left by a process that was killed while it made it; it counts for a moment only.
    const waitMs = lookAtHolderFile(`${lockOf(plugins)}.lock`)?.holder === undefined ? NAMELESS_MS : 0;
    await withFileLock(lockOf(plugins), () => putInOrder(plugins), { waitMs });
  } catch (error) {
    // Somebody is at work here, or the folder cannot be written to; then nothing else can be done either.
    if (!(error instanceof FileLockError)) throw error;
  }
}

const listStaging = (plugins: string): readonly string[] =>
  existsSync(plugins) ? readdirSync(plugins).filter((name) => name.startsWith(STAGING)) : [];

function putInOrder(plugins: string): void {
  for (const name of listStaging(plugins)) {
    const staging = join(plugins, name);
    const old = join(staging, 'old');
    for (const path of listOld(old)) if (!existsSync(join(plugins, path))) renameSync(join(old, path), join(plugins, path));
    discard(staging);
  }
}

/** One name, below the folder of its kind or not. */
function listOld(old: string): readonly string[] {
  if (!existsSync(old)) return [];
  return readdirSync(old).flatMap((name) =>
    KINDS.some((kind) => kind === name) ? readdirSync(join(old, name)).map((below) => join(name, below)) : [name],
  );
}

/** What lies in `old` counts until it is called `gone`: a removal that is cut off must not leave half of it there. */
function discard(staging: string): void {
  const old = join(staging, 'old');
  if (existsSync(old)) renameSync(old, join(staging, `gone-${randomHex(4)}`));
  rmSync(staging, { recursive: true, force: true });
}

/** Has a folder made for `new/NAME`, and puts it to `path` below `plugins`: what is there is replaced as a whole or not at all. */
export async function replaceFolder(plugins: string, path: string, make: (folder: string) => Promise<boolean>): Promise<boolean> {
  const staging = join(plugins, `${STAGING}${randomHex(8)}`);
  const fresh = join(staging, 'new', path.split('/').at(-1) ?? path);
  try {
    makeFolder(fresh);
    if (!(await make(fresh))) return false;
    const [target, old] = [join(plugins, path), join(staging, 'old', path)];
    if (existsSync(target)) {
      makeFolder(dirname(old));
      renameSync(target, old);
    }
    try {
      renameSync(fresh, target);
    } catch (error) {
      if (existsSync(old)) renameSync(old, target);
      throw error;
    }
    return true;
  } finally {
    // When even putting it back failed, the next start does it.
    if (existsSync(join(plugins, path)) || !existsSync(join(staging, 'old', path))) discard(staging);
  }
}

/** Takes a folder away with one rename; what is left of it afterwards counts for nothing. */
export function removeFolder(plugins: string, path: string): void {
  const staging = join(plugins, `${STAGING}${randomHex(8)}`);
  makeFolder(staging);
  renameSync(join(plugins, path), join(staging, 'gone'));
  rmSync(staging, { recursive: true, force: true });
}
