import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import { isSupport } from './inside.ts';
import { isWithin } from '../../../base/within.ts';

export interface LinkedFile {
  /** Below the folder of the skill, with `/`. */
  readonly path: string;
  readonly bytes: number;
}
export interface SkillFiles {
  readonly files: readonly LinkedFile[];
  /** Everything that is a link, wherever it leads. */
  readonly links: readonly string[];
  /** There are more than are looked at. */
  readonly more: boolean;
}

const MAX_FILES = 1_000;
const DEEPEST = 8;
/** More than this is no longer hashed; such a skill counts as changed. */
const MAX_HASHED = 64 * 1024 * 1024;
/** What running a script leaves behind is no part of a skill. */
const LEFT_BEHIND = new Set(['node_modules', '__pycache__']);
/** A write that was killed leaves its unfinished copy. */
export const UNFINISHED = /\.\d+\.new$/;

/** Every file of a skill, sorted. Links count when they lead to a file of the same skill. */
export function listSkillFiles(folder: string): SkillFiles {
  const home = realpathSync(folder);
  const files: LinkedFile[] = [];
  const links: string[] = [];
  const walk = (path: string, name: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      if (files.length > MAX_FILES) return;
      const [at, called] = [join(path, entry.name), name === '' ? entry.name : `${name}/${entry.name}`];
      if (entry.isDirectory()) {
        if (depth < DEEPEST) walk(at, called, depth + 1);
        continue;
      }
      if (entry.isSymbolicLink()) links.push(called);
      const found = fileAt(at, entry, home);
      if (found !== undefined) files.push({ path: called, bytes: found });
    }
  };
  walk(home, '', 1);
  return { files: files.slice(0, MAX_FILES), links, more: files.length > MAX_FILES };
}

const entriesOf = (path: string): Dirent[] =>
  readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !LEFT_BEHIND.has(name) && !UNFINISHED.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

function fileAt(path: string, entry: Dirent, home: string): number | undefined {
  try {
    if (entry.isSymbolicLink() && !isWithin(home, realpathSync(path))) return undefined;
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

/** What `skill_view` lists: everything below the folders for further files. */
export const listSupportFiles = (folder: string): SkillFiles => {
  const all = listSkillFiles(folder);
  return { ...all, files: all.files.filter(({ path }) => isSupport(path)) };
};

export type FileHashes = Readonly<Record<string, string>>;

/** The hash of every file; `undefined` for a folder that is gone or too much to look through. */
export function hashSkillFiles(folder: string): FileHashes | undefined {
  try {
    const { files, more } = listSkillFiles(folder);
    if (more || files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_HASHED) return undefined;
    return Object.fromEntries(files.map(({ path }) => [path, sha256(readFileSync(join(folder, path)))]));
  } catch {
    return undefined;
  }
}

/** One hash for the whole state. */
export const hashSkillState = (hashes: FileHashes): string =>
  sha256(
    Object.keys(hashes)
      .toSorted()
      .map((path) => `${path}\0${hashes[path]}`)
      .join('\n'),
  );
