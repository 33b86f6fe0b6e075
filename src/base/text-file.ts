import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { toErrorMessage } from './errors.ts';

export type TextFile =
  | { readonly ok: true; readonly text: string }
  /** `missing` is no trouble; anything else is worth one line to the owner. */
  | { readonly ok: false; readonly missing: boolean; readonly why: string };

/** Reads a text file that somebody else wrote: it may be unreadable, binary, huge, a folder, a pipe or a loop of links. */
export function readTextFile(path: string, mostBytes: number): TextFile {
  try {
    // A pipe with nobody at its other end would otherwise hold the caller for ever.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpen(file, mostBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { ok: false, missing: code === 'ENOENT' || code === 'ENOTDIR', why: toErrorMessage(error) };
  }
}

function readOpen(file: number, mostBytes: number): TextFile {
  const found = fstatSync(file);
  if (!found.isFile()) return refused('it is not a plain file');
  if (found.size > mostBytes) return refused(`it has ${found.size} bytes; ${mostBytes} are the most that is read`);
  // One byte more: a file that grows while it is read must not slip past the bound.
  const bytes = Buffer.alloc(Math.min(found.size, mostBytes) + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length < bytes.length; length += got) got = readSync(file, bytes, length, bytes.length - length, null);
  return decode(bytes.subarray(0, Math.min(length, mostBytes)));
}

function decode(bytes: Buffer): TextFile {
  if (bytes.includes(0)) return refused('it is binary');
  try {
    return { ok: true, text: UTF8.decode(bytes) };
  } catch {
    return refused('it is not UTF-8 text');
  }
}
/** Takes a byte order mark away. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const refused = (why: string): TextFile => ({ ok: false, missing: false, why });
