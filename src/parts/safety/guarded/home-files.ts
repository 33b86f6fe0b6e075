import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { toStamp, tryLstat } from './file-state.ts';
import { listSourced } from './sourced.ts';
import { findGuardedRow } from './table.ts';

/** What shells, editors and terminals of the owner read at their start, by their names in the home; and links among folders of settings. */
export function listHomeFiles(home: string): readonly string[] {
  const isRead = (name: string): boolean => READ.has(name) || ['start-up file', 'editor task'].includes(findGuardedRow(name)?.what ?? '');
  return [
    ...namesIn(home)
      .filter(isRead)
      .map((name) => join(home, name)),
    ...namesIn(join(home, '.config'))
      .map((name) => join(home, '.config', name))
      .filter((path) => tryLstat(path)?.isSymbolicLink() === true),
  ];
}
const READ: ReadonlySet<string> = new Set('.bash_aliases .aliases .inputrc .vim .emacs.d .xprofile .xsession .xinitrc'.split(' '));

/** What such a file runs or reads in these folders; a path that is not from the root is meant in whatever folder the owner stands in. */
export function listRunFromHome(path: string, roots: readonly string[]): readonly string[] {
  const found = tryLstat(path);
  if (found?.isFile() !== true || found.size > MAX_BYTES) return [];
  const stamp = `${toStamp(found)} ${roots.join('\0')}`;
  const known = KNOWN.get(path);
  if (known?.stamp === stamp) return known.files;
  const files = readFrom(path, roots);
  KNOWN.set(path, { stamp, files });
  return files;
}
const MAX_BYTES = 1_048_576n;
const KNOWN = new Map<string, { readonly stamp: string; readonly files: readonly string[] }>();

function readFrom(path: string, roots: readonly string[]): readonly string[] {
  try {
    const { files } = listSourced(path, readFileSync(path, 'latin1'), [homedir(), ...roots]);
    return files.filter((file) => roots.some((root) => isWithin(root, file)));
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
