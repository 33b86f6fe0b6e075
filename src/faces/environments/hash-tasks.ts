import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isWithin } from '../../base/within.ts';
import type { LoadedEnvironment } from '../../contracts/environment.ts';

/**
 * What the tasks are: their data, and the content of the files and folders they name. Only paths below one of the folders count as
 * such: others may be meant for the place the model works in.
 */
export function hashTasks({ evaluation, training = [] }: LoadedEnvironment, folders: readonly string[]): string {
  const hash = createHash('sha256');
  const mark = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && isFileBelow(value, folders) ? `files:${hashFiles(value)}` : value;
  // One by one: a data set may be longer than a text can be.
  for (const [kind, tasks] of Object.entries({ evaluation, training }))
    for (const task of tasks) hash.update(`${kind} ${JSON.stringify(task, mark)}\n`);
  return hash.digest('hex');
}

const isFileBelow = (text: string, folders: readonly string[]): boolean =>
  isAbsolute(text) &&
  !/[\0\n]/.test(text) &&
  folders.some((folder) => folder !== text && isWithin(folder, text)) &&
  lstatSync(text, { throwIfNoEntry: false }) !== undefined;

/** Names, contents, where links lead, and what may be run. */
function hashFiles(path: string): string {
  const hash = createHash('sha256');
  const add = (here: string, name: string): void => {
    const found = lstatSync(here);
    const kind = found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : found.isFile() ? 'file' : 'other';
    hash.update(`${JSON.stringify([name, kind, kind === 'file' ? found.mode & 0o100 : 0, kind === 'file' ? found.size : 0])}\n`);
    if (kind === 'link') hash.update(readlinkSync(here));
    if (kind === 'file') hash.update(readFileSync(here));
    if (kind === 'folder') for (const below of readdirSync(here).toSorted()) add(join(here, below), below);
    hash.update(kind === 'folder' ? 'end\n' : '\n');
  };
  add(path, '');
  return hash.digest('hex');
}
