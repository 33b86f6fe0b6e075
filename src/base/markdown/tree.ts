import { closesFence, isRule, parseFence, type Fence } from './block.ts';
import type { MarkdownBlock, MarkdownCell, MarkdownItem, MarkdownTable } from './nodes.ts';
import { parseSpans } from './spans.ts';

/** A line, or what is left of it behind the marks of the blocks it stands in. */
export interface BlockLine {
  /** Where it begins in the source. */
  readonly at: number;
  readonly text: string;
}
/** A block that holds no other, with the lines it is made of. */
export interface BlockLeaf {
  readonly type: 'paragraph' | 'heading' | 'code' | 'table' | 'rule' | 'html';
  /** Which block of the whole text it belongs to. */
  readonly block: number;
  readonly lines: readonly BlockLine[];
  readonly fence?: Fence;
  readonly closed?: boolean;
}

/** Blocks nested deeper than this are read as text. */
const MAX_DEPTH = 8;

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const BOX = /^\[([ xX])\](?:[ \t]+|$)/;
const HTML =
  /^ {0,3}<(?:!--|\/?(?:address|article|aside|blockquote|center|details|dialog|div|dl|figure|footer|form|header|hr|iframe|main|nav|ol|p|pre|section|style|summary|table|tbody|td|th|thead|tr|ul)(?=[\s/>]|$))/i;
const TABLE_SIDE = /^:?-+:?$/;

/**
 * A text as a tree of plain data, in time that grows with its length alone and for whatever it holds. A text that still grows
 * is read as well: a fence that is not closed is code to the end, another mark that is not closed is the sign itself.
 */
export const parseMarkdown = (text: string): readonly MarkdownBlock[] =>
  readBlocks(splitLines(normalizeLines(text)), 0, { found: [], block: 0, spans: parseSpans });

/** The blocks that hold no others, in order, with their places in a text whose lines end in `\n`. */
export function findLeaves(text: string): readonly BlockLeaf[] {
  const leaves: LeafList = { found: [], block: 0, spans: () => [] };
  readBlocks(splitLines(text), 0, leaves);
  return leaves.found;
}

export const normalizeLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function splitLines(text: string): readonly BlockLine[] {
  let at = 0;
  return text.split('\n').map((line) => {
    const found = { at, text: line };
    at += line.length + 1;
    return found;
  });
}

interface LeafList {
  readonly found: BlockLeaf[];
  /** The block of the whole text that is read now. */
  block: number;
  /** Reads the words within a block. */
  readonly spans: typeof parseSpans;
}
/** A block and the line behind it. */
interface ReadBlock {
  readonly block: MarkdownBlock;
  readonly end: number;
}
interface BlockSource {
  readonly lines: readonly BlockLine[];
  readonly from: number;
  readonly depth: number;
  readonly leaves: LeafList;
}
type BlockReader = (source: BlockSource) => ReadBlock | undefined;

function readBlocks(lines: readonly BlockLine[], depth: number, leaves: LeafList): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  for (let from = 0; from < lines.length;) {
    if (isBlankLine(lines[from])) {
      from++;
      continue;
    }
    const { block, end } = readBlock({ lines, from, depth, leaves });
    blocks.push(block);
    from = end;
    if (depth === 0) leaves.block++;
  }
  return blocks;
}

const readBlock = (source: BlockSource): ReadBlock => {
  for (const reader of READERS) {
    const found = reader(source);
    if (found !== undefined) return found;
  }
  return readParagraph(source);
};

const addLeaf = (leaves: LeafList, leaf: Omit<BlockLeaf, 'block'>): void => void leaves.found.push({ ...leaf, block: leaves.block });

const isBlankLine = (line: BlockLine | undefined): boolean => line === undefined || line.text.trim() === '';
const cutLine = ({ at, text }: BlockLine, count: number): BlockLine => ({ at: at + count, text: text.slice(count) });
const trimLine = (line: BlockLine): BlockLine => cutLine(line, line.text.length - line.text.trimStart().length);

/** A line that opens a block of code; ticks behind the mark make it code within a line. */
function openFence(text: string): Fence | undefined {
  const fence = parseFence(text);
  const isInline = fence?.mark.startsWith('`') === true && text.slice(fence.indent.length + fence.mark.length).includes('`');
  return isInline ? undefined : fence;
}

function readCode({ lines, from, leaves }: BlockSource): ReadBlock | undefined {
  const fence = openFence(lines[from]?.text ?? '');
  if (fence === undefined) return undefined;
  const close = findFenceEnd(lines, from, fence);
  const closed = close < lines.length;
  const end = closed ? close + 1 : close;
  const text = lines.slice(from + 1, close).map((line) => line.text.slice(countIndent(line.text, fence.indent.length)));
  addLeaf(leaves, { type: 'code', lines: lines.slice(from, end), fence, closed });
  return { block: { type: 'code', text: text.join('\n'), language: fence.language, fence: fence.mark, closed }, end };
}

function findFenceEnd(lines: readonly BlockLine[], from: number, fence: Fence): number {
  let end = from + 1;
  while (end < lines.length && !closesFence(lines[end]?.text ?? '', fence)) end++;
  return end;
}

/** How many blanks a line begins with, up to a bound. */
function countIndent(text: string, most: number): number {
  let count = 0;
  while (count < most && (text[count] === ' ' || text[count] === '\t')) count++;
  return count;
}

function readHeading({ lines, from, leaves }: BlockSource): ReadBlock | undefined {
  const line = lines[from];
  const found = HEADING.exec(line?.text ?? '');
  if (line === undefined || found === null) return undefined;
  const body = cutLine(line, found[0].length);
  addLeaf(leaves, { type: 'heading', lines: [body] });
  return { block: { type: 'heading', level: found[1]?.length ?? 1, children: leaves.spans(trimHeading(body.text)) }, end: from + 1 };
}

/** Without the marks at its end. */
function trimHeading(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end--;
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end).trimEnd() : trimmed;
}

function readRule({ lines, from, leaves }: BlockSource): ReadBlock | undefined {
  const line = lines[from];
  if (line === undefined || !isRule(line.text)) return undefined;
  addLeaf(leaves, { type: 'rule', lines: [line] });
  return { block: { type: 'rule' }, end: from + 1 };
}

function readQuote({ lines, from, depth, leaves }: BlockSource): ReadBlock | undefined {
  if (depth >= MAX_DEPTH) return undefined;
  const inner: BlockLine[] = [];
  for (let line = lines[from]; line !== undefined; line = lines[from + inner.length]) {
    const mark = QUOTE.exec(line.text);
    if (mark === null) break;
    inner.push(cutLine(line, mark[0].length));
  }
  if (inner.length === 0) return undefined;
  return { block: { type: 'quote', children: readBlocks(inner, depth + 1, leaves) }, end: from + inner.length };
}

interface ItemMark {
  /** Columns before it, and before what stands behind it. */
  readonly indent: number;
  readonly inner: number;
  /** Signs up to what stands behind it. */
  readonly length: number;
  readonly sign: string;
  readonly number: number;
  readonly isEmpty: boolean;
}
function readItemMark(text: string): ItemMark | undefined {
  const found = ITEM.exec(text);
  if (found === null || isRule(text)) return undefined;
  const [all, blanks = '', mark = ''] = found;
  const indent = countColumns(blanks);
  const number = Number.parseInt(mark, 10);
  const isEmpty = text.length === all.length;
  return {
    indent,
    inner: indent + mark.length + 1,
    length: all.length,
    sign: mark.at(-1) ?? '',
    number: Number.isNaN(number) ? 0 : number,
    isEmpty,
  };
}
const countColumns = (blanks: string): number => {
  let columns = 0;
  for (const blank of blanks) columns = blank === '\t' ? columns + 4 - (columns % 4) : columns + 1;
  return columns;
};
const indentOf = (text: string): number => countColumns(text.slice(0, text.length - text.trimStart().length));

function readList({ lines, from, depth, leaves }: BlockSource): ReadBlock | undefined {
  const first = depth < MAX_DEPTH ? readItemMark(lines[from]?.text ?? '') : undefined;
  if (first === undefined) return undefined;
  const items: MarkdownItem[] = [];
  let end = from;
  for (let mark: ItemMark | undefined = first; mark !== undefined; mark = nextItem(lines, end, first, mark)) {
    const at = skipBlank(lines, end);
    end = findItemEnd(lines, at, mark);
    items.push(readItem(lines.slice(at, end), mark, depth, leaves));
  }
  const ordered = first.sign === '.' || first.sign === ')';
  return { block: { type: 'list', ordered, start: ordered ? first.number : 1, items }, end };
}

function skipBlank(lines: readonly BlockLine[], from: number): number {
  let at = from;
  while (at < lines.length && isBlankLine(lines[at])) at++;
  return at;
}

/** The next item of the same list, at the place where the last one ends. A lower number begins another list. */
function nextItem(lines: readonly BlockLine[], end: number, first: ItemMark, last: ItemMark): ItemMark | undefined {
  const mark = readItemMark(lines[skipBlank(lines, end)]?.text ?? '');
  return mark?.sign === first.sign && mark.indent < first.inner && mark.number >= last.number ? mark : undefined;
}

/** An item goes on in lines that are set in further than its mark. */
function findItemEnd(lines: readonly BlockLine[], from: number, mark: ItemMark): number {
  let end = from;
  let fence = openFence(lines[from]?.text.slice(mark.length) ?? '');
  for (;;) {
    // Code within an item may be set in less than the item is.
    end = fence === undefined ? end + 1 : Math.min(lines.length, findFenceEnd(lines, end, fence) + 1);
    const next = skipBlank(lines, end);
    const text = lines[next]?.text;
    if (text === undefined || indentOf(text) < Math.min(mark.inner, mark.indent + 2)) return end;
    end = next;
    fence = openFence(text);
  }
}

function readItem(lines: readonly BlockLine[], mark: ItemMark, depth: number, leaves: LeafList): MarkdownItem {
  const [first, ...others] = lines;
  const body = cutLine(first ?? { at: 0, text: '' }, mark.length);
  const box = BOX.exec(body.text);
  const inner = [
    box === null ? body : cutLine(body, box[0].length),
    ...others.map((line) => cutLine(line, countIndent(line.text, mark.inner))),
  ];
  const children = readBlocks(inner, depth + 1, leaves);
  return box === null ? { children } : { checked: box[1] !== ' ', children };
}

function readHtml({ lines, from, leaves }: BlockSource): ReadBlock | undefined {
  if (!HTML.test(lines[from]?.text ?? '')) return undefined;
  let end = from;
  while (end < lines.length && !isBlankLine(lines[end])) end++;
  const inner = lines.slice(from, end);
  addLeaf(leaves, { type: 'html', lines: inner });
  return { block: { type: 'html', text: inner.map(({ text }) => text).join('\n') }, end };
}

function readTable({ lines, from, leaves }: BlockSource): ReadBlock | undefined {
  const sides = readTableRule(lines, from);
  if (sides === undefined) return undefined;
  let end = from + 2;
  while (end < lines.length && lines[end]?.text.includes('|') === true && !startsBlock(lines[end]?.text ?? '')) end++;
  const row = ({ text }: BlockLine): readonly MarkdownCell[] => {
    const cells = splitCells(text);
    // Cells too many stay in the last one.
    return sides.map((_, column) => leaves.spans(column < sides.length - 1 ? (cells[column] ?? '') : cells.slice(column).join(' | ')));
  };
  const [head, , ...rows] = lines.slice(from, end);
  addLeaf(leaves, { type: 'table', lines: lines.slice(from, end) });
  return { block: { type: 'table', align: sides, head: head === undefined ? [] : row(head), rows: rows.map(row) }, end };
}

/** The sides of the columns when a table begins here: a row and a rule of as many cells. */
function readTableRule(lines: readonly BlockLine[], from: number): MarkdownTable['align'] | undefined {
  const [head = '', rule = ''] = [lines[from]?.text, lines[from + 1]?.text];
  if (!head.includes('|') || !rule.includes('-') || !rule.includes('|')) return undefined;
  const cells = splitCells(rule);
  if (cells.length !== splitCells(head).length || !cells.every((cell) => TABLE_SIDE.test(cell))) return undefined;
  return cells.map((cell) => (!cell.endsWith(':') ? 'left' : cell.startsWith(':') ? 'center' : 'right'));
}

/** The cells of a row; a bar behind `\` belongs to its cell. */
function splitCells(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = '';
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at++) {
    if (text[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else if (text[at] === '\\' && text[at + 1] === '|') cell += text[++at] ?? '';
    else cell += text[at] ?? '';
  }
  return text.endsWith('|') && cell === '' ? cells : [...cells, cell.trim()];
}

/** Whether a line begins a block although no blank line stands above it. */
export function startsBlock(text: string): boolean {
  if (openFence(text) !== undefined || HEADING.test(text) || QUOTE.test(text) || isRule(text) || HTML.test(text)) return true;
  return readItemMark(text)?.isEmpty === false;
}

function readParagraph({ lines, from, leaves }: BlockSource): ReadBlock {
  let end = from + 1;
  while (end < lines.length && !isBlankLine(lines[end]) && !startsBlock(lines[end]?.text ?? '') && !readTableRule(lines, end)) end++;
  const inner = lines.slice(from, end).map(trimLine);
  addLeaf(leaves, { type: 'paragraph', lines: inner });
  return { block: { type: 'paragraph', children: leaves.spans(joinLines(inner)) }, end };
}

/** The text of a paragraph as its spans are read. */
export const joinLines = (lines: readonly BlockLine[]): string =>
  lines
    .map(({ text }) => text)
    .join('\n')
    .trimEnd();

const READERS: readonly BlockReader[] = [readCode, readHeading, readRule, readQuote, readList, readTable, readHtml];
