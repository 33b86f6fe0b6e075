import { foldText } from '../characters/fold.ts';
import type { TermTable } from '../terms/table.ts';
import type { Vocabulary } from '../text/spaced.ts';
import type { TextToken } from '../text/words.ts';

interface Term {
  readonly concept: string;
  /** The first word, or for scripts that are read sign by sign the first sign. */
  readonly first: string;
  readonly stem: boolean;
  readonly rest: readonly string[];
}

/** Arranged by the first word, so that a token costs one look-up however many terms there are. */
export interface Lexicon extends Vocabulary {
  readonly add: (terms: TermTable, signs?: boolean) => void;
  /** Concepts that begin at this token, with the index of the last token they cover. */
  readonly at: (tokens: readonly TextToken[], index: number, found: (concept: string, last: number) => void) => void;
}

const NONE: readonly Term[] = [];
const ALONE: readonly string[] = [];
/** Stems are arranged by as many letters; none is shorter. */
const HEAD = 3;

export function createLexicon(): Lexicon {
  const words = new Map<string, Term[]>();
  const stems = new Map<string, Term[]>();
  /** What a word opens, stems included; kept for ordinary words alone, a hostile text must not fill the memory. */
  const seen = new Map<string, readonly Term[]>();

  function enter(concept: string, first: string, rest: readonly string[]): void {
    const stem = first.endsWith('*');
    const term = { concept, first: stem ? first.slice(0, -1) : first, stem, rest };
    const [table, key] = stem ? [stems, first.slice(0, HEAD)] : [words, first];
    const list = table.get(key);
    if (list === undefined) table.set(key, [term]);
    else list.push(term);
  }

  function opened(word: string): readonly Term[] {
    const known = seen.get(word);
    if (known !== undefined) return known;
    const whole = words.get(word) ?? NONE;
    const begun = stems.get(word.slice(0, HEAD))?.filter(({ first }) => word.startsWith(first)) ?? NONE;
    const found = begun.length === 0 ? whole : [...whole, ...begun];
    if (seen.size < 20_000 && word.length < 24) seen.set(word, found);
    return found;
  }

  const inside = new Set<string>();
  function inPhrases(word: string): boolean {
    if (inside.size === 0) for (const list of words.values()) for (const { rest } of list) for (const part of rest) inside.add(part);
    return word.length > 2 && inside.has(word);
  }
  const holds = (word: string) => words.has(word) || inPhrases(word);

  return {
    add(terms, signs = false) {
      seen.clear();
      inside.clear();
      for (const concept in terms) for (const term of foldText(terms[concept] ?? '').split(',')) read(term.trim(), signs, concept, enter);
    },
    holds,
    has: (word) => holds(word) || opened(word).some(({ stem, first }) => stem && first.length > 3 && word.length - first.length <= 4),
    at(tokens, index, found) {
      for (const { concept, rest } of opened(tokens[index]?.word ?? ''))
        if (rest.length === 0 || follows(tokens, index, rest)) found(concept, index + rest.length);
    },
  };
}

function read(
  term: string,
  signs: boolean,
  concept: string,
  enter: (concept: string, first: string, rest: readonly string[]) => void,
): void {
  if (term === '') return;
  if (!signs && !term.includes(' ')) return enter(concept, term, ALONE);
  const parts = signs ? Array.from(term.replaceAll(' ', '')) : term.split(' ');
  enter(concept, parts[0] ?? '', parts.slice(1));
}

function follows(tokens: readonly TextToken[], index: number, rest: readonly string[]): boolean {
  for (let at = 0; at < rest.length; at++) {
    const part = rest[at] ?? '';
    const word = tokens[index + at + 1]?.word ?? '';
    if (part.endsWith('*') ? !word.startsWith(part.slice(0, -1)) : word !== part) return false;
  }
  return true;
}
