import { dirname } from 'node:path';
import { isExpendable } from './paths.ts';
import type { ShellContext } from './shell-context.ts';

/** Programs are found here by their name, whoever's machine it is: `~/bin`, a toolchain's own, a virtual environment's, shims. */
const PROGRAMS = /\/(?:s?bin|shims|Scripts)(?:\/[^/]+)?$/;
/** A project's own programs, which the agent is meant to install: its packages and its virtual environment. */
const OF_PROJECT = /\/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/;

/**
 * Whether whoever types a program's name later may get this file. What lies in the working folder is the project's, unless the
 * owner's own shell looks for programs there.
 */
export function isProgramPlace(path: string, place: ShellContext): boolean {
  const inside = isExpendable(path, place);
  const searched = [path, dirname(path)].find((each) => place.programFolders?.includes(each));
  if (searched !== undefined) return !(inside && OF_PROJECT.test(searched));
  return !inside && PROGRAMS.test(path);
}
