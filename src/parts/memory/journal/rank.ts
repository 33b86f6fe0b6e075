import { ATTRIBUTE_WORDS, WEAK_WORDS } from './words/common-words.ts';
import type { WordTerm } from './words/terms.ts';

/** What a question is looked for by. */
export interface WeighedTerm {
  readonly term: WordTerm;
  readonly weight: number;
  /** It names what the question is about, rather than what is asked of it. */
  readonly isTopic: boolean;
  /** A person or a name: a fact about another one does not answer. */
  readonly isDecisive: boolean;
}

/** How often a term occurs in the journal, and of how many turns. */
export interface TermCounts {
  readonly turns: number;
  countOf(key: string): number;
}

/** In a small journal every word is rare. */
const FEW_TURNS = 50;

const WEIGHTS = {
  pair: 0.45,
  attribute: 0.3,
  weak: 0.15,
  exact: 1.4,
  leastRarity: 0.25,
  stem: 1,
  prefix: 0.8,
  group: 0.85,
  kind: 0.7,
  before: 0.45,
  strange: 0.35,
};

export function weighTerms(terms: readonly WordTerm[], { turns, countOf }: TermCounts): readonly WeighedTerm[] {
  const distinct = [...new Map(terms.map((term) => [term.key, term])).values()];
  const isPlain = distinct.every(({ word }) => ATTRIBUTE_WORDS.has(word) || WEAK_WORDS.has(word));
  return distinct.map((term) => {
    const count = countOf(term.key);
    const rarity = count === 0 ? 1 : Math.max(WEIGHTS.leastRarity, 1 - Math.log(count) / Math.log(Math.max(turns, FEW_TURNS) + 2));
    const isAttribute = !isPlain && ATTRIBUTE_WORDS.has(term.word);
    const isWeak = !isPlain && !isAttribute && WEAK_WORDS.has(term.word);
    const base = isAttribute ? WEIGHTS.attribute : isWeak ? WEIGHTS.weak : term.isPair ? WEIGHTS.pair : term.isExact ? WEIGHTS.exact : 1;
    return { term, weight: base * rarity, isTopic: !isAttribute && !isWeak, isDecisive: term.isExact || isKin(term) };
  });
}

/** Groups whose words name people by what they are to somebody. One cannot stand for another. */
const KIN = new Set(
  'mother father parents sister brother wife husband partner son daughter baby aunt uncle grandmother grandfather cousin friend colleague landlord neighbor boss former'
    .split(' ')
    .map((name) => `=${name}`),
);
const isKin = ({ groups }: WordTerm): boolean => groups.some((group) => KIN.has(group));

/** How well a term of a question is met by the terms of a text: from 0 to 1. */
export function meets(asked: WordTerm, told: TermSet): number {
  if (told.keys.has(asked.key)) return WEIGHTS.stem;
  if (asked.groups.some((group) => told.groups.has(group))) return WEIGHTS.group;
  if (asked.asks.some((kind) => told.kinds.has(kind))) return WEIGHTS.kind;
  if (!asked.isPair && asked.key.length >= 5) for (const key of told.keys) if (isSameBeginning(asked.key, key)) return WEIGHTS.prefix;
  return 0;
}
const isSameBeginning = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 5 || !/^\p{Script=Latin}/u.test(short)) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return same >= 5 && same >= 0.7 * long.length;
};

export interface TermSet {
  readonly keys: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}
export const toTermSet = (terms: readonly WordTerm[]): TermSet => ({
  keys: new Set(terms.map(({ key }) => key)),
  groups: new Set(terms.flatMap(({ groups }) => groups)),
  kinds: new Set(terms.flatMap(({ kinds }) => kinds)),
});

export interface Coverage {
  /** Share of the question's weight that is met. */
  readonly share: number;
  /** Weight of topics met in the turn itself. */
  readonly topics: number;
}

/** How much of a question a turn speaks of, by itself and by the turn before it. */
export function cover(asked: readonly WeighedTerm[], own: TermSet, before: TermSet | undefined): Coverage {
  let [met, all, topics, factor] = [0, 0, 0, 1];
  for (const { term, weight, isTopic, isDecisive } of asked) {
    const here = meets(term, own);
    const there = here > 0 || before === undefined ? 0 : meets(term, before) * WEIGHTS.before;
    all += weight;
    met += weight * Math.max(here, there);
    if (isTopic) topics += weight * here;
    if (isDecisive && here === 0 && there === 0) factor *= WEIGHTS.strange;
  }
  return { share: all === 0 ? 0 : (met / all) * factor, topics };
}
