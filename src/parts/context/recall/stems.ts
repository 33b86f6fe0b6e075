/** An ending, how much of the word must be left, and what takes its place. Longest first; what is alike needs only to end alike. */
type SuffixRule = readonly [suffix: string, least: number, instead: string];

const LATIN: readonly SuffixRule[] = [
  ['heiten', 4, ''],
  ['keiten', 4, ''],
  ['ations', 4, ''],
  ['isions', 3, 'id'],
  ['ation', 4, ''],
  ['ating', 4, ''],
  ['ision', 3, 'id'],
  ['usion', 4, 'ud'],
  ['ments', 4, ''],
  ['ungen', 4, ''],
  ['heit', 4, ''],
  ['keit', 4, ''],
  ['ated', 4, ''],
  ['ates', 4, ''],
  ['ment', 4, ''],
  ['ness', 4, ''],
  ['ions', 4, ''],
  ['ings', 4, ''],
  ['ate', 4, ''],
  ['ing', 3, ''],
  ['ion', 4, ''],
  ['ung', 4, ''],
  ['ies', 3, 'y'],
  ['ied', 3, 'y'],
  ['ers', 4, ''],
  ['ed', 3, ''],
  ['er', 4, ''],
  ['en', 5, ''],
  ['es', 3, ''],
  ['ly', 4, ''],
  ['e', 3, ''],
  ['s', 3, ''],
];
const CYRILLIC: readonly SuffixRule[] =
  'ами ями ого его ому ему ыми ими ах ях ов ев ей ой ый ий ая яя ое ее ую юю ам ям ом ем а я о е ы и у ю ь'
    .split(' ')
    .map((suffix) => [suffix, 3, '']);

const KEPT = /(?:ss|us|is)$/;
const DOUBLED = /([bdfgklmnprt])\1$/;

/** A word without its usual English, German or Russian endings; takes lower case. Crude on purpose: both sides go through it. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  const first = word.charCodeAt(0);
  if (first >= 0x400 && first <= 0x4ff) return strip(word, CYRILLIC);
  if (first < 97 || first > 122) return word;
  return strip(strip(word, LATIN), LATIN).replace(DOUBLED, '$1');
}

function strip(word: string, endings: readonly SuffixRule[]): string {
  for (const [suffix, least, instead] of endings) {
    if (word.length - suffix.length < least || !word.endsWith(suffix)) continue;
    return suffix === 's' && KEPT.test(word) ? word : word.slice(0, word.length - suffix.length) + instead;
  }
  return word;
}
