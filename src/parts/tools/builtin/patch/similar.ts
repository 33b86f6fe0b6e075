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
  const counted = wanted.filter((line) => wordsOf(line).size > 0).length;
  const room = source.lines.length - wanted.length + 1;
  if (counted < MIN_LINES || wanted.length > MAX_LINES || room < 1) return { share: 0, starts: [] };
  const scores = new Int32Array(room);
  const index = wordIndex(source.lines);
  wanted.forEach((line, offset) => {
    for (const at of alike(line, index)) if (at - offset >= 0 && at - offset < room) scores[at - offset] = (scores[at - offset] ?? 0) + 1;
  });
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const starts: number[] = [];
  scores.forEach((score, start) => best > 0 && score === best && starts.push(start));
  return { share: best / counted, starts };
}

interface WordIndex {
  readonly sizes: Int32Array;
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** Which lines hold a word: comparing one line with all of a file costs its words, not the file times the line. */
function wordIndex(lines: readonly string[]): WordIndex {
  const places = new Map<string, number[]>();
  const sizes = Int32Array.from(lines, (line, at) => {
    const words = wordsOf(line);
    for (const word of words) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [at]);
      else known.push(at);
    }
    return words.size;
  });
  return { sizes, lines: places };
}

function alike(line: string, { sizes, lines }: WordIndex): number[] {
  const words = wordsOf(line);
  const shared = new Int32Array(sizes.length);
  for (const word of words) for (const at of lines.get(word) ?? []) shared[at] = (shared[at] ?? 0) + 1;
  const found: number[] = [];
  shared.forEach((count, at) => count > 0 && (2 * count) / (words.size + (sizes[at] ?? 0)) >= SAME_LINE && found.push(at));
  return found;
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
