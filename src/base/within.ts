import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is the folder or lies below it, by its name alone: links are the caller's to follow first. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
