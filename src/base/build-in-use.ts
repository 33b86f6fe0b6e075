import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createHolder, isGone, lookAtHolderFile, releaseHolderFile, takeHolderFile } from './holder-file.ts';

/** The folder beside the builds in which processes say which one they run. */
export const IN_USE = '.in-use';
/** A mark of another machine that is older is taken for forgotten. */
const FAR_MS = 30 * 86_400_000;

/** Says until the end of this process that it needs its build, so that a later one does not remove it. */
export function markBuildInUse(build: string): void {
  const folder = join(dirname(build), IN_USE);
  // Only builds of a checkout come and go.
  if (!existsSync(folder)) return;
  const mine = createHolder();
  const path = join(folder, `${basename(build)}@${mine.token}`);
  try {
    if (takeHolderFile(path, mine, FAR_MS)) process.once('exit', () => releaseHolderFile(path, mine));
  } catch {
    // The checkout belongs to somebody else. The build stays for a while anyway.
  }
}

/** Whether a process runs this build; a mark that cannot be read counts as one that does. */
export const isInUse = (build: string): boolean =>
  findMarks(build).some((path) => {
    try {
      const found = lookAtHolderFile(path);
      return found !== undefined && !isGone(found, FAR_MS);
    } catch {
      return true;
    }
  });

/** Removes what killed processes have left of their marks. */
export const clearMarks = (build: string): void => findMarks(build).forEach((path) => rmSync(path, { force: true }));

function findMarks(build: string): readonly string[] {
  const folder = join(dirname(build), IN_USE);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(`${basename(build)}@`)).map((name) => join(folder, name));
}
