import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../../../base/within.ts';

/** Folders of a skill that hold its further files. */
export const SUPPORT: readonly string[] = ['references', 'templates', 'scripts', 'assets', 'examples'];

export type LocatedFile =
  | { readonly ok: true; /** Absolute. */ readonly path: string; /** Below the folder, with `/`. */ readonly name: string }
  | { readonly ok: false; readonly words: string };

/** A file inside a folder by its relative name; it need not be there yet. Names that climb and links that lead out are refused. */
export function locate(folder: string, given: string): LocatedFile {
  const name = given
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  const wrong = wrongWith(name);
  if (wrong !== undefined) return refused(given, wrong);
  try {
    const home = realpathSync(folder);
    const path = realOf(join(home, ...name.split('/')));
    if (path === undefined) return refused(given, 'it is a link that leads nowhere');
    return isWithin(home, path) ? { ok: true, path, name } : refused(given, 'it is a link that leads out of the skill');
  } catch {
    return refused(given, 'a part of it is not a folder, or may not be looked into');
  }
}

export const isSupport = (name: string): boolean => SUPPORT.includes(name.split('/', 1)[0] ?? '') && name.includes('/');

/** Longest name file systems take. */
const MAX_NAME = 255;

function wrongWith(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.startsWith('/') || name.startsWith('~') || /^[a-z]:/i.test(name)) return 'it must be relative to the folder of the skill';
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'it holds control characters';
  const parts = name.split('/');
  if (parts.includes('..')) return 'it must not climb with ..';
  if (parts.some((part) => part === '' || part.startsWith('.'))) return 'none of its parts may be empty or begin with a dot';
  return parts.some((part) => Buffer.byteLength(part) > MAX_NAME) ? 'one of its parts is too long' : undefined;
}
const refused = (name: string, why: string): LocatedFile => ({
  ok: false,
  words: `${JSON.stringify(name.slice(0, 200))} is refused: ${why}.`,
});

/** Where a path leads, its last parts not being there yet; `undefined` for a link to nothing. */
function realOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSymbolicLink()) return realpathSync(path);
  if (found !== undefined) return behind(path);
  const above = realOf(dirname(path));
  return above === undefined ? undefined : join(above, basename(path));
}

function behind(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}
