import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { readPageSize } from './salvage-pages.ts';

/** The first bytes of a database say what it is; everything else can be read without them but for what they say. */
const HEADER = 100;
const MAGIC = 'SQLite format 3\0';
const PAGES = 28;
const FREE_LIST = 32;
const LARGEST_ROOT = 52;
const INCREMENTAL = 64;

/**
 * Where a damaged store can be read: the file itself, or, where only its header is broken, a copy with the header of a fresh store of the same
 * shape. The copy goes away with the result.
 */
export function withSoundHeader(path: string, fresh: string): Disposable & { readonly path: string } {
  if (isSound(readHeader(path))) return { path, [Symbol.dispose]: () => {} };
  const copy = `${path}.header`;
  const files = ['', '-wal', '-shm'];
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const header = readHeader(fresh);
  header.writeUInt32BE(Math.floor(statSync(path).size / readPageSize(header)), PAGES);
  // Free pages are not looked for: nothing is written to the copy.
  header.fill(0, FREE_LIST, FREE_LIST + 8);
  // Nor are the pages that tell which page belongs where: whether this file has them is not known.
  header.fill(0, LARGEST_ROOT, LARGEST_ROOT + 4);
  header.fill(0, INCREMENTAL, INCREMENTAL + 4);
  const file = openSync(copy, 'r+');
  writeSync(file, header, 0, HEADER, 0);
  closeSync(file);
  return { path: copy, [Symbol.dispose]: () => files.forEach((end) => rmSync(copy + end, { force: true })) };
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER);
  const file = openSync(path, 'r');
  readSync(file, header, 0, HEADER, 0);
  closeSync(file);
  return header;
}

/** The name, a page size that can be, and the figures that never differ. */
function isSound(header: Buffer): boolean {
  const size = readPageSize(header);
  const fixed = header[21] === 64 && header[22] === 32 && header[23] === 32;
  return header.toString('latin1', 0, MAGIC.length) === MAGIC && size >= 512 && (size & (size - 1)) === 0 && fixed;
}
