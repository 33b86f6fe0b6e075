import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { CheckpointBlobs } from './blobs.ts';
import { ABSENT, type KeptState } from './model.ts';
import { tryLstat, statEntry } from './scan.ts';
import { toKeptState } from './snapshot.ts';

/** What stands at one path now. With `blobs` its bytes are in the store afterwards; `added` says what that took. */
export async function capturePathState(
  root: string,
  path: string,
  maxFileBytes: number,
  blobs?: CheckpointBlobs,
): Promise<{ readonly kept: KeptState; readonly added: number }> {
  const seen = statEntry(root, path);
  if (seen === undefined) return { kept: ABSENT, added: 0 };
  if (seen.kind !== 'file' || seen.size > maxFileBytes) return { kept: toKeptState(seen, undefined), added: 0 };
  const bytes = read(join(root, path));
  if (bytes === undefined) return { kept: toKeptState(seen, undefined), added: 0 };
  const hash = sha256(bytes);
  return { kept: toKeptState(seen, hash), added: (await blobs?.put(hash, bytes)) ?? 0 };
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The folders above a path, below the root, that are not there yet: whoever writes the file makes them. */
export function listMissingParents(root: string, path: string): string[] {
  const above = dirname(path);
  if (above === '.' || tryLstat(join(root, above)) !== undefined) return [];
  return [...listMissingParents(root, above), above];
}
