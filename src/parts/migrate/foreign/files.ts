import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { MigrationItem, MigrationKind } from '../../../contracts/services/migration.ts';
import type { ForeignText } from './foreign-home.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads the text files of a home. One that cannot be read is noted; it does not keep the others out. */
export interface HomeReader {
  readonly folder: string;
  /** A file by its path below the home; `undefined` when there is none or it cannot be read. */
  read(kind: MigrationKind, name: string, maxBytes?: number): ForeignText | undefined;
  /** Does something with a file that may be damaged: what it throws is noted too. */
  attempt<Value>(kind: MigrationKind, name: string, work: () => Value): Value | undefined;
  /** What could not be read. */
  unread(): readonly MigrationItem[];
}

export function createHomeReader(folder: string): HomeReader {
  const unread = new Map<string, MigrationItem>();
  const note = (kind: MigrationKind, name: string, why: string): undefined =>
    void unread.set(name, { kind, name, state: 'left', why: `it could not be read: ${why}` });
  return {
    folder,
    read: (kind, name, maxBytes = MAX_BYTES) => {
      const file = readTextFile(join(folder, name), maxBytes);
      if (file.ok) return { name, text: file.text };
      return file.missing ? undefined : note(kind, name, file.why);
    },
    attempt: (kind, name, work) => {
      try {
        return work();
      } catch (error) {
        return note(kind, name, toErrorMessage(error));
      }
    },
    unread: () => [...unread.values()],
  };
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
