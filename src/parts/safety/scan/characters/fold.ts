import { LOOK_ALIKES } from './look-alikes.ts';

const folded = new Map<number, string>();
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...pairs("ßss æae œoe øo łl đd ıi \u0640 ʼ' ’' ‘' ʹ'"),
  ...pairs('“" ”" „" «" »" 「" 」" 『" 』" ‐- ‑- –- —- 。. 、, ،, ؛; ؟?'),
  ...pairs('\u2028\n,\u2029\n,\u0085\n', ','),
]);

/** Each sign before what it is read as. */
function pairs(row: string, between = ' '): readonly (readonly [string, string])[] {
  return row.split(between).map((pair) => [pair.slice(0, 1), pair.slice(1)]);
}

/** Scripts whose accents are left out, so that `hinfällig` and `hinfallig` are one word. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const MARKS = /\p{M}/gu;
const LOOSE_MARK = /^[\u0300-\u036f\u064b-\u065f\u0670\u0591-\u05c7]$/u;

/** One code point as it is compared: compatibility forms, case and accents taken away. */
export function fold(code: number): string {
  const known = folded.get(code);
  if (known !== undefined) return known;
  const made = foldOne(String.fromCodePoint(code));
  // Hangul and Han alone are 60,000; the table must not grow with a hostile text.
  if (folded.size < 4096) folded.set(code, made);
  return made;
}

function foldOne(character: string): string {
  const sign = SIGNS.get(character);
  if (sign !== undefined) return sign;
  if (LOOSE_MARK.test(character)) return '';
  const compatible = character.normalize('NFKC').toLowerCase();
  const plain = ACCENTED.test(compatible) ? compatible.normalize('NFKD').replace(MARKS, '') : compatible;
  return SIGNS.get(plain) ?? (/^\s$/u.test(plain) && plain !== '\n' ? ' ' : plain);
}

const LATIN = /[a-z]/;
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u;

/** Only a word that mixes scripts is read by its looks; honest Russian stays Russian. */
const hasMixedScripts = (word: string): boolean => OTHER.test(word) && LATIN.test(word);

export const foldLookAlikes = (word: string): string => Array.from(word, (character) => LOOK_ALIKES.get(character) ?? character).join('');

/** Every foreign letter of the word has a Latin twin: nobody types that by accident. */
export const isDisguised = (word: string): boolean => hasMixedScripts(word) && !OTHER.test(foldLookAlikes(word)) && !/[^\p{L}]/u.test(word);
