import { join } from 'node:path';
import type { Home } from '../../../base/home.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { TextAdmission, AdmitText, ScanText, TextOrigin } from '../../../contracts/scan.ts';
import { createKnownClean, type KnownClean } from '../known-clean.ts';
import { scannerBuild } from '../../../base/version.ts';

/** The scanner and what the owner allowed. Loaded when a text nobody has judged yet wants to reach the prompt. */
export interface Safety {
  scan(): Promise<ScanText>;
  admit(): Promise<AdmitText>;
  /**
   * Runs `work` with what is known already, and once more with the scanner when that does not suffice. Many short texts are
   * remembered as one, by `together`, which holds all of them: a thousand skills are one line of the cache and not a thousand.
   */
  judged<Result>(work: (admit: AdmitText) => Result, together?: string): Promise<Result>;
}
export interface LoadedSafety {
  readonly scan: ScanText;
  readonly admit: AdmitText;
}

export const allowListPath = (home: Home): string => join(home.root, 'allowed-files.json');

/** `build` names the rules of the scanner; what was clean by others is judged anew. */
export function openSafety(home: Home, notice: (words: string) => void, build: string | undefined = scannerBuild): Safety {
  const clean = build === undefined ? undefined : createKnownClean(join(home.root, 'cache', 'clean-texts.json'), build);
  let loaded: ReturnType<typeof load> | undefined;
  const ready = () => (loaded ??= load(home, clean, notice));
  return {
    scan: async () => (await ready()).scan,
    admit: async () => (await ready()).admit,
    judged: async (work, together) => {
      const whole = together === undefined ? undefined : hashOf(together, 'together');
      const known = whole !== undefined && clean?.has(whole) === true;
      try {
        return work((text, { kind }) => {
          if (known || clean?.has(hashOf(text, kind)) === true) return PASSED;
          throw UNJUDGED;
        });
      } catch (error) {
        if (error !== UNJUDGED) throw error;
        const { admit, judge } = await ready();
        return whole === undefined ? work(admit) : judgeTogether(work, judge, () => clean?.add(whole));
      }
    },
  };
}

/** Remembers the texts as one when nothing was found in any of them. */
function judgeTogether<Result>(work: (admit: AdmitText) => Result, judge: JudgeText, remember: () => void): Result {
  let spotless = true;
  const result = work((text, origin) => {
    const { admission, clean } = judge(text, origin);
    spotless &&= clean;
    return admission;
  });
  if (spotless) remember();
  return result;
}

const PASSED = { allow: true, notices: [] } as const;
const UNJUDGED = new Error('a text has to be judged first');

/** What is looked for depends on what the text is. */
const hashOf = (text: string, kind: string): string => sha256(`${kind}\0${text}`).slice(0, 32);

/** An admission, and whether nothing at all was found: what is merely allowed or warned about is told again. */
type JudgeText = (text: string, origin: TextOrigin) => { readonly admission: TextAdmission; readonly clean: boolean };

async function load(
  home: Home,
  clean: KnownClean | undefined,
  notice: (words: string) => void,
): Promise<LoadedSafety & { readonly judge: JudgeText }> {
  const { scanText, createAdmission, createAllowList } = await import('./scanner.ts');
  const allowed = createAllowList(allowListPath(home));
  for (const words of allowed.notices()) notice(words);
  const admission = createAdmission({ allowed: (hash) => allowed.has(hash), hash: sha256 });
  const judge: JudgeText = (text, origin) => {
    const admitted = admission(text, origin);
    return { admission: admitted, clean: admitted.allow && admitted.notices.length === 0 && !allowed.has(sha256(text)) };
  };
  const admit: AdmitText = (text, origin) => {
    const judged = judge(text, origin);
    if (judged.clean) clean?.add(hashOf(text, origin.kind));
    return judged.admission;
  };
  return { scan: scanText, admit, judge };
}
