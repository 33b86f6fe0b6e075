import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import type { ListFolder } from './folders.ts';

const SYSTEM = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
/** A project that brings its own interpreter means to: whoever calls that runs the project knowingly. */
const OWN_INTERPRETERS = /^(?:python|pip|pydoc|wheel|node|npm|npx|corepack|ruby|gem|bundle|rake|perl|activate)/i;

/** Folders of a `PATH` that lie in a project, as an activated environment puts them there. */
export const listProgramFolders = (path: string, roots: readonly string[]): readonly string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder) && roots.some((root) => isWithin(root, folder)));

/** Programs in such a folder that stand in the place of the system's: the owner's next `ls` or `git` would be this one. */
export const listShadowing = (folder: string, list: ListFolder): readonly string[] => {
  const { files = [], links = [] } = list(folder) ?? {};
  return [...files, ...links]
    .filter((name) => !OWN_INTERPRETERS.test(name) && SYSTEM.some((system) => existsSync(join(system, name))))
    .map((name) => join(folder, name));
};
