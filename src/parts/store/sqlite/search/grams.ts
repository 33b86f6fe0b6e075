/**
 * The tokens of the index. Chosen so that whatever contains a needle contains the needle's tokens; what the index finds
 * too much is sorted out by looking at the text.
 * - three letters or signs in a row: any part of a word from three characters on;
 * - `^` and the first one or two characters of a word: shorter words, and beginnings;
 * - every character of a script without spaces (Han, kana, Hangul, Thai …) alone and with its neighbour: there one character can be a word.
 *
 * `before` is what stands before the text: `SPACE` when it begins a word, `LETTER` when that is not known.
 */
export function gramsOf(folded: string, before: Kind = SPACE): Set<string> {
  const found = new Set<string>();
  const chars = characters(folded);
  let last = before;
  let here = kindAt(chars, 0);
  let next = kindAt(chars, 1);
  for (let i = 0; i < chars.length; i++) {
    const third = kindAt(chars, i + 2);
    if (here === DENSE) addDense(found, chars, i, next);
    else if (here !== SPACE) addSpaced(found, chars, i, startsWord(last, here), next, third);
    last = here;
    here = next;
    next = third;
  }
  return found;
}

export type Kind = 0 | 1 | 2 | 3;
export const SPACE = 0;
const SIGN = 1;
export const LETTER = 2;
export const DENSE = 3;

/** Where a word begins: after a space, beside a character that is a word itself, or where letters follow signs. */
export const startsWord = (before: Kind, here: Kind): boolean =>
  before === SPACE || before === DENSE || here === DENSE || (before === SIGN && here === LETTER);

/** Indexing a string is quick but cuts characters beyond the basic plane in two. */
const characters = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);

export function kindAt(chars: ArrayLike<string>, index: number): Kind {
  const code = chars[index]?.codePointAt(0);
  if (code === undefined) return SPACE;
  return code > 0xffff ? DENSE : (KINDS[code] ??= classify(code));
}

/** Filled as characters are met: a million texts use a few thousand of them. */
const KINDS: (Kind | undefined)[] = [];

/** Scripts written without spaces. Beyond the basic plane (rare Han, emoji) everything counts as such. */
const DENSE_RANGES: readonly (readonly [number, number])[] = [
  [0x0e00, 0x109f], // Thai, Lao, Tibetan, Myanmar
  [0x1100, 0x11ff], // Hangul letters
  [0x1780, 0x17ff], // Khmer
  [0x2e80, 0x2fff], // Han radicals
  [0x3005, 0x3007], // Han iteration marks
  [0x3040, 0xa4cf], // kana, Hangul letters, Han, Yi
  [0xa960, 0xa97f], // Hangul letters
  [0xac00, 0xdfff], // Hangul syllables; halves of pairs
  [0xf900, 0xfaff], // Han, compatibility forms
];

function classify(code: number): Kind {
  const char = String.fromCharCode(code);
  if (DENSE_RANGES.some(([from, to]) => code >= from && code <= to)) return DENSE;
  if (/[\p{L}\p{N}\p{M}]/u.test(char)) return LETTER;
  if (code < 0x80) return code > 0x20 && code < 0x7f ? SIGN : SPACE;
  return /\p{S}/u.test(char) ? DENSE : SPACE;
}

function addDense(found: Set<string>, chars: ArrayLike<string>, i: number, next: Kind): void {
  const one = chars[i] ?? '';
  found.add(one);
  if (next >= LETTER) found.add(one + (chars[i + 1] ?? ''));
}

function addSpaced(found: Set<string>, chars: ArrayLike<string>, i: number, start: boolean, next: Kind, third: Kind): void {
  const one = chars[i] ?? '';
  const two = one + (chars[i + 1] ?? '');
  if (start) found.add(`^${one}`);
  if (next === DENSE) found.add(two);
  if (next !== SIGN && next !== LETTER) return;
  if (start) found.add(`^${two}`);
  if (third === SIGN || third === LETTER) found.add(two + (chars[i + 2] ?? ''));
}
