import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { tryLstat } from './file-state.ts';
import { listHomeFiles, listRunFromHome } from './home-files.ts';
import { MAX_SOURCES, RUN_BY } from './look.ts';
import { isRunByGit } from './named-paths.ts';
import { listSourced } from './sourced.ts';
import { findGuardedRow, type GuardedKind } from './table.ts';

/** Where such files lie besides the folder itself. */
const HOOK_FOLDERS = ['.git/hooks', '.husky', '.githooks'];
const MAX_BYTES = 65_536n;

/** Whether a file, which need not be there yet, is one that settings of git, a hook or a start-up file around it run or read. A real path. */
export function isRunLater(path: string, roots: readonly string[]): boolean {
  const root = roots.find((each) => isWithin(each, path));
  if (root === undefined) return false;
  if (isRunByGit(path, roots) || listHomeFiles(homedir()).some((file) => isRunFromHome(path, file, roots))) return true;
  for (let folder = dirname(path); isWithin(root, folder); folder = dirname(folder)) {
    const files = ['.', ...HOOK_FOLDERS].flatMap((name) => namesIn(join(folder, name)).map((file) => join(folder, name, file)));
    if (files.some((file) => leadsTo(path, file, findGuardedRow(relative(root, file))?.what, folder))) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

function isRunFromHome(path: string, file: string, roots: readonly string[]): boolean {
  const target = realPath(file);
  return target !== undefined && (isWithin(target, path) || listRunFromHome(target, roots).includes(path));
}

/** Whether a file of this kind runs the other one, itself or by those that it runs. */
function leadsTo(path: string, file: string, what: GuardedKind | undefined, folder: string, depth = 0): boolean {
  const next = what === undefined ? undefined : RUN_BY[what];
  if (next === undefined || depth > MAX_SOURCES) return false;
  const { files } = listSourced(file, readSmall(file), next === 'git program' ? [folder] : []);
  return files.includes(path) || files.some((each) => each !== file && leadsTo(path, each, next, folder, depth + 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readSmall(path: string): string {
  const found = tryLstat(path);
  try {
    return found?.isFile() === true && found.size <= MAX_BYTES ? readFileSync(path, 'latin1') : '';
  } catch {
    return '';
  }
}
