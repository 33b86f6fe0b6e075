import { toPrintable } from '../printable.ts';
import { slicesOf } from '../width.ts';
import type { Paint } from '../screen/paint.ts';
import { closesFence, fenceOf, isRule, isTableRow, isTableRule, isUndecided, textLine, type Fence } from './block.ts';
import { createFlow, type Flow } from './flow.ts';
import { parseInline } from './inline.ts';
import { drawTable } from './table.ts';

export interface MarkdownOptions {
  readonly paint: Paint;
  /** How wide the screen is now; no line that is written is wider. */
  columns(): number;
  /** Lines of code stay whole where a terminal breaks them itself: what is copied from it can be run. */
  readonly wholeCode?: true;
}
/**
 * Markdown as it arrives, drawn for a terminal. What is written once is never taken back: a word goes out when it is over, a
 * stretch in marks when it is closed, a table when its last row is there. Nothing in the text can move the cursor.
 */
export interface MarkdownStream {
  /** What to write for the next piece of the source. */
  push(delta: string): string;
  /** What is still held, with the end of its line. The next piece begins a new text. */
  end(): string;
  /** Whether the last thing written left a line open. */
  readonly midLine: boolean;
}

/** Draws a whole text. */
export function renderMarkdown(source: string, options: MarkdownOptions): string {
  const stream = markdownStream(options);
  return stream.push(source) + stream.end();
}

export function markdownStream({ paint, columns, wholeCode }: MarkdownOptions): MarkdownStream {
  const width = () => Math.max(LEAST, columns());
  let held = '';
  let open: { readonly flow: Flow } | undefined;
  let fence: Fence | undefined;
  let rows: string[] = [];
  /** Whether anything stands above, and whether a blank line is due before the next. */
  let [begun, gap] = [false, false];

  const lead = (): string => {
    const blank = begun && gap ? '\n' : '';
    [begun, gap] = [true, false];
    return blank;
  };
  const openLine = (line: string): string => {
    const { first, next, body, over } = textLine(line, paint);
    open = { flow: createFlow({ paint, columns: width(), first, next, ...(over && { over }) }) };
    held = body;
    return lead();
  };
  const closeTable = (): string => {
    const lines = rows;
    rows = [];
    if (lines.length === 0) return '';
    if (lines.length > 1 && isTableRule(lines[1] ?? '')) return lead() + drawTable(lines, { paint, columns: width() });
    return lines.map((line) => textOnly(line)).join('');
  };
  const textOnly = (line: string): string => {
    const start = openLine(line);
    return start + finishOpen(held);
  };
  const finishOpen = (rest: string): string => {
    const drawn = `${(open?.flow.put(parseInline(rest, false).runs) ?? '').trimEnd()}\n`;
    open = undefined;
    held = '';
    return drawn;
  };
  const codeLine = (line: string, indent: string): string => {
    const text = line.startsWith(indent) ? line.slice(indent.length) : line;
    const room = wholeCode === true ? Infinity : width() - CODE_INDENT.length;
    return `${lead()}${slicesOf(text.replaceAll('\t', '    '), Math.max(8, room))
      .map((slice) => `${CODE_INDENT}${paint.accent(slice)}`.trimEnd())
      .join('\n')}\n`;
  };

  function wholeLine(line: string): string {
    if (open !== undefined) return finishOpen(line);
    if (fence !== undefined) {
      if (!closesFence(line, fence)) return codeLine(line, fence.indent);
      fence = undefined;
      gap = true;
      return '';
    }
    if (isTableRow(line)) {
      rows.push(line);
      return '';
    }
    const table = closeTable();
    return table + ordinaryLine(line);
  }
  function ordinaryLine(line: string): string {
    if (line.trim() === '') {
      gap = true;
      return '';
    }
    const opens = fenceOf(line);
    if (opens !== undefined) {
      fence = opens;
      gap = begun;
      return '';
    }
    if (isRule(line)) return `${lead()}${paint.faint('─'.repeat(Math.min(width(), RULE_COLUMNS)))}\n`;
    return textOnly(line);
  }
  /** As much of an unfinished line as can be shown already. */
  function beginning(): string {
    if (fence !== undefined || rows.length > 0) return '';
    let out = '';
    if (open === undefined) {
      if (isUndecided(held)) return '';
      out = openLine(held);
    }
    const { runs, rest } = parseInline(held, true);
    held = rest;
    return out + (runs.length === 0 ? '' : (open?.flow.put(runs) ?? ''));
  }

  let back = '';
  return {
    push: (delta) => {
      // A line break in two pieces is one.
      const given = back + delta;
      back = /\r$/.exec(given)?.[0] ?? '';
      const lines = (held + toPrintable(given.slice(0, given.length - back.length))).split('\n');
      let out = '';
      for (const line of lines.slice(0, -1)) out += wholeLine(line);
      held = lines.at(-1) ?? '';
      return out + beginning();
    },
    end: () => {
      const line = held;
      held = '';
      const out = (line === '' && open === undefined ? '' : wholeLine(line)) + closeTable();
      [begun, gap, fence, back] = [false, false, undefined, ''];
      return out;
    },
    get midLine() {
      return open !== undefined;
    },
  };
}

/** Narrower than this a line says nothing; the terminal may break it itself. */
const LEAST = 16;
const CODE_INDENT = '  ';
const RULE_COLUMNS = 40;
