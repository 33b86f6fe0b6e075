import { splitCharacters, DENSE, classifyCharacterAt, LETTER, SPACE, SYLLABIC, type CharacterKind } from './kinds.ts';

/** What the index knows of a text. */
export interface Tokens {
  readonly words: Set<string>;
  /** Of scripts without spaces: every character, and it with its neighbours. */
  readonly dense: Set<string>;
}

/** A run of letters in a text. */
export interface LetterRun {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A word longer than this is cut into pieces that overlap by half; of a very long one (a key, a dump) the beginning has to do. */
export const PIECE = 64;
const LONGEST = 2 * PIECE;

export function tokenizeFolded(folded: string): Tokens {
  const words = new Set<string>();
  for (const { text } of splitLetterRuns(folded)) {
    if (text.length <= PIECE) words.add(text);
    else for (let from = 0; from + PIECE / 2 < Math.min(text.length, LONGEST); from += PIECE / 2) words.add(text.slice(from, from + PIECE));
  }
  return { words, dense: collectDenseTokens(folded) };
}

export function splitLetterRuns(folded: string): LetterRun[] {
  const runs: LetterRun[] = [];
  let from = -1;
  for (let i = 0; i <= folded.length; i++) {
    const inside = classifyCharacterAt(folded, i) === LETTER;
    if (inside && from < 0) from = i;
    if (inside || from < 0) continue;
    runs.push({ text: folded.slice(from, i), from, to: i });
    from = -1;
  }
  return runs;
}

export function collectDenseTokens(folded: string): Set<string> {
  const found = new Set<string>();
  if (!/[^\0-\u024f]/.test(folded)) return found;
  const chars = splitCharacters(folded);
  let here = classifyCharacterAt(chars, 0);
  for (let i = 0; i < chars.length; i++) {
    const next = classifyCharacterAt(chars, i + 1);
    if (here >= DENSE || (here === LETTER && next >= DENSE)) addDense(found, chars, i, here, next);
    here = next;
  }
  return found;
}

/** A character alone, with the next one (across the border of scripts too), and three where the script has few. */
function addDense(found: Set<string>, chars: ArrayLike<string>, i: number, here: CharacterKind, next: CharacterKind): void {
  const one = chars[i] ?? '';
  const two = one + (chars[i + 1] ?? '');
  if (here >= DENSE) found.add(one);
  if (next >= LETTER) found.add(two);
  if (here === SYLLABIC && next === SYLLABIC && classifyCharacterAt(chars, i + 2) === SYLLABIC) found.add(two + (chars[i + 2] ?? ''));
}

/** Kinds on both sides of a place, for whoever asks where words begin and end. */
export const classifyAround = (text: string, index: number): readonly [CharacterKind, CharacterKind] => [
  index === 0 ? SPACE : classifyCharacterAt(text, index - 1),
  classifyCharacterAt(text, index),
];
