import { graftLines } from './graft.ts';
import { spanOfLines, type Source, type Span } from './source.ts';
import type { Strategy } from './strategy.ts';

/** Likeness of what lies between two anchors that makes them the place that was meant. */
const BETWEEN = 0.6;
/** A line this like another stands for it. */
const SAME_LINE = 0.75;
/** Share of lines that must be alike for a place to be taken for the one meant. */
const ENOUGH_LINES = 0.5;
/** Below three lines likeness proves too little; above this many it costs too much. */
const MIN_LINES = 3;
const MAX_LINES = 400;
const MAX_CANDIDATES = 500;

/** First and last line agree, what lies between is alike. */
export const blockAnchor: Strategy = {
  name: 'block-anchor',
  byLikeness: true,
  find: (source, old) => {
    const { lines, withEnd } = wantedLines(old);
    const [first, last] = [lines[0]?.trim() ?? '', lines.at(-1)?.trim() ?? ''];
    if (lines.length < MIN_LINES || first === '' || last === '') return [];
    const candidates = source.lines.flatMap((line, index) => (line.trim() === first && source.lines[index + lines.length - 1]?.trim() === last ? [index] : []));
    if (candidates.length > MAX_CANDIDATES) return [];
    const between = lines.slice(1, -1).map(wordsOf);
    return candidates.filter((index) => likenessAt(source, index + 1, between) >= BETWEEN).map((index) => spanOfLines(source, index, lines.length, withEnd));
  },
  graft: graftLines,
};

function likenessAt(source: Source, first: number, wanted: readonly ReadonlySet<string>[]): number {
  const sum = wanted.reduce((total, words, index) => total + likeness(words, wordsOf(source.lines[first + index] ?? '')), 0);
  return sum / wanted.length;
}

/** At least half of the lines are alike, at one place more than at any other. */
export const contextAware: Strategy = {
  name: 'context-aware',
  byLikeness: true,
  find: (source, old) => {
    const { lines, withEnd } = wantedLines(old);
    const best = nearestPlaces(source, lines);
    return best.share >= ENOUGH_LINES ? best.starts.map((first): Span => spanOfLines(source, first, lines.length, withEnd)) : [];
  },
  graft: graftLines,
};

/** Where most lines are alike, and how many of them; several places when they tie. */
export function nearestPlaces(source: Source, wanted: readonly string[]): { readonly share: number; readonly starts: readonly number[] } {
  const room = source.lines.length - wanted.length + 1;
  if (wanted.length > MAX_LINES || room < 1) return NOWHERE;
  const index = wordIndex(source.lines);
  const places = wanted.map((line) => alike(line, index));
  const counted = places.filter((found) => found !== undefined).length;
  if (counted < MIN_LINES) return NOWHERE;
  const scores = new Int32Array(room);
  places.forEach((found, offset) => {
    for (const at of found ?? []) if (at >= offset && at - offset < room) scores[at - offset] = (scores[at - offset] ?? 0) + 1;
  });
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const starts = best === 0 ? [] : [...scores.keys()].filter((start) => scores[start] === best);
  return { share: best / counted, starts };
}

const NOWHERE = { share: 0, starts: [] };
/** A line that is like this many others says nothing about the place, and counting it everywhere would take long. */
const TOO_COMMON = 5_000;

interface WordIndex {
  /** Every different line once: how many words it has and where it stands. */
  readonly distinct: readonly { readonly size: number; readonly at: readonly number[] }[];
  /** Which of the different lines hold a word. */
  readonly holders: ReadonlyMap<string, readonly number[]>;
}

/** Comparing one line with all of a file then costs its words, not the file times the line. */
function wordIndex(lines: readonly string[]): WordIndex {
  const standing = Map.groupBy(lines.keys(), (at) => lines[at]?.trim() ?? '');
  standing.delete('');
  const holders = new Map<string, number[]>();
  const distinct = [...standing].map(([line, at], id) => {
    const words = wordsOf(line);
    for (const word of words) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [id]);
      else known.push(id);
    }
    return { size: words.size, at };
  });
  return { distinct, holders };
}

/** Where lines like this one stand; `undefined` for a line that tells nothing: empty, or like too many. */
function alike(line: string, { distinct, holders }: WordIndex): readonly number[] | undefined {
  const words = wordsOf(line);
  if (words.size === 0) return undefined;
  const shared = new Int32Array(distinct.length);
  for (const word of words) for (const id of holders.get(word) ?? []) shared[id] = (shared[id] ?? 0) + 1;
  const found = distinct.filter(({ size }, id) => (2 * (shared[id] ?? 0)) / (words.size + size) >= SAME_LINE);
  const places = found.reduce((sum, { at }) => sum + at.length, 0);
  return places > TOO_COMMON ? undefined : found.flatMap(({ at }) => at);
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+|[^\w\s]/gu));

/** Twice what both have, by what each has (Dice): 1 for the same words, 0 for none in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 1 : (2 * a.intersection(b).size) / (a.size + b.size);
}

function wantedLines(old: string): { readonly lines: readonly string[]; readonly withEnd: boolean } {
  const withEnd = old.endsWith('\n');
  return { lines: (withEnd ? old.slice(0, -1) : old).split('\n'), withEnd };
}
