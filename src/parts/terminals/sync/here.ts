import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalFile, SyncSource } from './plan.ts';

/** What of ours is only of use here: locks and files that are being written. */
const OURS = /\.lock$|^\.hermes-[0-9a-f]+\.tmp$/;

/** Every plain file of the sources. Links are left out: one that leads out of the profile must not carry what lies there away. */
export const listLocalFiles = (sources: readonly SyncSource[]): LocalFile[] => sources.flatMap(({ from, to }) => walk(from, to));

function walk(at: string, path: string): LocalFile[] {
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (found?.isFile() === true) return [{ path, at, size: found.size, mtimeMs: Math.floor(found.mtimeMs) }];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(at).flatMap((name) => (OURS.test(name) || /[\n\\]/.test(name) ? [] : walk(join(at, name), `${path}/${name}`)));
}

export async function hashFile(at: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  const stream: AsyncIterable<Buffer> = createReadStream(at);
  for await (const piece of stream) hash.update(piece);
  return hash.digest('hex');
}
