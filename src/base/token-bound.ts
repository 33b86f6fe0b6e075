/** Words of a natural language, for which a tokenizer has pieces of three letters and more. */
const WORDS = /[A-Za-z]?[a-z]{3,}/g;
const LETTERS_PER_TOKEN = 3;
const BLANKS = /\s+/g;

/**
 * What no tokenizer makes more tokens of: one for each three letters of a word in small letters, one for each run of blanks beyond a single
 * one, and one for every other character. Digits, signs, codes and other scripts are counted so one by one; prose comes out about twice too high.
 */
export function boundTextTokens(text: string): number {
  const words = text.match(WORDS) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const pieces = words.reduce((sum, word) => sum + Math.ceil(word.length / LETTERS_PER_TOKEN), 0);
  const blanks = text.match(BLANKS) ?? [];
  const blank = blanks.reduce((sum, run) => sum + run.length, 0);
  const breaks = blanks.reduce((sum, run) => sum + (run === ' ' ? 0 : Math.ceil(run.length / LETTERS_PER_TOKEN)), 0);
  return pieces + breaks + text.length - letters - blank;
}
