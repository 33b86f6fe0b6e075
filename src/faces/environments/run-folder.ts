import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../base/replace-file.ts';

/** Writes a file of figures whole or not at all. */
export function writeFigures(path: string, value: object): void {
  replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** What a run makes before it is known to begin. A run that is refused leaves nothing of it. */
export interface RunFolder extends Disposable {
  /** Removes the home of a run that was refused: nothing came beside it. Call it while the run still has its claim. */
  removeUnusedHome(): void;
}
export const RUN_HOME = 'home';
export const RUN_CLAIM = 'run.lock';

/** Looks at the folder before anything is made in it, or it is made. */
export function watchRunFolder(out: string): RunFolder {
  const missing = listMissing(out);
  const before = new Set(missing.length > 0 ? [] : readdirSync(out));
  const isOwn = (name: string): boolean => name === RUN_HOME || name.startsWith(RUN_CLAIM);
  return {
    removeUnusedHome: () => {
      if (!before.has(RUN_HOME) && readdirSync(out).every((name) => before.has(name) || isOwn(name)))
        rmSync(join(out, RUN_HOME), { recursive: true, force: true });
    },
    [Symbol.dispose]: () => removeEmpty(missing),
  };
}

/** The folders that are still to be made for a path, itself first. */
const listMissing = (path: string): readonly string[] => (existsSync(path) ? [] : [path, ...listMissing(dirname(path))]);

/** Stops at the first that has something in it. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {}
}
