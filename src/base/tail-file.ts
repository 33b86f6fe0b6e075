import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isMissing } from './errors.ts';

const LOOK_MS = 300;
const MAX_READ = 65_536;

/** More than any number of lines that a person reads; a log of several hundred megabytes is not a string. */
const MAX_TAIL = 16_777_216;

/** The last lines of a text file; none where there is no file. Only its end is read. */
export function readTail(path: string, lines: number): readonly string[] {
  const bytes = withFile(path, (file) => readEnd(file, lines));
  const text = bytes?.toString('utf8').trimEnd() ?? '';
  return text === '' || lines === 0 ? [] : text.split('\n').slice(-lines);
}

function readEnd(file: number, lines: number): Buffer {
  const { size } = fstatSync(file);
  let bytes = Buffer.alloc(0);
  for (let length = MAX_READ; ; length *= 4) {
    const from = Math.max(0, size - length);
    const buffer = Buffer.alloc(size - from);
    bytes = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, from));
    // One line more than asked for: the first may be cut, and the last may be empty.
    if (from === 0 || length >= MAX_TAIL || bytes.filter((byte) => byte === 10).length > lines + 1) return bytes;
  }
}

/**
 * Whole lines that are written to a file from now on, until the signal aborts. A file that is not there yet, or that another one
 * took the place of (rotation), is read from its beginning.
 */
export const followFile = (path: string, signal: AbortSignal): AsyncGenerator<readonly string[]> => follow(path, lookAt(path), signal);

async function* follow(path: string, from: FilePlace, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  let at = from;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    const piece = readFrom(path, at);
    if (piece.inode !== at.inode || piece.isShorter) rest = Buffer.alloc(0);
    at = piece;
    const bytes = Buffer.concat([rest, piece.bytes]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield bytes.toString('utf8', 0, end - 1).split('\n');
    if (piece.bytes.length < MAX_READ) await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface FilePlace {
  /** Which file has this name; 0 while there is none. */
  readonly inode: number;
  readonly position: number;
}

function lookAt(path: string): FilePlace {
  return withFile(path, (file) => ({ inode: fstatSync(file).ino, position: fstatSync(file).size })) ?? { inode: 0, position: 0 };
}

function readFrom(path: string, { inode, position }: FilePlace): FilePlace & { readonly bytes: Buffer; readonly isShorter: boolean } {
  const read = withFile(path, (file) => {
    const { ino, size } = fstatSync(file);
    const isShorter = size < position;
    const from = ino === inode && !isShorter ? position : 0;
    const buffer = Buffer.alloc(MAX_READ);
    const bytes = buffer.subarray(0, readSync(file, buffer, 0, MAX_READ, from));
    return { inode: ino, position: from + bytes.length, bytes, isShorter };
  });
  return read ?? { inode: 0, position: 0, bytes: Buffer.alloc(0), isShorter: false };
}

function withFile<Result>(path: string, use: (file: number) => Result): Result | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
