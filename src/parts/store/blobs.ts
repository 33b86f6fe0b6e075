import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { randomHex } from '../../base/ids.ts';
import type { Blobs } from '../../contracts/blobs.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Blobs in a folder, two letters deep. A file has its name only when all of it is there. */
export function openBlobs(root: string): Blobs {
  const path = (hash: string): string => {
    if (!HASH.test(hash)) throw new Error(`"${hash}" is no hash of a blob.`);
    return join(root, hash.slice(0, 2), hash);
  };
  const place = async (from: string, hash: string): Promise<string> => {
    await mkdir(dirname(path(hash)), { recursive: true, mode: 0o700 });
    await rename(from, path(hash));
    // What comes again is as young as what is new.
    await utimes(path(hash), new Date(), new Date());
    return hash;
  };
  return {
    path,
    put: async (bytes) => {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const fresh = join(root, `new-${randomHex(12)}`);
      await writeFile(fresh, bytes, { mode: 0o600, flag: 'wx' });
      return place(fresh, createHash('sha256').update(bytes).digest('hex'));
    },
    adopt: async (from) => {
      const hash = createHash('sha256');
      await pipeline(createReadStream(from), hash);
      return place(from, hash.digest('hex'));
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

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}
