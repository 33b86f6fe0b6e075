import { STOP_PIECES, STOP_WORDS } from './common-words.ts';
import { beginsPhrase, findGroups, findPieces } from './groups.ts';
import { stem } from './stem.ts';

/** One thing a text speaks of, and by what else it can be found. */
export interface WordTerm {
  /** As it is written, in lower case. */
  readonly word: string;
  /** What is compared: its stem, or two signs of a script without spaces. */
  readonly key: string;
  /** Groups of words with one meaning it belongs to. */
  readonly groups: readonly string[];
  /** Kinds that it names as a whole, so that members answer for it. */
  readonly asks: readonly string[];
  /** Kinds that it belongs to. */
  readonly kinds: readonly string[];
  /** A name or a number: nothing else can stand for it. */
  readonly isExact: boolean;
  /** Signs of a script without spaces: half a word. */
  readonly isPair: boolean;
}

const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|\p{Script=Hangul}+|[\p{Script=Thai}]+|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-'.:/_@][\p{L}\p{N}\p{M}]+)*/gu;
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]/u;
const MAX_PHRASE = 3;

export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’‛′]/gu, "'")
    .replace(/[“”„″]/gu, '"')
    .replace(/[‐‑‒–—−]/gu, '-')
    .replace(/[*`]/gu, '')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');

/** Texts that were looked at lately: a recall looks at the same ones again and again. */
const RECENT = new Map<string, readonly WordTerm[]>();
const MAX_RECENT = 4_000;

/** What a text speaks of, in its order, without the words that every text has. */
export function toTerms(text: string): readonly WordTerm[] {
  const known = RECENT.get(text);
  if (known !== undefined) return known;
  const terms = readTerms(text);
  if (RECENT.size >= MAX_RECENT) RECENT.clear();
  RECENT.set(text, terms);
  return terms;
}

function readTerms(text: string): readonly WordTerm[] {
  const runs = [...normalizeText(text).matchAll(RUNS)].map((match) => ({
    run: match[0],
    isStart: /(?:^|[.!?:…]\s+|["(]\s*)$/u.test(match.input.slice(0, match.index)),
  }));
  const latin = runs.map(({ run }) => (SPACELESS.test(run) ? undefined : run.toLowerCase()));
  const phrases = phrasesIn(latin);
  const hasNames = !isGerman(latin);
  return runs.flatMap(({ run, isStart }, index) => {
    if (SPACELESS.test(run)) return pairTerms(run);
    const word = latin[index] ?? '';
    const phrase = phrases.get(index);
    if (phrase === undefined && STOP_WORDS.has(word)) return [];
    return wordTerms(word, phrase ?? word, !isStart && hasNames && isName(run));
  });
}

/** `up_to` and the like: a phrase stands at its first word. */
function phrasesIn(words: readonly (string | undefined)[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (let start = 0; start < words.length; start++)
    for (let length = beginsPhrase(words[start] ?? '') ? MAX_PHRASE : 0; length > 1; length--) {
      const phrase = words.slice(start, start + length).join('_');
      if (findGroups(phrase) === undefined) continue;
      found.set(start, phrase);
      break;
    }
  return found;
}

const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december)$/iu;
const isName = (run: string): boolean => !CALENDAR.test(run) && (/\d/u.test(run) || /^\p{Ll}?\p{Lu}/u.test(run));
/** Where every noun has a capital, a capital makes no name. */
const isGerman = (words: readonly (string | undefined)[]): boolean => words.some((word) => word !== undefined && GERMAN.has(word));
const GERMAN = new Set(
  'der die das ist wie was wann wer wo welche welcher welches welchen ich mein meine wir uns nicht und für mit von auf den dem ein eine'.split(
    ' ',
  ),
);

function wordTerms(word: string, looked: string, isExact: boolean): WordTerm[] {
  const base = word.replace(/'s$/u, '');
  const groups = findGroups(looked) ?? findGroups(base) ?? findGroups(stem(base));
  const whole = toTerm(base, groups, isExact || /\d/u.test(base));
  const parts =
    base.includes('-') || base.includes('/') ? base.split(/[-/]/u).filter((part) => part.length > 2 && !STOP_WORDS.has(part)) : [];
  return [whole, ...parts.map((part) => toTerm(part, findGroups(part) ?? findGroups(stem(part)), /\d/u.test(part)))];
}

const toTerm = (word: string, groups: ReturnType<typeof findGroups>, isExact: boolean): WordTerm => ({
  word,
  key: /\d/u.test(word) ? word : stem(word),
  groups: groups?.groups ?? [],
  asks: groups?.asks ?? [],
  kinds: groups?.kinds ?? [],
  isExact,
  isPair: false,
});

/** Words of the tables first, then pairs of the signs between them. */
function pairTerms(run: string): WordTerm[] {
  const known = findPieces(run);
  const blank = (text: string, piece: string): string => text.replaceAll(piece, ' '.repeat(piece.length));
  const unknown = known.map(({ piece }) => piece).filter((piece) => piece.length > 1);
  const bare = unknown.reduce(blank, run).replace(STOP, (piece) => ' '.repeat(piece.length));
  const pairs = bare
    .split(/\s+/u)
    .filter((piece) => piece.length > 1)
    .flatMap((piece) => Array.from({ length: piece.length - 1 }, (_, index) => piece.slice(index, index + 2)));
  return [
    ...known.map(({ piece, groups }): WordTerm => ({ word: piece, key: piece, ...groups, isExact: false, isPair: false })),
    ...[...new Set(pairs)].map((pair): WordTerm => ({
      word: pair,
      key: pair,
      groups: [],
      asks: [],
      kinds: [],

      isExact: false,
      isPair: true,
    })),
  ];
}
const STOP = new RegExp(STOP_PIECES.toSorted((a, b) => b.length - a.length).join('|'), 'gu');
