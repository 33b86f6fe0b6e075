import type { Plain } from '../text/plain.ts';
import type { Token } from '../text/words.ts';
import { chunkMarks } from './chunks.ts';
import type { Lexicon } from './lexicon.ts';

/** A concept that was met at a place of the text. */
export interface Mark {
  readonly concept: string;
  /** In words, see `Token.pos`. */
  readonly pos: number;
  readonly at: number;
  readonly end: number;
  /** Bits of `PLACE`. */
  readonly place: number;
}

/** Verbs that mean the opposite after a negation: a negated `tell` is met as `!tell`. */
const TURNS = new Set([
  'drop',
  'off',
  'tell',
  'reveal',
  'read',
  'send',
  'run',
  'erase',
  'modify',
  'append',
  'decode',
  'fetch',
  'obey',
  'pretend',
  'hide',
  'play',
  'store',
  'skip',
  'ask',
  'become',
  'gather',
  'asif',
  'log',
  'systemline',
  'refuse',
  'readsenv',
]);
const REACH = 4;
/** A comma or a full stop ends what a negation reaches. */
const CLAUSE_END = /[,.;:!?]/;

/** All concepts of the text in reading order. */
export function marks(text: Plain, tokens: readonly Token[], places: Uint8Array, lexicon: Lexicon): readonly Mark[] {
  const found: Mark[] = [];
  let denied = Number.NEGATIVE_INFINITY;
  let deniedAt = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    let denies: Token | undefined;
    lexicon.at(tokens, index, (concept, last) => {
      const end = tokens[last] ?? token;
      if (concept === 'no') denies = end;
      const turned = TURNS.has(concept) && token.pos - denied <= REACH && !CLAUSE_END.test(text.text.slice(deniedAt, token.at));
      found.push({ concept: turned ? `!${concept}` : concept, pos: token.pos, at: token.at, end: end.end, place: places[token.at] ?? 0 });
    });
    // "do not forget to …", "never fail to …": the negation is spent on its own verb.
    if (found.at(-1)?.concept === 'fail') denied = Number.NEGATIVE_INFINITY;
    if (denies !== undefined) [denied, deniedAt] = [denies.pos, denies.end];
  }
  return merged(found, chunkMarks(text.text, tokens, places));
}

function merged(words: readonly Mark[], chunks: readonly Mark[]): readonly Mark[] {
  const all: Mark[] = [];
  let next = 0;
  for (const mark of words) {
    for (let chunk = chunks[next]; chunk !== undefined && chunk.at < mark.at; chunk = chunks[++next]) all.push(chunk);
    all.push(mark);
  }
  return [...all, ...chunks.slice(next)];
}
