import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import { syncFolder, UNFINISHED, writeWhole } from './durable.ts';
import { isHash } from './model.ts';

export interface CheckpointBlobs {
  /** Stores bytes under their hash and gives what that added to the disk: nothing when they are there already. */
  put(hash: string, bytes: Uint8Array): Promise<number>;
  has(hash: string): boolean;
  /** The bytes, checked against their name. Throws when they are gone or damaged. */
  read(hash: string): Buffer;
  /** Makes everything put since the last time durable by name, too. */
  settle(): void;
  sizes(): ReadonlyMap<string, number>;
  remove(hash: string): void;
  /** What writers that are gone left behind. */
  sweep(olderThan: number): void;
}

/** How the bytes after the first are to be read. */
const PLAIN = 0x70;
const PACKED = 0x7a;
/** Below this a smaller file takes the same block of the disk. */
const WORTH_PACKING = 1_024;
const GAIN = 0.9;

export function openBlobs(folder: string): CheckpointBlobs {
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash.slice(2));
  const unsettled = new Set<string>();
  return {
    put: async (hash, bytes) => {
      const path = pathOf(hash);
      if (existsSync(path)) return 0;
      const packed = pack(bytes);
      await writeWhole(path, packed);
      unsettled.add(dirname(path));
      return packed.length;
    },
    has: (hash) => existsSync(pathOf(hash)),
    read: (hash) => unpack(readFileSync(pathOf(hash)), hash),
    settle: () => {
      for (const shelf of unsettled) syncFolder(shelf);
      if (unsettled.size > 0) syncFolder(folder);
      unsettled.clear();
    },
    sizes: () => new Map(filesOf(folder).flatMap(({ hash, path }) => (isHash(hash) ? [[hash, sizeOf(path)] as const] : []))),
    remove: (hash) => rmSync(pathOf(hash), { force: true }),
    sweep: (olderThan) => {
      for (const { path } of filesOf(folder))
        if (path.endsWith(UNFINISHED) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < olderThan)
          rmSync(path, { force: true });
    },
  };
}

function pack(bytes: Uint8Array): Buffer {
  const plain = () => Buffer.concat([Buffer.of(PLAIN), bytes]);
  if (bytes.length < WORTH_PACKING) return plain();
  const { zstdCompressSync, constants } = process.getBuiltinModule('node:zlib');
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return packed.length < bytes.length * GAIN ? Buffer.concat([Buffer.of(PACKED), packed]) : plain();
}

function unpack(stored: Buffer, hash: string): Buffer {
  const inside = stored.subarray(1);
  const bytes = stored[0] === PACKED ? process.getBuiltinModule('node:zlib').zstdDecompressSync(inside) : inside;
  if (sha256(bytes) !== hash) throw new Error(`what was kept as ${hash.slice(0, 12)} is damaged`);
  return bytes;
}

const filesOf = (folder: string): { readonly hash: string; readonly path: string }[] =>
  names(folder).flatMap((shelf) =>
    names(join(folder, shelf)).map((name) => ({ hash: `${shelf}${name}`, path: join(folder, shelf, name) })),
  );
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
