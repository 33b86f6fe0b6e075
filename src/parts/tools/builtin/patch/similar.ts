import { graftLines } from './graft.ts';
import { toLineSpan, type SourceLines, type TextSpan } from './source.ts';
import type { MatchStrategy } from './strategy.ts';

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
export const blockAnchor: MatchStrategy = {
  name: 'block-anchor',
  byLikeness: true,
  find: (source, old) => {
    const { lines, withEnd } = wantedLines(old);
    const [first, last] = [lines[0]?.trim() ?? '', lines.at(-1)?.trim() ?? ''];
    if (lines.length < MIN_LINES || first === '' || last === '') return [];
    const candidates = source.lines.flatMap((line, index) =>
      line.trim() === first && source.lines[index + lines.length - 1]?.trim() === last ? [index] : [],
    );
    if (candidates.length > MAX_CANDIDATES) return [];
    const between = lines.slice(1, -1).map(wordsOf);
    return candidates
      .filter((index) => likenessAt(source, index + 1, between) >= BETWEEN)
      .map((index) => toLineSpan(source, index, lines.length, withEnd));
  },
  graft: graftLines,
};

function likenessAt(source: SourceLines, first: number, wanted: readonly ReadonlySet<string>[]): number {
  const sum = wanted.reduce((total, words, index) => total + likeness(words, wordsOf(source.lines[first + index] ?? '')), 0);
  return sum / wanted.length;
}

/** At least half of the lines are alike, at one place more than at any other. */
export const contextAware: MatchStrategy = {
  name: 'context-aware',
  byLikeness: true,
  find: (source, old) => {
    const { lines, withEnd } = wantedLines(old);
    const best = findNearestPlaces(source, lines);
    return best.share >= ENOUGH_LINES ? best.starts.map((first): TextSpan => toLineSpan(source, first, lines.length, withEnd)) : [];
  },
  graft: graftLines,
};

export interface NearestMatch {
  readonly share: number;
  readonly starts: readonly number[];
}
/** The search is dear and asked for twice when it finds nothing: once to match, once to say what came nearest. */
const found = new WeakMap<SourceLines, { readonly wanted: string; readonly nearest: NearestMatch }>();

/** Where most lines are alike, and how many of them; several places when they tie. */
export function findNearestPlaces(source: SourceLines, lines: readonly string[]): NearestMatch {
  const wanted = lines.join('\n');
  const known = found.get(source);
  if (known?.wanted === wanted) return known.nearest;
  const nearest = searchNearest(source, lines);
  found.set(source, { wanted, nearest });
  return nearest;
}

function searchNearest(source: SourceLines, wanted: readonly string[]): NearestMatch {
  const room = source.lines.length - wanted.length + 1;
  if (wanted.length > MAX_LINES || room < 1) return NOWHERE;
  const index = wordIndex(source.lines);
  const places = wanted.map((line) => alike(line, index));
  const counted = places.filter((each) => each !== undefined).length;
  if (counted < MIN_LINES) return NOWHERE;
  const scores = new Int32Array(room);
  places.forEach((each, offset) => {
    for (const at of each ?? []) if (at >= offset && at - offset < room) scores[at - offset] = (scores[at - offset] ?? 0) + 1;
  });
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const starts = best === 0 ? [] : [...scores.keys()].filter((start) => scores[start] === best);
  return { share: best / counted, starts };
}

/** A file with more lines is for search_files. */
const MAX_COMPARED = 20_000;
/** Share of names two lines have in common from which one is worth showing beside the other. */
const RELATED = 0.3;

/** Lines that have most names in common with the line that says most, the best first. */
export function findRelatedLines(source: SourceLines, wanted: readonly string[], most: number): readonly number[] {
  const names = wanted.map(namesOf).reduce((best, each) => (each.size > best.size ? each : best), new Set<string>());
  if (names.size === 0 || source.lines.length > MAX_COMPARED) return [];
  return source.lines
    .map((line, index) => ({ index, share: likeness(names, namesOf(line)) }))
    .filter(({ share }) => share >= RELATED)
    .toSorted((a, b) => b.share - a.share || a.index - b.index)
    .slice(0, most)
    .map(({ index }) => index);
}

const NOWHERE: NearestMatch = { share: 0, starts: [] };
/** A line that is like this many others says nothing about the place, and counting it everywhere would take long. */
const TOO_COMMON = 5_000;

/** Every different line of a file once, by number. */
interface WordIndex {
  readonly sizes: Int32Array;
  /** Where each stands. */
  readonly standing: readonly (readonly number[])[];
  /** Which of them hold a word. */
  readonly holders: ReadonlyMap<string, readonly number[]>;
}

/** Comparing one line with all of a file then costs its words, not the file times the line. */
function wordIndex(lines: readonly string[]): WordIndex {
  const byText = Map.groupBy(lines.keys(), (at) => lines[at]?.trim() ?? '');
  byText.delete('');
  const holders = new Map<string, number[]>();
  const sizes = Int32Array.from([...byText.keys()], (line, id) => {
    const words = wordsOf(line);
    for (const word of words) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [id]);
      else known.push(id);
    }
    return words.size;
  });
  return { sizes, standing: [...byText.values()], holders };
}

/** Where lines like this one stand; `undefined` for a line that tells nothing: empty, or like too many. */
function alike(line: string, { sizes, standing, holders }: WordIndex): readonly number[] | undefined {
  const words = wordsOf(line);
  if (words.size === 0) return undefined;
  const shared = new Int32Array(sizes.length);
  for (const word of words) for (const id of holders.get(word) ?? []) shared[id] = (shared[id] ?? 0) + 1;
  const places: number[] = [];
  for (let id = 0; id < sizes.length; id++) {
    if (2 * (shared[id] ?? 0) < SAME_LINE * (words.size + (sizes[id] ?? 0))) continue;
    const here = standing[id] ?? [];
    if (places.length + here.length > TOO_COMMON) return undefined;
    places.push(...here);
  }
  return places;
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+|[^\w\s]/gu));

const namesOf = (line: string): ReadonlySet<string> => new Set(line.slice(0, 200).toLowerCase().match(/\w+/g));

/** Twice what both have, by what each has (Dice): 1 for the same words, 0 for none in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 1 : (2 * a.intersection(b).size) / (a.size + b.size);
}

function wantedLines(old: string): { readonly lines: readonly string[]; readonly withEnd: boolean } {
  const withEnd = old.endsWith('\n');
  return { lines: (withEnd ? old.slice(0, -1) : old).split('\n'), withEnd };
}
