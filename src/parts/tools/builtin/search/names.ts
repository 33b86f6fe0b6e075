import { relative, sep } from 'node:path';
import { glob, isGlob } from '../files/glob.ts';
import { BadPattern, type FileQuery } from './query.ts';

/** Does a file's name fit a search for names? A word without wildcards is looked for anywhere in the name. */
export function nameMatcher({ mode, pattern, root, fileGlob }: FileQuery): (path: string) => boolean {
  if (mode !== 'files') return () => true;
  const wanted = compiled(isGlob(pattern) ? pattern : `*${pattern}*`);
  const narrowed = fileGlob === undefined ? () => true : compiled(fileGlob);
  return (path) => {
    const name = below(root, path);
    return wanted(name) && narrowed(name);
  };
}

/** The path a glob speaks of. */
export const below = (root: string, path: string): string => (relative(root, path) || path).split(sep).join('/');

export function compiled(pattern: string): (path: string) => boolean {
  try {
    return glob(pattern);
  } catch {
    throw new BadPattern(`${pattern} is not a glob; write for example *.ts or src/**/*.{js,ts}`);
  }
}
