/** Endings of English and German words, the longest first. What is left must be long enough to still be a word. */
const ENDINGS = [
  ['ations', 5],
  ['ation', 5],
  ['ings', 4],
  ['ing', 4],
  ['ies', 3],
  ['ied', 3],
  ['ers', 4],
  ['ed', 4],
  ['es', 4],
  ['er', 5],
  ['en', 5],
  ['em', 5],
  ['ly', 4],
  ['s', 3],
  ['e', 4],
  ['n', 6],
  ['y', 5],
] as const;

/** The same for the forms of a word, mostly: not a word by itself. */
export function stem(word: string): string {
  if (word.length < 4 || !/^\p{Script=Latin}+$/u.test(word)) return word;
  for (const [ending, least] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < least || word.endsWith('ss')) continue;
    return undouble(word.slice(0, -ending.length));
  }
  return word;
}
const undouble = (word: string): string => (/([bdfgklmnprt])\1$/u.test(word) ? word.slice(0, -1) : word);
