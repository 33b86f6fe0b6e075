import { editDistance } from '../../../base/text.ts';
import { OWN, PACK, type PassageIndex } from './passage-index.ts';
import type { Passage } from './passages.ts';
import type { RecallQuery, SoughtTerms } from './query.ts';
import type { RowVoice } from './rows.ts';

/** A passage that may answer, by the words it shares with the question. */
export interface Candidate {
  readonly passage: Passage;
  readonly score: number;
  /** How much of what was asked for it holds, from 0 to 1. */
  readonly coverage: number;
}
/** A clause with what the log makes of it: its terms there, and how rare they are. */
export interface WeighedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly rarity: number;
}

/** Usual for BM25; passages are of a size, so length says little. */
const SATURATION = 1.2;
const LENGTH = 0.4;
/** What was said is worth more than what was printed, our own nudges least. */
const VOICES: Readonly<Record<RowVoice, number>> = { user: 1.3, assistant: 1.25, call: 1.05, result: 1, ours: 0.5 };
const BULK = 0.85;

/** The clauses as this log can fulfil them; a word it does not know is looked for in its likes. */
export const weigh = ({ clauses }: RecallQuery, index: PassageIndex): WeighedTerms[] =>
  clauses.map((clause) => {
    const known = clause.terms.filter(({ term }) => index.postings(term).length > 0);
    const main = clause.terms[0];
    const near = main !== undefined && index.postings(main.term).length === 0 ? nearTerms(main.term, index) : [];
    const terms = new Map([...near.map((term) => [term, NEAR] as const), ...known.map(({ term, weight }) => [term, weight] as const)]);
    return { terms, rarity: rarityOf(clause, terms, index) };
  });

const NEAR = 0.5;
const MAX_NEAR = 12;

/** Terms that begin alike, are part of a compound, or are one slip away. */
function nearTerms(term: string, index: PassageIndex): string[] {
  if (term.length < 4) return [];
  const near: string[] = [];
  for (const known of index.terms()) {
    if (isNear(term, known)) near.push(known);
    if (near.length >= MAX_NEAR) break;
  }
  return near;
}

function isNear(term: string, known: string): boolean {
  if (known.length < 4) return false;
  if (known.startsWith(term) || term.startsWith(known) || term.endsWith(known)) return true;
  if (term.length >= 5 && known.length <= 60 && known.includes(term)) return true;
  return Math.abs(known.length - term.length) <= 1 && term.length >= 5 && known[0] === term[0] && editDistance(term, known) === 1;
}

/** Of a clause no passage can fulfil nothing is expected; its weight would only blur the rest. */
function rarityOf(clause: SoughtTerms, terms: ReadonlyMap<string, number>, index: PassageIndex): number {
  const own = clause.terms[0] === undefined ? 0 : index.postings(clause.terms[0].term).length;
  const held = own > 0 ? own : Math.max(0, ...[...terms.keys()].map((term) => index.postings(term).length));
  return held === 0 ? 0 : idf(held, index.passages.length);
}

const idf = (held: number, all: number): number => Math.log(1 + (all - held + 0.5) / (held + 0.5));

/** Passages that share words with the question, best first. */
export function findCandidates(
  clauses: readonly WeighedTerms[],
  index: PassageIndex,
  allowed: (seq: number) => boolean,
  most: number,
): Candidate[] {
  const scores = new Map<number, { score: number; held: number }>();
  const all = clauses.reduce((sum, { rarity }) => sum + rarity, 0);
  for (const clause of clauses) {
    for (const [number, part] of bestParts(clause, index)) {
      const sum = scores.get(number) ?? { score: 0, held: 0 };
      sum.score += part.score;
      sum.held += clause.rarity * part.share;
      scores.set(number, sum);
    }
  }
  return [...scores]
    .flatMap(([number, { score, held }]) => candidate(index.passages[number], score, all === 0 ? 0 : held / all))
    .filter(({ passage }) => allowed(passage.seq))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most);
}

function candidate(passage: Passage | undefined, score: number, coverage: number): Candidate[] {
  if (passage === undefined) return [];
  const weight = VOICES[passage.voice] * (passage.bulk ? BULK : 1);
  return [{ passage, score: score * weight * (0.6 + 0.4 * coverage), coverage }];
}

/** For each passage what the best term of one clause brings. */
function bestParts({ terms }: WeighedTerms, index: PassageIndex): Map<number, { score: number; share: number }> {
  const parts = new Map<number, { score: number; share: number }>();
  const all = index.passages.length;
  for (const [term, weight] of terms) {
    const postings = index.postings(term);
    const rare = idf(postings.length, all);
    for (const packed of postings) {
      const number = Math.floor(packed / PACK);
      const often = (packed % PACK) / OWN;
      const long = (index.lengths[number] ?? 0) / index.averageLength;
      const score = (weight * rare * often * (SATURATION + 1)) / (often + SATURATION * (1 - LENGTH + LENGTH * long));
      if (score > (parts.get(number)?.score ?? 0)) parts.set(number, { score, share: Math.min(1, weight) * Math.min(1, often) });
    }
  }
  return parts;
}
