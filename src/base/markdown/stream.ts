import { toPrintable } from '../printable.ts';
import { splitByWidth } from '../width.ts';
import type { Paint } from '../screen/paint.ts';
import { closesFence, parseFence, isRule, isTableRow, isTableRule, isUndecided, styleTextLine, type Fence } from './block.ts';
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
  const stream = createMarkdownStream(options);
  return stream.push(source) + stream.end();
}

export const createMarkdownStream = (options: MarkdownOptions): MarkdownStream => new LineWriter(options);

/** Draws line by line; of the line that is not over as much as can be shown already. */
class LineWriter implements MarkdownStream {
  readonly #options: MarkdownOptions;
  /** What of the current line is not written yet. */
  #held = '';
  /** A line break that may be the half of one. */
  #back = '';
  #open: Flow | undefined;
  #fence: Fence | undefined;
  #rows: string[] = [];
  /** Whether anything stands above, and whether a blank line is due before the next. */
  #begun = false;
  #gap = false;

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  get midLine(): boolean {
    return this.#open !== undefined;
  }

  push(delta: string): string {
    // A line break in two pieces is one.
    const given = this.#back + delta;
    this.#back = /\r$/.exec(given)?.[0] ?? '';
    const lines = (this.#held + toPrintable(given.slice(0, given.length - this.#back.length))).split('\n');
    let out = '';
    for (const line of lines.slice(0, -1)) out += this.#wholeLine(line);
    this.#held = lines.at(-1) ?? '';
    return out + this.#beginning();
  }

  end(): string {
    const line = this.#held;
    this.#held = '';
    const out = (line === '' && this.#open === undefined ? '' : this.#wholeLine(line)) + this.#closeTable();
    [this.#begun, this.#gap, this.#fence, this.#back] = [false, false, undefined, ''];
    return out;
  }

  #wholeLine(line: string): string {
    if (this.#open !== undefined) return this.#finish(line);
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    if (!isTableRow(line)) return this.#closeTable() + this.#ordinaryLine(line);
    this.#rows.push(line);
    return '';
  }

  #ordinaryLine(line: string): string {
    if (line.trim() === '') {
      this.#gap = true;
      return '';
    }
    this.#fence = parseFence(line);
    if (this.#fence !== undefined) {
      this.#gap = this.#begun;
      return '';
    }
    if (isRule(line)) return `${this.#lead()}${this.#options.paint.faint('─'.repeat(Math.min(this.#width(), RULE_COLUMNS)))}\n`;
    return this.#textLine(line);
  }

  /** As much of an unfinished line as can be shown already. */
  #beginning(): string {
    if (this.#fence !== undefined || this.#rows.length > 0) return '';
    if (this.#open === undefined && isUndecided(this.#held)) return '';
    const lead = this.#open === undefined ? this.#openLine(this.#held) : '';
    const { runs, rest } = parseInline(this.#held, true);
    this.#held = rest;
    return lead + (runs.length === 0 ? '' : (this.#open?.put(runs) ?? ''));
  }

  #textLine(line: string): string {
    return this.#openLine(line) + this.#finish(this.#held);
  }

  #openLine(line: string): string {
    const { first, next, body, over } = styleTextLine(line, this.#options.paint);
    this.#open = createFlow({ paint: this.#options.paint, columns: this.#width(), first, next, ...(over && { over }) });
    this.#held = body;
    return this.#lead();
  }

  #finish(rest: string): string {
    const drawn = `${(this.#open?.put(parseInline(rest, false).runs) ?? '').trimEnd()}\n`;
    this.#open = undefined;
    this.#held = '';
    return drawn;
  }

  #codeLine(line: string, fence: Fence): string {
    if (closesFence(line, fence)) {
      this.#fence = undefined;
      this.#gap = true;
      return '';
    }
    const text = line.startsWith(fence.indent) ? line.slice(fence.indent.length) : line;
    const room = this.#options.wholeCode === true ? Infinity : this.#width() - CODE_INDENT.length;
    const slices = splitByWidth(text.replaceAll('\t', '    '), Math.max(8, room));
    return `${this.#lead()}${slices.map((slice) => `${CODE_INDENT}${this.#options.paint.accent(slice)}`.trimEnd()).join('\n')}\n`;
  }

  #closeTable(): string {
    const lines = this.#rows;
    this.#rows = [];
    if (lines.length > 1 && isTableRule(lines[1] ?? ''))
      return this.#lead() + drawTable(lines, { paint: this.#options.paint, columns: this.#width() });
    return lines.map((line) => this.#textLine(line)).join('');
  }

  #lead(): string {
    const blank = this.#begun && this.#gap ? '\n' : '';
    [this.#begun, this.#gap] = [true, false];
    return blank;
  }

  #width(): number {
    return Math.max(LEAST, this.#options.columns());
  }
}

/** Narrower than this a line says nothing; the terminal may break it itself. */
const LEAST = 16;
const CODE_INDENT = '  ';
const RULE_COLUMNS = 40;
