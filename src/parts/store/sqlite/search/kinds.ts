/** What a character is to search. */
export type CharacterKind = 0 | 1 | 2 | 3 | 4;
export const SPACE = 0;
/** ASCII punctuation: looked for as written, but no part of a word. */
export const SIGN = 1;
/** Letters and digits of scripts that put spaces between words. */
export const LETTER = 2;
/** A script without spaces: one character can be a word. */
export const DENSE = 3;
/** The same, but of few characters (Thai, kana …), so that one or two of them say little. */
export const SYLLABIC = 4;

export function classifyCharacterAt(chars: ArrayLike<string>, index: number): CharacterKind {
  const code = chars[index]?.codePointAt(0);
  if (code === undefined) return SPACE;
  return code > 0xffff ? DENSE : (KINDS[code] ??= classify(code));
}

/** Where a word begins: after a space, beside a character that can be a word itself, or where letters follow signs. */
export const startsWord = (before: CharacterKind, here: CharacterKind): boolean =>
  before === SPACE || before >= DENSE || here >= DENSE || (before === SIGN && here === LETTER);

/** Characters of a text. Indexing the string is quick but would cut those beyond the basic plane in two. */
export const splitCharacters = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);

/** Filled as characters are met: a million texts use a few thousand of them. */
const KINDS: (CharacterKind | undefined)[] = [];

/** Scripts written without spaces. Beyond the basic plane (rare Han, emoji) everything counts as such. */
const RANGES: readonly (readonly [number, number, CharacterKind])[] = [
  [0x0e00, 0x109f, SYLLABIC], // Thai, Lao, Tibetan, Myanmar
  [0x1100, 0x11ff, SYLLABIC], // Hangul letters
  [0x1780, 0x17ff, SYLLABIC], // Khmer
  [0x2e80, 0x2fff, DENSE], // Han radicals
  [0x3005, 0x3007, DENSE], // Han iteration marks
  [0x3040, 0x31ff, SYLLABIC], // kana, bopomofo, Hangul letters
  [0x3200, 0xa4cf, DENSE], // Han, Yi
  [0xa960, 0xa97f, SYLLABIC], // Hangul letters
  [0xac00, 0xd7a3, DENSE], // Hangul syllables
  [0xd7a4, 0xd7ff, SYLLABIC], // Hangul letters
  [0xd800, 0xdfff, DENSE], // halves of a pair, as the pair
  [0xf900, 0xfaff, DENSE], // Han, compatibility forms
];

function classify(code: number): CharacterKind {
  const range = RANGES.find(([from, to]) => code >= from && code <= to);
  if (range !== undefined) return range[2];
  const char = String.fromCharCode(code);
  if (/[\p{L}\p{N}\p{M}]/u.test(char)) return LETTER;
  if (code < 0x80) return code > 0x20 && code < 0x7f ? SIGN : SPACE;
  return /\p{S}/u.test(char) ? DENSE : SPACE;
}
