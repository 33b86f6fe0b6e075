import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../../../base/text-file.ts';
import type { ForeignText } from './foreign-home.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** A text file below a folder; `undefined` when there is none. One that cannot be read throws with its name. */
export function readBelow(folder: string, name: string): ForeignText | undefined {
  const file = readTextFile(join(folder, name), MAX_BYTES);
  if (file.ok) return { name, text: file.text };
  if (file.missing) return undefined;
  throw new Error(`${join(folder, name)} could not be read: ${file.why}`);
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Names of folders in a folder, sorted; hidden ones are not among them. Links are not followed. */
export const listFolders = (path: string): string[] =>
  isFolder(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .toSorted()
    : [];

export const listFiles = (path: string, end: string): string[] =>
  isFolder(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(end))
        .map(({ name }) => name)
        .toSorted()
    : [];

/** Folders with a SKILL.md, at most some levels below a folder, by their path from there. */
export function listSkillFolders(path: string, levels: number, above: readonly string[] = []): readonly (readonly string[])[] {
  return listFolders(path).flatMap((name) => {
    const here = [...above, name];
    if (existsSync(join(path, name, 'SKILL.md'))) return [here];
    return levels > 1 ? listSkillFolders(join(path, name), levels - 1, here) : [];
  });
}
