import { fold } from './fold.ts';
import { DENSE, classifyCharacterAt } from './kinds.ts';
import { splitLetterRuns } from './tokens.ts';

/** One thing looked for, folded. */
export interface Needle {
  readonly text: string;
  /** Must begin a word: phrases, `begin*`, and what is too short to be looked for inside words. */
  readonly atStart: boolean;
  /** Must end one too: a single letter. */
  readonly atEnd: boolean;
}
/** All of `want` and none of `avoid`. */
export interface NeedleGroup {
  readonly want: readonly Needle[];
  readonly avoid: readonly Needle[];
}

/**
 * Reads what a person typed: words (all must occur), "a phrase", `-word` or `NOT word`, `OR` between alternatives,
 * `begin*`. There is no wrong input: what makes no sense as an operator is looked for or left out.
 */
export function parseQuery(typed: string): NeedleGroup[] {
  const groups: { want: Needle[]; avoid: Needle[] }[] = [{ want: [], avoid: [] }];
  let negate = false;
  for (const { minus, phrase, word } of pieces(typed)) {
    if (word === 'OR') groups.push({ want: [], avoid: [] });
    else if (word === 'NOT') negate = true;
    else if (word !== 'AND') {
      const needle = phrase === undefined ? wordNeedle(word) : phraseNeedle(phrase);
      const group = groups.at(-1);
      if (needle !== undefined) (minus || negate ? group?.avoid : group?.want)?.push(needle);
      negate = false;
    }
  }
  return groups.filter((group) => group.want.length > 0);
}

interface QueryTerm {
  readonly minus: boolean;
  readonly phrase: string | undefined;
  readonly word: string;
}

/** A minus counts before a word, not before another minus: `--flag` is a word. A quote that is never closed ends with the text. */
const PIECE = /(?<minus>-(?=[^\s-]))?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;

const pieces = (typed: string): QueryTerm[] =>
  [...typed.replaceAll(/[“”„«»]/g, '"').matchAll(PIECE)].map(({ groups = {} }) => ({
    minus: groups['minus'] !== undefined,
    phrase: groups['phrase'],
    word: groups['word'] ?? '',
  }));

function wordNeedle(word: string): Needle | undefined {
  const begin = /^(?<stem>.*[^*])\*+$/u.exec(word)?.groups?.['stem'];
  const text = fold(unwrapped(begin ?? word)).trim();
  if (text === '') return undefined;
  const short = isShort(text);
  return { text, atStart: begin !== undefined || short, atEnd: begin === undefined && short && text.length === 1 };
}

const phraseNeedle = (phrase: string): Needle | undefined => {
  const text = fold(phrase).trim();
  return text === '' ? undefined : { text, atStart: true, atEnd: false };
};

/** Brackets that group words are taken off; those that belong to the word (`main()`) stay. */
const unwrapped = (word: string): string => {
  const opened = word.split('(').length - word.split(')').length;
  if (opened > 0) return word.replace(/^\(+/u, '');
  return opened < 0 ? word.replace(/\)+$/u, '') : word;
};

/** Fewer than three letters in a row to go by, and no character that is a word by itself. */
const isShort = (text: string): boolean => {
  const chars = Array.from(text);
  return splitLetterRuns(text).every((run) => run.text.length < 3) && !chars.some((_, index) => classifyCharacterAt(chars, index) >= DENSE);
};
