import { openSync, closeSync, readSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { lazyByKey } from '../../../base/lazy.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { ListFolder } from './folders.ts';

const SYSTEM = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
/** A project that brings its own interpreter means to: whoever calls that runs the project knowingly. */
const OWN_INTERPRETERS = /^(?:python|pip|pydoc|wheel|node|npm|npx|corepack|ruby|gem|bundle|rake|perl|activate)/i;

/**
 * Folders of a `PATH` that lie in a project, as an activated environment puts them there. An entry that is no path from the root
 * (`./node_modules/.bin`, or nothing at all) means one in whatever folder the owner stands in.
 */
export const listProgramFolders = (path: string, roots: readonly string[], folders: readonly string[] = roots): readonly string[] =>
  path
    .split(delimiter)
    .flatMap((entry) => (isAbsolute(entry) ? [entry] : entry === '' && path === '' ? [] : folders.map((folder) => join(folder, entry))))
    .filter((folder) => roots.some((root) => isWithin(root, folder)));

/** Programs in such a folder that stand in the place of one of the owner's: the next `ls`, `git` or `docker` would be this one. */
export function listShadowing(folder: string, list: ListFolder, options: ShadowingOptions): readonly string[] {
  const { files = [], links = [] } = list(folder) ?? {};
  const isShadowing = createShadowCheck(folder, list, options);
  return [...files, ...links].filter(isShadowing).map((name) => join(folder, name));
}

/** Whether a program of this name would, if it were there. */
export function createShadowCheck(folder: string, list: ListFolder, { programs, roots }: ShadowingOptions): (name: string) => boolean {
  const namesIn = (path: string) => ({ path, names: list(realFolder(path))?.names });
  const system = SYSTEM.map(namesIn);
  const own = [...new Set(programs.flatMap((path) => path.split(delimiter)))]
    .filter((each) => isAbsolute(each) && !SYSTEM.includes(each) && !roots.some((root) => isWithin(root, each)))
    .map(namesIn);
  const isShadowing = (name: string): boolean =>
    system.some(({ names }) => names?.has(name) === true) ||
    own.some(({ path, names }) => names?.has(name) === true && !isOfSameKind(join(path, name), folder, list));
  return (name) => !OWN_INTERPRETERS.test(name) && isShadowing(name);
}
export interface ShadowingOptions {
  /** `PATH` as each session has it. */
  readonly programs: readonly string[];
  readonly roots: readonly string[];
}

const realFolder = lazyByKey((path) => realPath(path) ?? path);

/** The owner's is a tool of the same language, as a package manager installs it: projects bring their own versions of those. */
const isOfSameKind = (program: string, folder: string, list: ListFolder): boolean =>
  folder.endsWith('/node_modules/.bin')
    ? (realPath(program) ?? '').includes('/node_modules/')
    : list(join(folder, '..'))?.names.has('pyvenv.cfg') === true && /^#!.*python/.test(firstLine(program));

const firstLine = lazyByKey((path) => {
  const head = Buffer.alloc(256);
  try {
    const file = openSync(path, 'r');
    try {
      return head.toString('latin1', 0, readSync(file, head)).split('\n', 1)[0] ?? '';
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
});
