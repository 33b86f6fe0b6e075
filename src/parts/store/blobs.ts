import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readErrorCode } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import type { Blobs } from '../../contracts/blobs.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Blobs in a folder, two letters deep. A file has its name only when all of it is there. */
export function openBlobs(root: string): Blobs {
  const path = (hash: string): string => {
    if (!HASH.test(hash)) throw new Error(`"${hash}" is no hash of a blob.`);
    return join(root, hash.slice(0, 2), hash);
  };
  /** The bytes are on the disk before they have their name: whoever finds the name finds all of them. */
  const place = async (from: string, hash: string): Promise<string> => {
    const to = path(hash);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const file = await open(from, 'r+');
    await file.chmod(0o600);
    await file.sync();
    await file.close();
    await rename(from, to);
    // What comes again is as young as what is new.
    await utimes(to, new Date(), new Date());
    return hash;
  };
  const fresh = async (): Promise<string> => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return join(root, `new-${randomHex(12)}`);
  };
  return {
    path,
    put: async (bytes) => {
      const file = await fresh();
      await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
      return place(file, createHash('sha256').update(bytes).digest('hex'));
    },
    adopt: async (from) => {
      // First of all into the folder: it may lie on another disk, and nobody else knows it there.
      const file = await fresh();
      await moveFile(from, file);
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash);
      return place(file, hash.digest('hex'));
    },
    read: async (hash) => readFile(path(hash)).catch(() => undefined),
    sweep: async (maxAgeMs, isNamed) => {
      let gone = 0;
      for (const file of await listFiles(root)) {
        const name = file.slice(-64);
        if (isNamed(name) || Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now()) < maxAgeMs) continue;
        await rm(file, { force: true });
        gone++;
      }
      return gone;
    },
  };
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (readErrorCode(error) !== 'EXDEV') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await rm(from);
  }
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}
