import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';

/** More than any snapshot is allowed to be. */
const MAX_BYTES = 1024 * 1024;

export const isRoomFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * A file of a room that commands may write to, read by us: nothing for anything else that stands in its place. A link would
 * lead to where the command itself could not look, a pipe or a device would never end.
 */
export function readRoomFile(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
