import { closesFence, isRule, isTableRow, isTableRule, parseFence, styleTextLine, type Fence } from '../../../../base/markdown/block.ts';
import { createFlow, toWords, type FlowWord } from '../../../../base/markdown/flow.ts';
import { parseInline } from '../../../../base/markdown/inline.ts';
import { drawTable } from '../../../../base/markdown/table.ts';
import { toPrintable } from '../../../../base/printable.ts';
import { drawCode, GROUP_LINES } from './code.ts';
import type { MarkdownContext } from './context.ts';

/** Where a text stands between two of its lines. Plain data: a copy of it draws the same again. */
export interface MarkdownState {
  readonly fence?: OpenFence;
  /** Rows of a table whose end is not there yet. */
  readonly rows: readonly string[];
  /** Whether anything stands above, and whether a blank line is due before the next. */
  readonly begun: boolean;
  readonly gap: boolean;
}
/** Code is drawn a group of lines at a time, so that its colors are those of the group and the one before it, whenever they are drawn. */
interface OpenFence extends Fence {
  readonly before: readonly string[];
  readonly group: readonly string[];
}
export interface DrawnLines {
  readonly state: MarkdownState;
  readonly lines: readonly string[];
}

export const MARKDOWN_START: MarkdownState = { rows: [], begun: false, gap: false };
const RULE_COLUMNS = 40;

/** Draws one whole line of the source, given as it came. */
export function drawSourceLine(state: MarkdownState, raw: string, context: MarkdownContext): DrawnLines {
  const line = toPrintable(raw);
  if (state.fence !== undefined) return drawFenced(state, state.fence, line, context);
  if (isTableRow(line)) return { state: { ...state, rows: [...state.rows, line] }, lines: [] };
  const table = closeTable(state, context);
  const { state: next, lines } = drawOrdinaryLine(table.state, line, context);
  return { state: next, lines: [...table.lines, ...lines] };
}

/** Draws what is held back at the end of a text. */
export function drawMarkdownEnd(state: MarkdownState, context: MarkdownContext): readonly string[] {
  if (state.fence !== undefined) return closeGroup(state, state.fence, context).lines;
  return closeTable(state, context).lines;
}

function drawOrdinaryLine(state: MarkdownState, line: string, context: MarkdownContext): DrawnLines {
  if (line.trim() === '') return { state: { ...state, gap: true }, lines: [] };
  const fence = parseFence(line);
  if (fence !== undefined) return { state: { ...state, fence: { ...fence, before: [], group: [] }, gap: state.begun }, lines: [] };
  if (isRule(line)) return below(state, [context.paint.faint('─'.repeat(Math.min(context.columns, RULE_COLUMNS)))]);
  return drawTextLine(state, line, context);
}

const drawTextLine = (state: MarkdownState, line: string, context: MarkdownContext): DrawnLines =>
  below(state, flowLine(line, 0, context).lines);

/** Below what stands above, with the blank line that is due. */
const below = (state: MarkdownState, lines: readonly string[]): DrawnLines => ({
  state: { ...state, begun: true, gap: false },
  lines: state.begun && state.gap && lines.length > 0 ? ['', ...lines] : lines,
});

function drawFenced(state: MarkdownState, fence: OpenFence, line: string, context: MarkdownContext): DrawnLines {
  if (closesFence(line, fence)) {
    const { fence: _, ...rest } = state;
    const drawn = closeGroup(state, fence, context);
    return { state: { ...rest, begun: drawn.state.begun, gap: true }, lines: drawn.lines };
  }
  const group = [...fence.group, line.startsWith(fence.indent) ? line.slice(fence.indent.length) : line];
  const next = { ...state, fence: { ...fence, group } };
  return group.length < GROUP_LINES ? { state: next, lines: [] } : closeGroup(next, next.fence, context);
}

function closeGroup(state: MarkdownState, fence: OpenFence, context: MarkdownContext): DrawnLines {
  const next = { ...state, fence: { ...fence, before: fence.group, group: [] } };
  return fence.group.length === 0 ? { state: next, lines: [] } : below(next, drawCode(fence, context));
}

function closeTable(state: MarkdownState, context: MarkdownContext): DrawnLines {
  const { rows } = state;
  const without = { ...state, rows: [] };
  if (rows.length === 0) return { state, lines: [] };
  if (rows.length > 1 && isTableRule(rows[1] ?? '')) return below(without, drawTable(rows, context).replace(/\n$/, '').split('\n'));
  const lines: string[] = [];
  let next: MarkdownState = without;
  for (const row of rows) {
    const drawn = drawTextLine(next, row, context);
    lines.push(...drawn.lines);
    next = drawn.state;
  }
  return { state: next, lines };
}

/** A line of words set for the columns, without its first `skipped` words. */
export interface FlowedLine {
  readonly lines: readonly string[];
  /** How many words stand up to the end of each line but the last; nothing where a line ends inside a word. */
  readonly ends: readonly (number | undefined)[];
}

export function flowLine(line: string, skipped: number, context: MarkdownContext, sure = false): FlowedLine {
  const { first, next, body, over } = styleTextLine(line, context.paint);
  const words = toWords(parseInline(body, sure ? 'whole' : false).runs, context.paint);
  return layWords(words, skipped, { ...context, first: skipped === 0 ? first : next, next, ...(over !== undefined && { over }) });
}

function layWords(words: readonly FlowWord[], skipped: number, options: Parameters<typeof createFlow>[0]): FlowedLine {
  const flow = createFlow(options);
  const [lines, ends]: [string[], (number | undefined)[]] = [[''], []];
  words.slice(skipped).forEach((word, index) => {
    const [same = '', ...more] = flow.putWord(word).split('\n');
    lines[lines.length - 1] += same;
    // A word that fits no line is on several.
    ends.push(...more.map((_, at) => (at === 0 && same === '' ? skipped + index : undefined)));
    lines.push(...more);
  });
  if (words.length === skipped) lines[0] = options.first;
  return { lines: lines.map((line) => line.trimEnd()), ends };
}
