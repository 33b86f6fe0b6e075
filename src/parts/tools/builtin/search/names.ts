import { relative, sep } from 'node:path';
import { createGlobMatcher, isGlob } from '../files/glob.ts';
import { BadPattern, type FileQuery } from './query.ts';

/** Does a file's name fit a search for names? A word without wildcards is looked for anywhere in the name. */
export function createNameMatcher({ mode, pattern, root, fileGlob }: FileQuery): (path: string) => boolean {
  if (mode !== 'files') return () => true;
  const wanted = compileGlob(isGlob(pattern) ? pattern : `*${pattern}*`);
  const narrowed = fileGlob === undefined ? () => true : compileGlob(fileGlob);
  return (path) => {
    const name = toGlobPath(root, path);
    return wanted(name) && narrowed(name);
  };
}

/** The path a glob speaks of. */
export const toGlobPath = (root: string, path: string): string => (relative(root, path) || path).split(sep).join('/');

export function compileGlob(pattern: string): (path: string) => boolean {
  try {
    return createGlobMatcher(pattern);
  } catch {
    throw new BadPattern(`${pattern} is not a glob; write for example *.ts or src/**/*.{js,ts}`);
  }
}
