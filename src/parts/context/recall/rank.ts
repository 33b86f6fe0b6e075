import { holdsKind } from './anchors.ts';
import { findCandidates, weigh, type Candidate, type WeighedTerms } from './candidates.ts';
import type { PassageIndex } from './passage-index.ts';
import { splitPassageLines, type PassageLine } from './passages.ts';
import type { RecallQuery } from './query.ts';
import type { RecallRow } from './rows.ts';
import { splitRuns, extractTerms } from './terms.ts';

/** A passage that answers, with the line that does. */
export interface PassageHit extends Candidate {
  readonly row: RecallRow;
  readonly line: PassageLine;
  /** How much of the query that line holds. */
  readonly held: number;
  /** The lines that hold words of the question, as they are. */
  readonly telling: readonly string[];
}
export interface Ranking {
  readonly index: PassageIndex;
  allowed(seq: number): boolean;
  rowAt(seq: number): RecallRow | undefined;
  /** Numbers of the passages whose meaning is nearest to the query, nearest first, where that is known. */
  readonly nearest?: readonly number[];
}

/** Candidates that are looked at closely. */
const CLOSELY = 120;
/** A later mention of the same is what holds now, unless it is clearly the worse answer. */
const CLOSE = 0.72;
const AS_MUCH = 0.9;

/** Material must answer clearly better than that to stand before what somebody said. */
const CLOSE_MATERIAL = 0.9;

/** What answers the query, best first. */
export function rank(query: RecallQuery, ranking: Ranking): PassageHit[] {
  const clauses = weigh(query, ranking.index);
  const reader = { query, clauses, read: lineReader(clauses), all: clauses.reduce((sum, { rarity }) => sum + rarity, 0) || 1 };
  const close = findCandidates(clauses, ranking.index, ranking.allowed, CLOSELY).flatMap((candidate) => look(candidate, reader, ranking));
  const byWords = newestOfEquals(close.toSorted((a, b) => b.score - a.score || b.row.seq - a.row.seq));
  const { nearest = [], index, allowed } = ranking;
  const near = nearest.flatMap((number) => {
    const passage = index.passages[number];
    return passage === undefined || !allowed(passage.seq) ? [] : look({ passage, score: 0, coverage: 0 }, reader, ranking);
  });
  return near.length === 0 ? byWords : joined(byWords, near.map(withTelling));
}

/** Two orders become one: a passage counts by its place in each. Words count for more at the top, meaning reaches further. */
function joined(byWords: readonly PassageHit[], byMeaning: readonly PassageHit[]): PassageHit[] {
  const keyOf = ({ passage: { seq, start } }: PassageHit): string => `${seq}:${start}`;
  const hits = new Map([...byMeaning, ...byWords].map((hit) => [keyOf(hit), hit]));
  const worth = new Map<string, number>();
  for (const list of [byWords, byMeaning])
    for (const [place, hit] of list.entries()) worth.set(keyOf(hit), (worth.get(keyOf(hit)) ?? 0) + 1 / (EVEN + place));
  return [...hits].toSorted(([a], [b]) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0)).map(([, hit]) => hit);
}
/** The larger, the less the first places weigh. */
const EVEN = 10;

/** What was found by its meaning has no word of the question in it. */
const withTelling = (hit: PassageHit): PassageHit =>
  hit.telling.length > 0 ? hit : { ...hit, telling: [hit.row.text.slice(hit.line.start, hit.line.end).trim()] };

/** Of the answers that are as good as the best, the newest stands first. */
function newestOfEquals(hits: readonly PassageHit[]): PassageHit[] {
  const [best] = hits;
  if (best === undefined) return [];
  const close = (hit: PassageHit) => (isSaid(best) && !isSaid(hit) ? CLOSE_MATERIAL : CLOSE);
  const equal = (hit: PassageHit) =>
    hit.score >= close(hit) * best.score && hit.coverage >= AS_MUCH * best.coverage && hit.held >= AS_MUCH * best.held;
  return [...hits.filter(equal).toSorted((a, b) => b.row.seq - a.row.seq), ...hits.filter((hit) => !equal(hit))];
}

export const isSaid = ({ passage }: Candidate): boolean => passage.voice === 'user' || passage.voice === 'assistant';

interface LineRanker {
  readonly query: RecallQuery;
  read(line: string): LineReading;
  /** What a line would hold that had everything. */
  readonly all: number;
}
interface LineReading {
  /** How much of the query the line holds. */
  readonly held: number;
  /** How many words stand side by side there as they do in the query. */
  readonly neighbours: number;
}

function look(candidate: Candidate, { query, read, all }: LineRanker, { index, rowAt }: Ranking): PassageHit[] {
  const row = rowAt(candidate.passage.seq);
  if (row === undefined) return [];
  const lines = splitPassageLines(row.text, candidate.passage.start, candidate.passage.end);
  const readings = lines.map((line) => read(row.text.slice(line.start, line.end)));
  const best = readings.reduce((top, { held }, at) => (held > (readings[top]?.held ?? 0) ? at : top), 0);
  const [line, found] = [lines[best], readings[best]];
  if (line === undefined || found === undefined) return [];
  const around = row.text.slice(lines[best - 1]?.start ?? line.start, lines[best + 1]?.end ?? line.end);
  const score =
    candidate.score *
    (0.8 + 0.4 * (found.held / all) + 0.1 * Math.min(3, found.neighbours)) *
    phraseBonus(around, query) *
    kindBonus(around, query, candidate) *
    (isQuestion(row.text.slice(line.start, line.end)) ? ECHO : 1) *
    (1 + NEWER * (candidate.passage.seq / Math.max(1, index.passages.at(-1)?.seq ?? 1)));
  const telling = lines.filter((_, at) => (readings[at]?.held ?? 0) > 0).map(({ start, end }) => row.text.slice(start, end).trim());
  return [{ ...candidate, score, row, line, held: found.held, telling }];
}

/** A question that sounds like the query is not its answer. */
const ECHO = 0.8;
const NEWER = 0.05;
const isQuestion = (line: string): boolean => /[?？؟]\W*$/.test(line);
/** Words with so little between them belong together. */
const NEAR = 4;

/** Reads lines for the query's words; each run of characters is taken apart once. */
function lineReader(clauses: readonly WeighedTerms[]): (line: string) => LineReading {
  const byTerm = new Map(clauses.flatMap(({ terms }, clause) => [...terms.keys()].map((term) => [term, clause] as const)).toReversed());
  const known = new Map<string, readonly number[]>();
  const wishesIn = (run: string): readonly number[] => {
    const before = known.get(run);
    if (before !== undefined) return before;
    const { whole, words } = extractTerms(run);
    const found = [...whole, ...words].map((term) => byTerm.get(term) ?? -1);
    known.set(run, found);
    return found;
  };
  return (line) => {
    const order = splitRuns(line).flatMap(wishesIn);
    const met = new Set(order.filter((clause) => clause >= 0));
    const held = [...met].reduce((sum, clause) => sum + (clauses[clause]?.rarity ?? 0), 0);
    const pairs = new Set(order.filter((clause, at) => clause >= 0 && order.slice(at + 1, at + NEAR).includes(clause + 1)));
    return { held, neighbours: pairs.size };
  };
}

const phraseBonus = (around: string, { phrases }: RecallQuery): number =>
  phrases.some((phrase) => around.toLowerCase().includes(phrase)) ? 1.5 : 1;

function kindBonus(around: string, { kinds }: RecallQuery, candidate: Candidate): number {
  if (kinds.size === 0) return 1;
  if (kinds.has('command') && candidate.passage.voice === 'call') return 1.2;
  return holdsKind(around, kinds) ? 1.2 : 1;
}
