import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { Trustable } from '../entries/trust.ts';
import type { ShellHook } from './read-shell-hooks.ts';

/** Larger ones are not looked at, and what nobody looked at is not run. */
const MAX_BYTES = 50_000_000;

/** What is trusted with a command: its words, and the content of every file that they name. */
export interface HashedCommand extends Trustable {
  readonly files: readonly string[];
}

/** Reads anew what changed: the time a file's record changed cannot be set by anybody. Throws for a file that cannot be read. */
export function createScriptHash(root: string): (hook: Pick<ShellHook, 'event' | 'argv' | 'trustName'>) => HashedCommand {
  const known = new Map<string, { readonly stamp: string; readonly hash: string }>();
  const hashFile = (path: string): string => {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    const stamp = [ino, size, mtimeNs, ctimeNs].join(':');
    const before = known.get(path);
    if (before?.stamp === stamp) return before.hash;
    if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES / 1_000_000} MB`);
    const hash = sha256(readFileSync(path));
    known.set(path, { stamp, hash });
    return hash;
  };
  return ({ event, argv, trustName }) => {
    const files = listNamedFiles(argv, root);
    return { name: trustName, hash: sha256(JSON.stringify([event, argv, files.map((path) => [path, hashFile(path)])])), files };
  };
}

/** Programs that are found by their name alone belong to the system; everything else that is named is the owner's. */
export const listNamedFiles = (argv: readonly string[], root: string): readonly string[] =>
  argv
    .filter((word, index) => index > 0 || word.includes('/'))
    .map((word) => resolve(root, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
