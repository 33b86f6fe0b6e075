import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../../../base/errors.ts';
import { randomHex } from '../../../../base/ids.ts';
import { sha256 } from '../../../../base/sha256.ts';

export interface KeepOptions {
  readonly folder: string;
  readonly days: number;
  readonly megabytes: number;
  readonly now: () => number;
}
export type KeepFileResult = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };
/** Keeps bytes under the name their content gives them. Never throws: the caller says what is lost. */
export type KeepFile = (bytes: Buffer, ending: string) => Promise<KeepFileResult>;

/** What is too old goes, then the oldest until the rest fits; what was just kept stays. */
export function keepFiles({ folder, days, megabytes, now }: KeepOptions): KeepFile {
  return async (bytes, ending) => {
    const path = join(folder, `${sha256(bytes).slice(0, 24)}.${ending}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(path, bytes, now());
    } catch (error) {
      return { ok: false, reason: toErrorMessage(error) };
    }
    // What cannot be cleared away now is cleared away another time.
    await prune(folder, path, now() - days * 86_400_000, megabytes * 1_000_000).catch(() => {});
    return { ok: true, path };
  };
}

async function writeWhole(path: string, bytes: Buffer, now: number): Promise<void> {
  const fresh = `${path}.${randomHex(8)}.new`;
  try {
    await writeFile(fresh, bytes, { mode: 0o600 });
    await utimes(fresh, now / 1000, now / 1000);
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function prune(folder: string, spared: string, oldest: number, room: number): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => undefined);
      return facts?.isFile() === true ? [{ path, size: facts.size, at: path === spared ? Infinity : facts.mtimeMs }] : [];
    }),
  );
  let left = room;
  for (const { path, size, at } of found.flat().toSorted((a, b) => b.at - a.at)) {
    left -= size;
    if (path !== spared && (at < oldest || left < 0)) await rm(path, { force: true });
  }
}
