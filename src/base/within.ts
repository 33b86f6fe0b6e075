import { isAbsolute, relative, sep } from 'node:path';

/** Whether a word names one thing in a folder, and leads nowhere else: what a place lists is that place's word. */
export const isEntryName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);

/** Whether a path is the folder or lies below it, by its name alone: links are the caller's to follow first. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
