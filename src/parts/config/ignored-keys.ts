import { dirname, join } from 'node:path';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { readIfThere } from './config.ts';

/**
 * Whether the owner has not been told yet that this file has exactly these keys without effect; from now on they have been. A home
 * that cannot be written is told every time.
 */
export function rememberIgnoredKeys(configFile: string, keys: readonly string[]): boolean {
  const note = join(dirname(configFile), 'cache', 'ignored-settings');
  const mark = sha256(keys.toSorted().join('\n'));
  try {
    if (readIfThere(note) === mark) return false;
    replaceFile(note, mark);
  } catch {}
  return true;
}
