import { splitGraphemes } from '../width.ts';
import { isBreakBetween } from './breaks.ts';
import type { Fence } from './block.ts';
import { findSpans, type InlineSpan } from './spans.ts';
import { findLeaves, startsBlock, type BlockLeaf, type BlockLine } from './tree.ts';

/** Where a text may be cut, the better ones first. */
export const CUT_LEVELS = ['block', 'part', 'line', 'sentence', 'word', 'sign'] as const;
export type CutLevel = (typeof CUT_LEVELS)[number];

/** How a text is cut in two. */
export interface Cut {
  /** Where the first piece ends, and what closes the marks that are open there. */
  readonly end: number;
  readonly close: string;
  /** Where the rest begins, and what opens the marks again. */
  readonly next: number;
  readonly open: string;
  /** Whether it lies within something that should stay whole. */
  readonly guarded?: boolean;
  /** The code that is cut. */
  readonly fence?: Fence;
}
/** A place for a cut; what it takes is worked out when it is tried. */
export interface CutPlace {
  readonly end: number;
  readonly level: CutLevel;
  /** Nothing when a mark stands in the way. */
  readonly cut: () => Cut | undefined;
}
export interface CutPlaces {
  readonly places: readonly CutPlace[];
  /** Places between the signs of words: looked for only where there is no other. */
  readonly signs: () => readonly CutPlace[];
}

/** All places where this text may be cut, in order. */
export function findCuts(text: string): CutPlaces {
  const leaves = findLeaves(text);
  const texts = leaves.flatMap((leaf) => textsOf(text, leaf));
  const boundaries = leaves.slice(1).map((leaf, index) => leafBoundary(text, leaves[index] ?? leaf, leaf));
  const places = [...boundaries, ...leaves.flatMap((leaf) => lineCuts(text, leaf)), ...texts.flatMap(wordCuts)];
  return { places: places.toSorted((one, other) => one.end - other.end), signs: () => texts.flatMap(signCuts) };
}

/** What closes the code that is open where the text ends. */
export function closeCode(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  const last = findLeaves(text).at(-1);
  return last?.type === 'code' && last.closed === false ? text + frameOf(text, last).close : text;
}

/** Where code lies in a text: the lines of blocks and the stretches within lines. */
export function findCode(text: string): readonly (readonly [from: number, end: number])[] {
  return findLeaves(text).flatMap((leaf) => {
    const [first, last] = [leaf.lines[0], leaf.lines.at(-1)];
    if (leaf.type === 'code') return first === undefined || last === undefined ? [] : [[first.at, endOf(last)] as const];
    return textsOf(text, leaf).flatMap((words) =>
      findSpans(words.text).spans.flatMap(({ type, from, end }) =>
        type === 'code' ? [[toSource(words, from), toSource(words, end)] as const] : [],
      ),
    );
  });
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const endOf = ({ at, text }: BlockLine): number => at + text.length;
/** The marks of quotations before a line. */
const quotesBefore = (text: string, line: BlockLine): string =>
  '> '.repeat(text.slice(lineStart(text, line.at), line.at).split('>').length - 1);

function leafBoundary(text: string, before: BlockLeaf, after: BlockLeaf): CutPlace {
  const last = before.lines.at(-1);
  const end = last === undefined ? 0 : endOf(last);
  const next = text.indexOf('\n', end) + 1;
  // A heading stays with what it is for.
  const level = before.type === 'heading' ? 'word' : before.block === after.block ? 'part' : 'block';
  return { end, level, cut: () => ({ end, close: '', next, open: '' }) };
}

/** What stands around the lines of a block of code. */
function frameOf(text: string, { lines, fence }: BlockLeaf): { readonly open: string; readonly close: string } {
  const first = lines[0] ?? { at: 0, text: '' };
  const { indent = '', mark = '', language = '' } = fence ?? {};
  // The mark of an item is not repeated: its place is.
  const lead = text.slice(lineStart(text, first.at), first.at).replaceAll(/[^>\s]/g, ' ') + indent;
  return { open: `${lead}${mark}${language}\n`, close: `\n${lead}${mark}` };
}

function lineCuts(text: string, leaf: BlockLeaf): readonly CutPlace[] {
  if (leaf.type === 'table') return rowCuts(text, leaf);
  if (leaf.type !== 'code') return [];
  const { fence } = leaf;
  const frame = frameOf(text, leaf);
  const content = leaf.lines.slice(1, leaf.closed === true ? -1 : undefined);
  return content.slice(1).map((line, index) => {
    const before = content[index] ?? line;
    const end = endOf(before);
    const level = before.text.trim() === '' ? 'part' : 'line';
    return { end, level, cut: () => ({ end, close: frame.close, next: end + 1, open: frame.open, ...(fence && { fence }) }) };
  });
}

/** The head stands above each part of a table. */
function headOf(text: string, { lines: [head, rule] }: BlockLeaf): string {
  return [head, rule].map((line) => (line === undefined ? '' : `${quotesBefore(text, line)}${line.text.trim()}\n`)).join('');
}

function rowCuts(text: string, leaf: BlockLeaf): readonly CutPlace[] {
  const open = headOf(text, leaf);
  return leaf.lines.slice(2, -1).map((row) => {
    const end = endOf(row);
    return { end, level: 'part', cut: () => ({ end, close: '', next: end + 1, open }) };
  });
}

/** A stretch of words in the text, whose marks are read together. */
interface TextStretch {
  readonly text: string;
  readonly lines: readonly BlockLine[];
  /** What stands before and behind the pieces when it is cut before a line. */
  readonly open: (line: BlockLine) => string;
  readonly close: string;
  readonly kind: BlockLeaf['type'];
  readonly fence?: Fence;
  /** Whether a cut breaks what the lines are. */
  readonly guarded: boolean;
}

function textsOf(text: string, leaf: BlockLeaf): readonly TextStretch[] {
  const { type: kind, lines } = leaf;
  const quotes = (line: BlockLine): string => quotesBefore(text, line);
  const words = (more: Partial<TextStretch> & Pick<TextStretch, 'lines'>): TextStretch => {
    const joined = more.lines.map((line) => line.text).join('\n');
    return { text: joined.trimEnd(), open: quotes, close: '', kind, guarded: false, ...more };
  };
  if (kind === 'rule') return [];
  if (kind === 'heading') return [words({ lines, open: (line) => quotes(line) + marksBefore(text, line) })];
  if (kind === 'table') {
    const head = headOf(text, leaf);
    return lines.map((line, index) =>
      words({ lines: [line], guarded: index < 2, open: () => (index < 2 ? '' : `${head}${quotes(line)}| `) }),
    );
  }
  if (kind !== 'code') return [words({ lines })];
  const { open, close } = frameOf(text, leaf);
  const content = lines.slice(1, leaf.closed === true ? -1 : undefined);
  const { fence } = leaf;
  return content.map((line) => words({ lines: [line], close, open: (at) => `${open}${quotes(at)}`, ...(fence && { fence }) }));
}

const marksBefore = (text: string, line: BlockLine): string =>
  `${/#{1,6}/.exec(text.slice(lineStart(text, line.at), line.at))?.[0] ?? '#'} `;

const BLANKS = /[ \t\n\u3000]+/g;
const SENTENCE_END = /[.!?…:;。！？；]["'”’)\]*_]*$/;
const UNSPACED = /[\u2e80-\uffff]/;

function wordCuts(words: TextStretch): readonly CutPlace[] {
  const { text, kind } = words;
  const resolve = resolver(words);
  const place = (from: number, to: number, level: CutLevel): CutPlace => ({
    end: toSource(words, from),
    level,
    cut: () => resolve(from, to),
  });
  const ending = (at: number): CutLevel =>
    kind !== 'code' && SENTENCE_END.test(text.slice(Math.max(0, at - 4), at)) ? 'sentence' : 'word';
  const spaced = [...text.matchAll(BLANKS)].map(({ 0: blanks, index }) =>
    kind === 'code' ? place(index, index, 'word') : place(index, index + blanks.length, blanks.includes('\n') ? 'line' : ending(index)),
  );
  if (!UNSPACED.test(text)) return spaced;
  const unspaced = Array.from({ length: text.length }, (_, at) => at).filter((at) => isBreakBetween(text, at));
  return [...spaced, ...unspaced.map((at) => place(at, at, ending(at)))];
}

function signCuts(words: TextStretch): readonly CutPlace[] {
  const resolve = resolver(words);
  let at = 0;
  return splitGraphemes(words.text).flatMap((sign) => {
    const from = at;
    at += sign.length;
    return from === 0 ? [] : [{ end: toSource(words, from), level: 'sign' as const, cut: () => resolve(from, from) }];
  });
}

/** Where a place in the words lies in the text. */
function toSource({ lines }: TextStretch, place: number): number {
  let at = place;
  for (const line of lines) {
    if (at <= line.text.length) return line.at + at;
    at -= line.text.length + 1;
  }
  const last = lines.at(-1);
  return last === undefined ? place : endOf(last);
}
const lineAt = ({ lines }: TextStretch, source: number): BlockLine => lines.findLast(({ at }) => at <= source) ?? { at: 0, text: '' };

type ResolveCut = (from: number, to: number) => Cut | undefined;

/** Works out what closes and opens the marks around a cut. Marks are read once, when the first cut is tried. */
function resolver(words: TextStretch): ResolveCut {
  const { text, kind, fence, close } = words;
  const tableFrom = kind === 'paragraph' ? findTableHead(text) : text.length;
  let read: ReturnType<typeof findSpans> | undefined;
  return (from, to) => {
    read ??= kind === 'code' || kind === 'html' ? { spans: [], unclosed: [] } : findSpans(text);
    const around = marksAround(text, read.spans, from, to);
    if (from === 0 || to >= text.length || around === undefined) return undefined;
    const next = toSource(words, to);
    const opened = words.open(lineAt(words, next));
    if (kind === 'paragraph' && around.open === '' && beginsBlock(text, to)) return undefined;
    const isHalfOpen = from > tableFrom || read.unclosed.some((at) => at < from && at >= text.length / 4);
    return {
      end: toSource(words, from),
      close: around.close + close,
      next,
      open: opened + around.open,
      guarded: words.guarded || around.guarded || isHalfOpen,
      ...(fence && { fence }),
    };
  };
}

/** Where the last lines may become the head of a table: its rule is not there yet. */
function findTableHead(text: string): number {
  const last = lineStart(text, text.length);
  const from = last > 0 && /^[\s|:-]+$/.test(text.slice(last)) ? lineStart(text, last - 1) : last;
  return text.startsWith('|', from) ? from : text.length;
}

const lineFrom = (text: string, at: number): string => {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? undefined : end);
};
const MARK_ALONE = /^(?:\d{1,9}[.)]?|[-+*#`~|<>=]+)$/;

/** Whether the words from here on would begin a block of another kind if they began a line. */
function beginsBlock(text: string, at: number): boolean {
  const line = lineFrom(text, at);
  return startsBlock(line) || MARK_ALONE.test(line.trim());
}

interface MarksAround {
  readonly close: string;
  readonly open: string;
  readonly guarded: boolean;
}

/** The marks that are open between two places; nothing when a mark itself lies there. */
function marksAround(text: string, spans: readonly InlineSpan[], from: number, to: number): MarksAround | undefined {
  let found: MarksAround = { close: '', open: '', guarded: false };
  for (const span of spans) {
    if (span.from >= to && span.from >= from) break;
    if (span.end <= from) continue;
    const next = within(text, span, from, to);
    if (next === undefined) return undefined;
    found = {
      close: next.close + found.close,
      open: found.open + next.open,
      guarded: found.guarded || next.guarded,
    };
  }
  return found;
}

function within(text: string, { type, from: start, inner, innerEnd, end }: InlineSpan, from: number, to: number): MarksAround | undefined {
  if (type === 'sign') return undefined;
  const mark = text.slice(start, inner);
  const isInside = from > inner && to < innerEnd;
  if (type === 'link' || type === 'image') {
    return from > start && to < end && from !== inner && from !== innerEnd ? { close: '', open: '', guarded: true } : undefined;
  }
  if (!isInside) return undefined;
  const isTicked = type === 'code' && (text[from - 1] === '`' || text[to] === '`');
  return isTicked ? undefined : { close: text.slice(innerEnd, end), open: mark, guarded: type === 'code' };
}
