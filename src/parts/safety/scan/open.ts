import { join } from 'node:path';
import type { Home } from '../../../base/home.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { AdmitText, ScanText } from '../../../contracts/scan.ts';
import { knownClean, type KnownClean } from '../known-clean.ts';
import { scannerBuild } from '../../../base/version.ts';

/** The scanner and what the owner allowed. Loaded when a text nobody has judged yet wants to reach the prompt. */
export interface Safety {
  scan(): Promise<ScanText>;
  admit(): Promise<AdmitText>;
  /** Runs `work` with what is known already, and once more with the scanner when that does not suffice. */
  judged<Result>(work: (admit: AdmitText) => Result): Promise<Result>;
}
export interface LoadedSafety {
  readonly scan: ScanText;
  readonly admit: AdmitText;
}

export const allowListPath = (home: Home): string => join(home.root, 'allowed-files.json');

export function openSafety(home: Home, notice: (words: string) => void): Safety {
  const clean = scannerBuild === undefined ? undefined : knownClean(join(home.root, 'cache', 'clean-texts.json'), scannerBuild);
  let loaded: Promise<LoadedSafety> | undefined;
  const ready = () => (loaded ??= load(home, clean, notice));
  return {
    scan: async () => (await ready()).scan,
    admit: async () => (await ready()).admit,
    judged: async (work) => {
      try {
        return work((text, { kind }) => {
          if (clean?.has(hashOf(text, kind)) === true) return PASSED;
          throw UNJUDGED;
        });
      } catch (error) {
        if (error !== UNJUDGED) throw error;
        return work((await ready()).admit);
      }
    },
  };
}

const PASSED = { allow: true, notices: [] } as const;
const UNJUDGED = new Error('a text has to be judged first');

/** What is looked for depends on what the text is. */
const hashOf = (text: string, kind: string): string => sha256(`${kind}\0${text}`).slice(0, 32);

async function load(home: Home, clean: KnownClean | undefined, notice: (words: string) => void): Promise<LoadedSafety> {
  const { scanText, createAdmission, allowedHashes } = await import('./scanner.ts');
  const allowed = allowedHashes(allowListPath(home));
  for (const words of allowed.notices()) notice(words);
  const judge = createAdmission({ allowed: (hash) => allowed.has(hash), hash: sha256 });
  const admit: AdmitText = (text, origin) => {
    const admitted = judge(text, origin);
    // Only what nothing was found in: what is merely allowed or warned about is told again.
    if (admitted.allow && admitted.notices.length === 0 && !allowed.has(sha256(text))) clean?.add(hashOf(text, origin.kind));
    return admitted;
  };
  return { scan: scanText, admit };
}
