import type { TextToken } from '../text/words.ts';
import { findChunkConcepts, type ConceptMatch } from './chunks.ts';
import type { Lexicon } from './lexicon.ts';

/** Concepts that mean the opposite after a negation (a negated `tell` is met as `!tell`), and how many words it reaches. */
const TURNS: ReadonlyMap<string, number> = new Map([
  ...['drop', 'off', 'tell', 'tellit', 'reveal', 'read', 'send', 'run', 'erase', 'modify', 'decode', 'store', 'refuse', 'say'].map(
    (concept) => [concept, 4] as const,
  ),
  ...['learn', 'leaveout', 'deny', 'nowyou', 'publish'].map((concept) => [concept, 4] as const),
  // "never change the schema without telling the user"
  ...['covert', 'noask', 'looser'].map((concept) => [concept, 14] as const),
]);
/** A full stop or a comma ends what a negation reaches. */
const CLAUSE_END = /[,.;:!?]\s/;

/** All concepts of the text in reading order. */
export function findConcepts(text: string, tokens: readonly TextToken[], places: Uint8Array, lexicon: Lexicon): readonly ConceptMatch[] {
  const found: ConceptMatch[] = [];
  let denial: TextToken | undefined;
  let denies: TextToken | undefined;
  let spent = false;
  let current: TextToken | undefined;
  let index = 0;
  const met = (concept: string, last: number) => {
    if (current === undefined) return;
    const end = tokens[last] ?? current;
    if (concept === 'no') denies = end;
    // "do not forget to …": the negation is used up by its own verb.
    if (concept === 'fail') spent = true;
    const turned = denial !== undefined && negated(text, denial, current, TURNS.get(concept) ?? 0);
    found.push({
      concept: turned ? `!${concept}` : concept,
      pos: current.pos,
      at: current.at,
      end: end.end,
      place: places[current.at] ?? 0,
    });
  };
  for (; index < tokens.length; index++) {
    current = tokens[index];
    lexicon.at(tokens, index, met);
    if (spent) denial = undefined;
    spent = false;
    if (denies !== undefined) [denial, denies] = [denies, undefined];
  }
  return merged(found, findChunkConcepts(text, tokens, places));
}

const negated = (text: string, denial: TextToken, word: TextToken, reach: number): boolean =>
  word.at >= denial.end && word.pos - denial.pos <= reach && !CLAUSE_END.test(text.slice(denial.end, word.at));

function merged(words: readonly ConceptMatch[], chunks: readonly ConceptMatch[]): readonly ConceptMatch[] {
  const all: ConceptMatch[] = [];
  let next = 0;
  for (const mark of words) {
    for (let chunk = chunks[next]; chunk !== undefined && chunk.at < mark.at; chunk = chunks[++next]) all.push(chunk);
    all.push(mark);
  }
  for (const chunk of chunks.slice(next)) all.push(chunk);
  return all;
}
