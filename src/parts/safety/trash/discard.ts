import { chmodSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { holdFolder, type HeldFolder } from './held.ts';

/** Where what is being deleted goes first: nobody but us reaches it by a name. */
const GOING = 'going';

/**
 * Deletes something out of a folder that others write to. It is taken out of their reach by one rename, and taken apart
 * folder by folder from there: somebody who still holds one of them open can put what he likes in it, and lead nowhere.
 * What resists stays among what is going, for the next time.
 */
export function discard(trash: string, from: HeldFolder, name: string): void {
  const going = join(trash, GOING);
  makeFolder(going);
  try {
    away(from, name, going);
  } catch {
    return; // gone meanwhile
  }
  clearDiscarded(trash);
}

/** Folders that are found are put beside the first ones, one more level with each round. Somebody may go on filling one for ever. */
const MAX_ROUNDS = 1_000;

/** Also what an earlier process that was killed had begun with. */
export function clearDiscarded(trash: string): void {
  const going = join(trash, GOING);
  let before: readonly string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const names = namesIn(going);
    // What is still there resists: the system refuses.
    if (names.every((name) => before.includes(name))) return;
    for (const name of names) clearOne(going, name);
    before = names;
  }
}

function namesIn(path: string): string[] {
  using folder = holdFolder(path);
  return folder?.items().map(({ name }) => name) ?? [];
}

function clearOne(going: string, name: string): void {
  try {
    using folder = holdFolder(join(going, name));
    if (folder === undefined) return unlinkSync(join(going, name));
    chmodSync(folder.path, 0o700);
    for (const item of folder.items())
      if (item.isDirectory()) away(folder, item.name, going);
      else unlinkSync(`${folder.path}/${item.name}`);
    rmdirSync(join(going, name));
  } catch {
    // The next round, or the next time.
  }
}

/** A folder that may not be written to may not be moved either. */
function away(from: HeldFolder, name: string, going: string): void {
  using folder = holdFolder(`${from.path}/${name}`);
  if (folder !== undefined) chmodSync(folder.path, 0o700);
  renameSync(`${from.path}/${name}`, join(going, randomHex(12) + randomHex(12)));
}
