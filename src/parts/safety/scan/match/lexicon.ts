import { foldText } from '../characters/fold.ts';
import type { Token, Vocabulary } from '../text/words.ts';

/** Concept → its terms, separated by commas. `ignor*` is a stem; several words are a phrase; a term may be of any language. */
export type Terms = Readonly<Record<string, string>>;

/** Terms that begin with the same word, sorted by the second one: `the` opens a hundred phrases. */
interface Openers {
  readonly alone: string[];
  readonly next: Map<string, Phrase[]>;
  readonly nextStem: Phrase[];
}
interface Phrase {
  readonly concept: string;
  readonly rest: readonly string[];
}

/** All terms, arranged so that a token is looked up in constant time. */
export interface Lexicon extends Vocabulary {
  /** Concepts that begin at this token, with the index of the last token they cover. */
  readonly at: (tokens: readonly Token[], index: number, found: (concept: string, last: number) => void) => void;
}

/** From here on letters are read as signs; before it are Latin, Greek and Cyrillic. */
const FIRST_SIGN = 0x590;
/** From here on the letters are not Latin. */
const FIRST_OTHER = 0x370;
const SHORTEST_STEM = 2;

/** `wide` takes in terms of other scripts too; most texts need none of them. */
export function lexicon(tables: readonly Terms[], wide: boolean): Lexicon {
  const words = new Map<string, Openers>();
  const stems = new Map<string, Openers>();
  const signs = new Map<string, { readonly concept: string; readonly term: string }[]>();
  const known = new Set<string>();
  let longest = 0;
  for (const table of tables)
    for (const [concept, terms] of Object.entries(table)) for (const term of terms.split(',')) enter(concept, term.trim());

  function enter(concept: string, term: string): void {
    const code = term.charCodeAt(0);
    if (term === '' || (code >= FIRST_OTHER && !wide)) return;
    if (code >= FIRST_SIGN) {
      const spelt = foldText(term).replaceAll(' ', '');
      listAt(signs, spelt[0] ?? '').push({ concept, term: spelt });
      return;
    }
    const [first = '', ...rest] = foldText(term).split(/\s+/);
    if (!first.endsWith('*')) note(first, openersAt(words, first), concept, rest);
    else {
      longest = Math.max(longest, first.length - 1);
      note('', openersAt(stems, first.slice(0, -1)), concept, rest);
    }
  }

  function note(first: string, openers: Openers, concept: string, rest: readonly string[]): void {
    if (first.length > 2) known.add(first);
    for (const part of rest) if (part.length > 2 && !part.endsWith('*')) known.add(part);
    const [second] = rest;
    if (second === undefined) openers.alone.push(concept);
    else if (second.endsWith('*')) openers.nextStem.push({ concept, rest });
    else listAt(openers.next, second).push({ concept, rest });
  }

  const seen = new Map<string, readonly Openers[]>();
  function openersOf(word: string): readonly Openers[] {
    const cached = seen.get(word);
    if (cached !== undefined) return cached;
    const found: Openers[] = [];
    const whole = words.get(word);
    if (whole !== undefined) found.push(whole);
    for (let length = SHORTEST_STEM; length <= longest && length <= word.length; length++) {
      const stem = stems.get(word.slice(0, length));
      if (stem !== undefined) found.push(stem);
    }
    // For ordinary words; a hostile text must not fill the memory with its own.
    if (seen.size < 20_000 && word.length < 24) seen.set(word, found);
    return found;
  }

  return {
    holds: (word) => known.has(word),
    has: (word) => known.has(word) || hasStem(stems, word),
    at(tokens, index, found) {
      const token = tokens[index];
      if (token === undefined) return;
      if (token.glyph) {
        for (const { concept, term } of signs.get(token.word) ?? [])
          if (spells(tokens, index, term)) found(concept, index + term.length - 1);
        return;
      }
      for (const openers of openersOf(token.word)) report(openers, tokens, index, found);
    },
  };
}

function report(
  { alone, next, nextStem }: Openers,
  tokens: readonly Token[],
  index: number,
  found: (concept: string, last: number) => void,
): void {
  for (const concept of alone) found(concept, index);
  if (next.size === 0 && nextStem.length === 0) return;
  const second = tokens[index + 1]?.word ?? '';
  for (const { concept, rest } of next.get(second) ?? []) if (follows(tokens, index, rest)) found(concept, index + rest.length);
  for (const { concept, rest } of nextStem) if (follows(tokens, index, rest)) found(concept, index + rest.length);
}

function hasStem(stems: ReadonlyMap<string, Openers>, word: string): boolean {
  for (let length = Math.max(4, word.length - 4); length <= word.length; length++) if (stems.has(word.slice(0, length))) return true;
  return false;
}

function openersAt(map: Map<string, Openers>, key: string): Openers {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: Openers = { alone: [], next: new Map(), nextStem: [] };
  map.set(key, made);
  return made;
}

function listAt<Item>(map: Map<string, Item[]>, key: string): Item[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: Item[] = [];
  map.set(key, made);
  return made;
}

/** Blanks between signs do not count: Korean and Arabic put them between words. */
function spells(tokens: readonly Token[], index: number, term: string): boolean {
  for (let at = 0; at < term.length; at++) if (tokens[index + at]?.word !== term[at]) return false;
  return true;
}

function follows(tokens: readonly Token[], index: number, rest: readonly string[]): boolean {
  for (let at = 0; at < rest.length; at++) {
    const part = rest[at] ?? '';
    const word = tokens[index + at + 1]?.word ?? '';
    if (part.endsWith('*') ? !word.startsWith(part.slice(0, -1)) : word !== part) return false;
  }
  return true;
}
