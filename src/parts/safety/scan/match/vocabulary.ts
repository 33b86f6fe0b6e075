import { lazy } from '../../../../base/lazy.ts';
import { arabic } from '../terms/arabic.ts';
import { cyrillic } from '../terms/cyrillic.ts';
import { english } from '../terms/english.ts';
import { german } from '../terms/german.ts';
import { han } from '../terms/han.ts';
import { hangul } from '../terms/hangul.ts';
import { kana } from '../terms/kana.ts';
import { romance } from '../terms/romance.ts';
import { thai } from '../terms/thai.ts';
import type { TermTable } from '../terms/table.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';

/** Terms of a script are entered when the first text with its letters comes. */
interface LetterSet {
  readonly letters: RegExp;
  readonly terms: TermTable;
  /** Read sign by sign, see `text/words.ts`. */
  readonly signs: boolean;
}

const SCRIPTS: readonly LetterSet[] = [
  { letters: /\p{Script=Cyrillic}/u, terms: cyrillic, signs: false },
  { letters: /\p{Script=Han}/u, terms: han, signs: true },
  { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, terms: kana, signs: true },
  { letters: /\p{Script=Hangul}/u, terms: hangul, signs: true },
  { letters: /\p{Script=Arabic}/u, terms: arabic, signs: true },
  { letters: /\p{Script=Thai}/u, terms: thai, signs: true },
];

const latin = lazy(() => {
  const made = createLexicon();
  for (const terms of [english, german, romance]) made.add(terms);
  return made;
});
const entered = new Set<LetterSet>();
const BEYOND_LATIN = /[\u0370-\uffff]/;

export function loadVocabulary(text: string): Lexicon {
  const words = latin();
  if (!BEYOND_LATIN.test(text)) return words;
  for (const script of SCRIPTS) {
    if (entered.has(script) || !script.letters.test(text)) continue;
    entered.add(script);
    words.add(script.terms, script.signs);
  }
  return words;
}

export const ALL_TERMS: readonly TermTable[] = [english, german, romance, ...SCRIPTS.map(({ terms }) => terms)];
