import { stripVTControlCharacters } from 'node:util';
import { measureWidth, splitByWidth } from '../width.ts';
import type { Paint, Tint } from '../screen/paint.ts';
import { splitAtBreaks } from './breaks.ts';
import type { TextRun, TextStyle } from './inline.ts';

/** Colors of Markdown; what a face has no color of its own for is made of the others. */
export interface MarkdownPaint extends Paint {
  readonly heading?: Tint;
  readonly quote?: Tint;
  readonly code?: Tint;
  readonly link?: (text: string, href: string) => string;
}
export interface FlowOptions {
  readonly paint: MarkdownPaint;
  readonly columns: number;
  /** What stands before the first line, and before those it goes on in. */
  readonly first: string;
  readonly next: string;
  /** Laid over every word. */
  readonly over?: Tint;
}
/** Sets words into lines as they come. */
export interface Flow {
  /** What is to be written for these runs. A run that ends in a word leaves the next free to join it. */
  put(runs: readonly TextRun[]): string;
  putWord(word: FlowWord): string;
}

type Piece = TextRun;
/** A word of one or more pieces, or how many blanks stand between two. */
export type FlowWord = readonly Piece[] | number;

export function createFlow({ paint, columns: room, first, next, over = (text) => text }: FlowOptions): Flow {
  const indent = measurePaintedWidth(next);
  /** Whether the first line has begun, and whether a word stands on this one already. */
  let [begun, filled] = [false, false];
  let [column, blank] = [measurePaintedWidth(first), 0];
  const open = (): string => {
    const head = begun ? '' : first;
    begun = true;
    return head;
  };
  const broken = (): string => {
    [column, blank, filled] = [indent, 0, false];
    return `\n${next}`;
  };
  function word(pieces: readonly Piece[]): string {
    const width = pieces.reduce((sum, { text }) => sum + measureWidth(text), 0);
    const lead = filled && column + blank + width > room ? broken() : ' '.repeat(filled ? blank : 0);
    column += filled ? blank : 0;
    [blank, filled] = [0, true];
    return lead + pieces.map(spread).join('');
  }
  /** A word that is wider than a line is broken wherever one is full. */
  function spread({ text, ...look }: Piece): string {
    const tint = (part: string) => over(paintRun(part, look, paint));
    const width = measureWidth(text);
    if (column + width <= room) {
      column += width;
      return tint(text);
    }
    const slices = splitByWidth(text, Math.max(1, room - indent));
    const lead = column > indent ? `\n${next}` : '';
    column = indent + measureWidth(slices.at(-1) ?? '');
    return lead + slices.map(tint).join(`\n${next}`);
  }
  const put = (part: FlowWord): string => {
    if (typeof part !== 'number') return word(part);
    blank = Math.max(blank, part);
    return '';
  };
  return {
    put: (runs) => open() + toWords(runs, paint).map(put).join(''),
    putWord: (part) => open() + put(part),
  };
}

/** Columns of a text that is painted already. */
export const measurePaintedWidth = (drawn: string): number => measureWidth(stripVTControlCharacters(drawn));

/** Words, each of one or more pieces, and the number of blanks between them; where a script has no blanks, there is none. */
export function toWords(runs: readonly TextRun[], paint: Paint): FlowWord[] {
  const out: (Piece[] | number)[] = [];
  for (const { text, ...look } of withMarks(runs, paint)) {
    for (const part of text.split(/(\s+)/)) {
      const last = out.at(-1);
      if (part === '') continue;
      if (/^\s/.test(part)) out.push(look.styles.includes('code') ? part.length : 1);
      else {
        const [first = '', ...others] = splitAtBreaks(part);
        if (Array.isArray(last)) last.push({ text: first, ...look });
        else out.push([{ text: first, ...look }]);
        out.push(...others.map((word) => [{ text: word, ...look }]));
      }
    }
  }
  return out;
}

/** Where there are no colours, the marks of the source say what is code and what is struck out. */
const withMarks = (runs: readonly TextRun[], paint: Paint): readonly TextRun[] =>
  paint.accent('x') === 'x'
    ? runs.map((run) => ({
        ...run,
        text: MARKED.reduce((text, [style, mark]) => (run.styles.includes(style) ? mark + text + mark : text), run.text),
      }))
    : runs;
const MARKED = [
  ['code', '`'],
  ['struck', '~~'],
] as const;

const paintRun = (text: string, { styles, href }: Pick<Piece, 'styles' | 'href'>, paint: MarkdownPaint): string => {
  const drawn = styles.reduceRight((inner, style) => (style === 'code' ? (paint.code ?? paint.accent) : paint[TINTS[style]])(inner), text);
  return href === undefined || paint.link === undefined ? drawn : paint.link(drawn, href);
};
const TINTS: Readonly<Record<TextStyle, keyof Paint>> = {
  strong: 'strong',
  emphasis: 'emphasis',
  struck: 'struck',
  code: 'accent',
  link: 'underlined',
  aside: 'faint',
};
