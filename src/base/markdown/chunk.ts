import { takeStart } from '../text.ts';
import { closesFence, type Fence } from './block.ts';
import { closeCode, CUT_LEVELS, findCuts, type Cut, type CutLevel, type CutPlace } from './cuts.ts';
import { normalizeLines } from './tree.ts';

export interface ChunkOptions {
  /** The most one message holds. */
  readonly max: number;
  /** How much a piece of Markdown takes when it is rendered for its service. */
  readonly measure: (markdown: string) => number;
  /** Says behind each of several pieces which one it is: ` (1/3)`. */
  readonly numbered?: true;
}

/** What is left of a text: what opens again what was cut, and where the rest begins. */
interface ChunkRest {
  readonly open: string;
  readonly at: number;
  readonly fence?: Fence;
  /** How far it is known to fit. */
  readonly scan?: number;
}
const START: ChunkRest = { open: '', at: 0 };

/** So much one sign of the source adds at most, escapes and entities included; a sign in a table widens every row of it. */
const GROWTH = 6;
/** More rows than this are not reckoned with: steps would be too short. */
const MAX_ROWS = 32;
/** So many cuts that turn out too long are tried before a stretch is skipped. */
const MAX_TRIES = 12;

/**
 * A text in pieces of Markdown that each fit one message: cut between blocks where that leaves no piece half empty, then
 * between items, rows and lines, then sentences, then words. Marks that are cut are closed and opened again. Each cut is made
 * by what stands up to the first sign that no longer fits, so what comes later changes only the last piece.
 */
export function chunkMarkdown(text: string, { max, measure, numbered }: ChunkOptions): readonly string[] {
  const pieces = createChunker({ max, measure }).chunk(text);
  if (numbered === undefined || pieces.length < 2) return pieces;
  const nines = '9'.repeat(String(pieces.length * 2).length);
  const parts = createChunker({ max: Math.max(1, max - measure(`\n\n(${nines}/${nines})`) - 2), measure }).chunk(text);
  return parts.map((piece, index) => `${piece}${/^[^`~|>]*$/.test(lastLine(piece)) ? ' ' : '\n\n'}(${index + 1}/${parts.length})`);
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

/** The pieces of a text that grows: the same as those of the whole, and only what is new is looked at. */
export interface Chunker {
  chunk(text: string): readonly string[];
}

export function createChunker({ max, measure }: Pick<ChunkOptions, 'max' | 'measure'>): Chunker {
  const fits = (piece: string): boolean => measure(piece) <= max;
  let [seen, pieces]: [string, string[]] = ['', []];
  let rest: ChunkRest = START;
  const chunk = (text: string): readonly string[] => {
    const source = normalizeLines(text);
    if (!source.startsWith(seen)) [pieces, rest] = [[], START];
    seen = source;
    for (;;) {
      const begun: ChunkRest | undefined = skipBlank(source, rest);
      if (begun === undefined) return [...pieces];
      const window = begun.open + source.slice(begun.at);
      const { over, scan } = findOverflow(window, begun.scan ?? begun.open.length, max, measure);
      // What is sure stays; the rest is looked at again from here when the text has grown.
      rest = { ...begun, scan };
      if (over === undefined) return [...pieces, closeCode(window.trimEnd())];
      const cut = chooseCut(window.slice(0, over), begun.open.length, fits);
      if (cut.end > 0) pieces.push(pieceOf(window, cut));
      rest = { open: cut.open, at: begun.at + cut.next - begun.open.length, ...(cut.fence && { fence: cut.fence }) };
    }
  };
  return { chunk };
}

const pieceOf = (window: string, { end, close }: Cut): string => window.slice(0, end).trimEnd() + close;

/** Steps over what needs no piece of its own: blank lines, and the mark that closes code with nothing before it. */
function skipBlank(source: string, rest: ChunkRest): ChunkRest | undefined {
  const { open, at: from, fence, scan } = rest;
  if (scan !== undefined) return rest;
  const closed = fence !== undefined && open.endsWith('\n') && closesFence(lineOf(source, from).replace(/^[\s>]+/, ''), fence);
  let at = closed ? from + lineOf(source, from).length + 1 : from;
  if (fence !== undefined && !closed) return source.slice(at).trim() === '' ? undefined : rest;
  for (let line = lineOf(source, at); at < source.length && line.trim() === ''; line = lineOf(source, at)) at += line.length + 1;
  return at < source.length ? { open: closed ? '' : open, at } : undefined;
}

function lineOf(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? undefined : end);
}

/** Finds the shortest beginning that does not fit. Steps are as long as what is free allows. */
function findOverflow(
  window: string,
  from: number,
  max: number,
  measure: (markdown: string) => number,
): { readonly over?: number; readonly scan: number } {
  for (let scan = from; ;) {
    const taken = measure(closeCode(window.slice(0, scan).trimEnd()));
    if (taken > max) return { over: scan, scan };
    const step = Math.max(1, Math.floor((max - taken) / (GROWTH + countRows(window, scan))));
    const at = wholeSign(window, scan + step);
    if (at >= window.length) return measure(closeCode(window.trimEnd())) > max ? { over: window.length, scan } : { scan };
    scan = at;
  }
}

/** How many lines up to this place may be rows of one table. */
function countRows(window: string, at: number): number {
  let count = 0;
  for (let end = at; end > 0 && count < MAX_ROWS; count++) {
    const start = window.lastIndexOf('\n', end - 1) + 1;
    if (!/^[ >]*\|/.test(window.slice(start, end)) && start < end) break;
    end = start - 1;
  }
  return count;
}

const wholeSign = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at);

interface CutRound {
  /** How full the piece must be. */
  readonly least: number;
  readonly levels: readonly CutLevel[];
  readonly guarded: boolean;
}
const WORDS = CUT_LEVELS.slice(0, -1);
const ROUNDS: readonly CutRound[] = [
  { least: 1 / 2, levels: WORDS, guarded: false },
  { least: 1 / 4, levels: WORDS, guarded: false },
  { least: 1 / 4, levels: WORDS, guarded: true },
  { least: 1 / 4, levels: ['sign'], guarded: true },
  { least: 0, levels: CUT_LEVELS, guarded: true },
];

/** The best cut of a text that is one sign too long. */
function chooseCut(text: string, from: number, fits: (piece: string) => boolean): Cut {
  const { places, signs } = findCuts(text);
  const all = (level: CutLevel): readonly CutPlace[] => (level === 'sign' ? signs() : places.filter((place) => place.level === level));
  for (const { least, levels, guarded } of ROUNDS) {
    const start = from + (text.length - from) * least;
    for (const level of levels) {
      const open = all(level).filter(({ end }) => end > from && end >= start);
      const found = tryCuts(text, from, open, guarded, fits);
      if (found !== undefined) return found;
    }
  }
  return forceCut(text, from, fits);
}

/** The last of these places that leaves a piece that fits. */
function tryCuts(
  text: string,
  from: number,
  places: readonly CutPlace[],
  guarded: boolean,
  fits: (piece: string) => boolean,
): Cut | undefined {
  let tries = 0;
  let most = text.length;
  for (const place of places.toReversed()) {
    const cut = place.end < most ? place.cut() : undefined;
    if (cut === undefined || (cut.guarded === true && !guarded) || cut.next <= from) continue;
    if (fits(pieceOf(text, cut))) return cut;
    if (++tries % MAX_TRIES === 0) most = from + (place.end - from) * (7 / 8);
  }
  return undefined;
}

/** Where nothing else helps: without what was opened again, then as many signs as fit, and at least one. */
function forceCut(text: string, from: number, fits: (piece: string) => boolean): Cut {
  if (from > 0) return { end: 0, close: '', next: from, open: '' };
  const fitting = (end: number): boolean => fits(closeCode(text.slice(0, end).trimEnd()));
  const least = wholeSign(text, 1);
  let end = takeStart(text, text.length - 1).length;
  while (end > least && !fitting(end)) end = Math.max(least, takeStart(text, Math.floor(end * 0.9)).length);
  end = Math.max(end, least);
  return { end, close: closeCode(text.slice(0, end)).slice(end), next: end, open: '' };
}
