import { isObject, parseJson } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { readTextFile } from '../../base/text-file.ts';

/** Texts a scanner has found nothing in, by hash: what has not changed need not be scanned, nor the scanner be loaded, again. */
export interface KnownClean {
  has(hash: string): boolean;
  /** Keeps it for later runs. Trouble with the disk costs a scan later, nothing else. */
  add(hash: string): void;
}

const MAX_BYTES = 1_048_576;
/** Of more the oldest go: nobody works in that many projects at once. */
const MAX_TEXTS = 512;

/** `scanner` names the rules by which a text was clean; under other rules it is judged anew. */
export function createKnownClean(path: string, scanner: string): KnownClean {
  let texts: ReadonlySet<string> | undefined;
  const known = (): ReadonlySet<string> => (texts ??= new Set(readKnown(path, scanner)));
  return {
    has: (hash) => known().has(hash),
    add: (hash) => {
      if (known().has(hash)) return;
      // Another process may have added some meanwhile.
      const next = [...new Set([...readKnown(path, scanner), ...known(), hash])].slice(-MAX_TEXTS);
      texts = new Set(next);
      try {
        replaceFile(path, `${JSON.stringify({ scanner, clean: next })}\n`, 0o600);
      } catch {
        // Found out again next time.
      }
    },
  };
}

function readKnown(path: string, scanner: string): readonly string[] {
  const file = readTextFile(path, MAX_BYTES);
  const value = file.ok ? parseJson(file.text) : undefined;
  if (!isObject(value) || value['scanner'] !== scanner || !Array.isArray(value['clean'])) return [];
  return value['clean'].filter((hash) => typeof hash === 'string');
}
