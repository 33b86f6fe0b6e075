import { SYNONYMS, STOP_WORDS } from './common-words.ts';
import { inferWantedKinds } from './wanted.ts';
import type { AnchorKind } from './anchor-kinds.ts';
import { splitRuns, extractTerms } from './terms.ts';
import { stem } from './stems.ts';

/** One thing asked for, and what it may be called. The best of its terms that a passage holds counts. */
export interface SoughtTerms {
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
}
export interface RecallQuery {
  readonly clauses: readonly SoughtTerms[];
  /** Stretches the asker put in quotes. */
  readonly phrases: readonly string[];
  /** Kinds of facts the question is after, such as a port. */
  readonly kinds: ReadonlySet<AnchorKind>;
}

const WHOLE = 1.8;
const PIECE = 0.6;
const PAIR = 0.7;
const SIMILAR = 0.45;
/** A longer query is not a query. */
const LONGEST = 2_000;
const MAX_TERMS = 64;
const QUOTED = /"([^"\n]{2,120})"|`([^`\n]{2,120})`|“([^”\n]{2,120})”|«([^»\n]{2,120})»|「([^」\n]{2,120})」/g;

export function parseRecallQuery(typed: string): RecallQuery {
  const asked = typed.slice(0, LONGEST);
  const runs = splitRuns(asked);
  const telling = runs.filter((run) => !STOP_WORDS.has(run.toLowerCase().replace(/\W+$/, '')));
  const clauses = (telling.length > 0 ? telling : runs).flatMap(soughtTermsOf);
  const phrases = [...asked.matchAll(QUOTED)].map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').toLowerCase());
  return { clauses: distinct(clauses).slice(0, MAX_TERMS), phrases, kinds: inferWantedKinds(runs) };
}

function soughtTermsOf(run: string): SoughtTerms[] {
  const { whole, words } = extractTerms(run);
  if (whole.length > 0) {
    const named = whole.map((term) => ({ term, weight: WHOLE }));
    const pieces = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map((term) => ({ terms: [{ term, weight: PIECE }] }));
    return [{ terms: named }, ...pieces];
  }
  if (words.length === 1) return words.map((term) => ({ terms: [{ term, weight: 1 }, ...similarTo(term)] }));
  return words.map((term) => ({ terms: [{ term, weight: PAIR }] }));
}

const GROUPS = SYNONYMS.map((group) => [...new Set(group.map(stem))]);

const similarTo = (term: string): { term: string; weight: number }[] =>
  [...new Set(GROUPS.filter((group) => group.includes(term)).flat())]
    .filter((other) => other !== term)
    .map((other) => ({ term: other, weight: SIMILAR }));

function distinct(clauses: readonly SoughtTerms[]): SoughtTerms[] {
  return [...new Map(clauses.map((clause) => [clause.terms[0]?.term ?? '', clause])).values()].filter(({ terms }) => terms.length > 0);
}
