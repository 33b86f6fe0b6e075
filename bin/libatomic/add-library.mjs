/**
 * Gives a Node for Linux the libatomic.so.1 beside this file: node add-library.mjs FOLDER/bin/node
 * The library goes into FOLDER/lib, and the program gets a RUNPATH, so that every process finds it there, also one that is started
 * without our environment. Runs on any Node that npm runs on.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNPATH = Buffer.from('$ORIGIN/../lib\0');
const ARCHITECTURES = { 62: 'x64', 183: 'arm64' };
const [PT_LOAD, PT_DYNAMIC] = [1, 2];
const [DT_NULL, DT_STRTAB, DT_STRSZ, DT_RUNPATH] = [0n, 5n, 10n, 29n];
const SMALLEST_PAGE = 4096;

const node = realpathSync(process.argv[2]);
const folder = join(dirname(node), '..', 'lib');
const changed = `${node}.${process.pid}`;
try {
  // A copy: the file may have another link, in the store of a package manager.
  copyFileSync(node, changed);
  const architecture = addRunpath(changed);
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'libatomic.so.1');
  copyFileSync(join(dirname(fileURLToPath(import.meta.url)), `${architecture}.so`), `${library}.${process.pid}`);
  renameSync(`${library}.${process.pid}`, library);
  chmodSync(changed, 0o755);
  const { status, stderr } = spawnSync(changed, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`with libatomic.so.1 it does not start either: ${stderr.trim()}`);
  renameSync(changed, node);
} catch (error) {
  rmSync(changed, { force: true });
  console.error(`${node}: ${error.message}`);
  process.exit(1);
}

/**
 * The string goes behind the first segment, into what its last page has left; the entry takes the place of a spare one, which
 * linkers leave at the end of the table.
 */
function addRunpath(file) {
  const descriptor = openSync(file, 'r+');
  const read = (size, position) => {
    const bytes = Buffer.alloc(size);
    readSync(descriptor, bytes, 0, size, Number(position));
    return bytes;
  };
  const write = (value, position) => writeSync(descriptor, typeof value === 'bigint' ? word(value) : value, 0, undefined, Number(position));
  try {
    const header = read(64, 0);
    const architecture = ARCHITECTURES[header.readUInt16LE(18)];
    if (header.toString('latin1', 0, 5) !== '\x7fELF\x02' || architecture === undefined) throw new Error('not a program for Linux on x64 or arm64');
    const segments = readSegments(header, read);
    const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
    const table = readTable(read(Number(dynamic.size), dynamic.offset));
    const entry = (tag) => table.find((row) => row.tag === tag);
    if (entry(DT_RUNPATH) !== undefined) throw new Error('it has a RUNPATH already');
    const strings = entry(DT_STRTAB).value;
    const segment = segments.find(({ type, address, size }) => type === PT_LOAD && address <= strings && strings < address + size);
    const end = segment.offset + segment.size;
    const room = SMALLEST_PAGE - (Number(end) % SMALLEST_PAGE);
    const spare = entry(DT_NULL).index;
    if (room < RUNPATH.length || read(room, end).some((byte) => byte !== 0) || spare > table.length - 2) throw new Error('it has no room for a RUNPATH');

    const place = segment.address + segment.size - strings;
    const length = BigInt(RUNPATH.length);
    write(RUNPATH, end);
    for (const field of [32n, 40n]) write(segment.size + length, segment.header + field);
    write(place + length, dynamic.offset + BigInt(entry(DT_STRSZ).index * 16 + 8));
    write(Buffer.concat([word(DT_RUNPATH), word(place)]), dynamic.offset + BigInt(spare * 16));
    return architecture;
  } finally {
    closeSync(descriptor);
  }
}

function readSegments(header, read) {
  const [first, size, count] = [header.readBigUInt64LE(32), header.readUInt16LE(54), header.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const position = first + BigInt(index * size);
    const row = read(size, position);
    const [offset, address, , inFile] = [8, 16, 24, 32].map((field) => row.readBigUInt64LE(field));
    return { header: position, type: row.readUInt32LE(0), offset, address, size: inFile };
  });
}

function readTable(bytes) {
  return Array.from({ length: bytes.length / 16 }, (_, index) => ({
    index,
    tag: bytes.readBigUInt64LE(index * 16),
    value: bytes.readBigUInt64LE(index * 16 + 8),
  }));
}

function word(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
