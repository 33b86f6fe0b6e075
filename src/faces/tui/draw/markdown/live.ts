import { isUndecided } from '../../../../base/markdown/block.ts';
import { toPrintable } from '../../../../base/printable.ts';
import type { MarkdownContext } from './context.ts';
import { drawMarkdownEnd, drawSourceLine, flowLine, MARKDOWN_START, type MarkdownState } from './lines.ts';

/**
 * Markdown that is being written. A line is given out once, when no more words can change it; the rest is drawn as if the
 * text ended here. However the text comes in pieces, all lines together are those of the whole text.
 */
export interface LiveMarkdown {
  /** The text as far as it is there; it goes on from what was there. */
  extend(text: string): void;
  takeSettled(context: MarkdownContext): string[];
  render(context: MarkdownContext): string[];
  /** Whether a text begins with all that was given out of this one, so that its rest can follow. */
  agrees(text: string): boolean;
  /** Whether any line was given out. */
  readonly begun: boolean;
}

/** A line break, unless the text ends in what may be the half of one. */
const BREAK = /\r\n|\n|\r(?!$)/g;
/** The beginning of something that is not words: what it is shows when it is over. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

export function createLiveMarkdown(): LiveMarkdown {
  let [text, state]: [string, MarkdownState] = ['', MARKDOWN_START];
  /** Where the line begins that is not over, and how many of its words were given out. */
  let [lineAt, words, begun] = [0, 0, false];

  /** Draws a line that is over, or what is left of it. */
  const drawWhole = (at: MarkdownState, line: string, skipped: number, context: MarkdownContext) =>
    skipped === 0 ? drawSourceLine(at, line, context) : { state: at, lines: restOf(line, skipped, context) };

  function takeWhole(context: MarkdownContext): string[] {
    const lines: string[] = [];
    BREAK.lastIndex = lineAt;
    for (let found = BREAK.exec(text); found !== null; found = BREAK.exec(text)) {
      const drawn = drawWhole(state, text.slice(lineAt, found.index), words, context);
      lines.push(...drawn.lines);
      [state, words, lineAt] = [drawn.state, 0, BREAK.lastIndex];
    }
    return lines;
  }

  /** Of the line that is not over, those lines on the screen that no further word can change. */
  function takeWords(context: MarkdownContext): string[] {
    const line = text.slice(lineAt);
    if (state.fence !== undefined || state.rows.length > 0 || CONTROL.test(line) || isUndecided(line)) return [];
    const { lines, ends } = flowLine(toPrintable(line), words, context, true);
    const last = ends.findLastIndex((end) => end !== undefined);
    const [sure, end] = [lines.slice(0, last + 1), ends[last]];
    if (end === undefined) return [];
    const gap = words === 0 && state.begun && state.gap ? [''] : [];
    [words, state] = [end, { ...state, begun: true, gap: false }];
    return [...gap, ...sure];
  }

  return {
    extend: (longer) => void (text = longer),
    takeSettled: (context) => {
      const lines = [...takeWhole(context), ...takeWords(context)];
      begun ||= lines.length > 0;
      return lines;
    },
    render: (context) => {
      const line = text.slice(lineAt).replace(/\r$/, '');
      const drawn = line === '' && words === 0 ? { state, lines: [] } : drawWhole(state, line, words, context);
      return [...drawn.lines, ...drawMarkdownEnd(drawn.state, context)];
    },
    agrees: (other) => other.startsWith((words > 0 ? text : text.slice(0, lineAt)).trimEnd()),
    get begun() {
      return begun;
    },
  };
}

/** The end of a line of which words were given out; there may be none left. */
function restOf(line: string, skipped: number, context: MarkdownContext): readonly string[] {
  const { lines } = flowLine(toPrintable(line), skipped, context);
  return lines.length === 1 && lines[0]?.trim() === '' ? [] : lines;
}

/** Draws a whole text. */
export function drawMarkdown(source: string, context: MarkdownContext): string[] {
  const live = createLiveMarkdown();
  live.extend(source);
  return [...live.takeSettled(context), ...live.render(context)];
}
