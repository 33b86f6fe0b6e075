import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { Blobs } from './blobs.ts';
import { ABSENT, type KeptState } from './model.ts';
import { look, see } from './scan.ts';
import { keptOf } from './snapshot.ts';

/** What stands at one path now. With `blobs` its bytes are in the store afterwards; `added` says what that took. */
export async function peek(
  root: string,
  path: string,
  maxFileBytes: number,
  blobs?: Blobs,
): Promise<{ readonly kept: KeptState; readonly added: number }> {
  const seen = see(root, path);
  if (seen === undefined) return { kept: ABSENT, added: 0 };
  if (seen.kind !== 'file' || seen.size > maxFileBytes) return { kept: keptOf(seen, undefined), added: 0 };
  const bytes = read(join(root, path));
  if (bytes === undefined) return { kept: keptOf(seen, undefined), added: 0 };
  const hash = sha256(bytes);
  return { kept: keptOf(seen, hash), added: (await blobs?.put(hash, bytes)) ?? 0 };
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The folders above a path, below the root, that are not there yet: whoever writes the file makes them. */
export function missingAbove(root: string, path: string): string[] {
  const above = dirname(path);
  if (above === '.' || look(join(root, above)) !== undefined) return [];
  return [...missingAbove(root, above), above];
}
