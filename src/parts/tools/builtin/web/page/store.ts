import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../../../../base/errors.ts';
import { sha256 } from '../../../../../base/sha256.ts';

export interface PageStoreOptions {
  readonly folder: string;
  readonly days: number;
  readonly megabytes: number;
  readonly now: () => number;
}
export type KeepPageResult = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string };
/** Keeps a text under the name its content gives it. Never throws: a page can be read although it cannot be kept. */
export type KeepPage = (text: string) => Promise<KeepPageResult>;

const BETWEEN_PRUNINGS_MS = 3_600_000;

export function createPageStore({ folder, days, megabytes, now }: PageStoreOptions): KeepPage {
  let pruned = -Infinity;
  return async (text) => {
    const path = join(folder, `${sha256(text).slice(0, 32)}.md`);
    try {
      await keep(path, text, now());
    } catch (error) {
      return { ok: false, reason: toErrorMessage(error) };
    }
    if (now() - pruned >= BETWEEN_PRUNINGS_MS) {
      pruned = now();
      // What cannot be cleared away now is cleared away another time.
      await prune(folder, now() - days * 86_400_000, megabytes * 1_000_000, path).catch(() => {});
    }
    return { ok: true, path };
  };
}

async function keep(path: string, text: string, now: number): Promise<void> {
  const known = await stat(path).catch(() => undefined);
  // Its name is its content, so what is there is right; it is young again.
  if (known?.size === Buffer.byteLength(text)) return utimes(path, now / 1000, now / 1000);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
  try {
    await writeFile(fresh, text, { mode: 0o600 });
    await utimes(fresh, now / 1000, now / 1000);
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Drops what is too old, then the oldest until the rest fits. What was just kept stays. */
async function prune(folder: string, oldest: number, bytes: number, spared: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== spared);
  const files = await Promise.all(paths.map(async (path) => ({ path, facts: await stat(path).catch(() => undefined) })));
  const known = files.flatMap(({ path, facts }) => (facts?.isFile() === true ? [{ path, size: facts.size, at: facts.mtimeMs }] : []));
  let room = bytes - ((await stat(spared)).size ?? 0);
  for (const { path, size, at } of known.toSorted((a, b) => b.at - a.at)) {
    room -= size;
    if (at < oldest || room < 0) await rm(path, { force: true });
  }
}
