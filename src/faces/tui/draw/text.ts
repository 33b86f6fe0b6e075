import { splitAtBreaks } from '../../../base/markdown/breaks.ts';
import type { MarkdownPaint } from '../../../base/markdown/flow.ts';
import { toPrintable } from '../../../base/printable.ts';
import { measureWidth, splitByWidth } from '../../../base/width.ts';
import type { DrawContext, Styles } from '../contract.ts';

/** Narrower than this nothing is set in: the words need the room. */
const LEAST_ROOM = 12;

/** A text of somebody else's as lines of at most so many columns, broken between words where that can be; nothing is left out. */
export const wrapForeign = (text: string, columns: number): string[] =>
  toPrintable(text)
    .split('\n')
    .flatMap((line) => wrapLine(line.replaceAll('\t', '    ').trimEnd(), columns));

function wrapLine(line: string, columns: number): string[] {
  if (measureWidth(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const kept = indent.length <= columns - LEAST_ROOM ? indent : '';
  const lines: string[] = [];
  // Widths are added up, word by word: to measure the whole line for each word takes time in the square of its length.
  let [open, width] = [kept, kept.length];
  for (const word of line
    .trimStart()
    .split(/(?<=\s)/)
    .flatMap(splitAtBreaks)) {
    const wordWidth = measureWidth(word);
    const trimmed = word.trimEnd() === word ? wordWidth : measureWidth(word.trimEnd());
    // Blanks begin no line; at the end of one they are cut off.
    const needed = trimmed === 0 ? 0 : width + trimmed;
    if (open.trim() !== '' && needed > columns) {
      lines.push(open.trimEnd());
      [open, width] = [kept, kept.length];
    }
    if (needed === 0 || width + trimmed <= columns) {
      [open, width] = [open + word, width + wordWidth];
      continue;
    }
    // A word that fits no line is broken where one is full.
    const slices = splitByWidth(open + word, columns);
    lines.push(...slices.slice(0, -1));
    open = slices.at(-1) ?? '';
    width = measureWidth(open);
  }
  return [...lines, open.trimEnd()];
}

/** Lines set in: the first behind one mark, the others behind another of the same width. */
export const indentLines = (lines: readonly string[], first: string, next: string): string[] =>
  lines.map((line, index) => `${index === 0 ? first : next}${line}`.trimEnd());

/** The styles as what Markdown is painted with. */
export function toMarkdownPaint(style: Styles, links = false): MarkdownPaint {
  const tint = (name: Parameters<Styles>[0]) => (text: string) => (text === '' ? '' : style(name, text));
  return {
    strong: tint('strong'),
    faint: tint('faint'),
    good: tint('good'),
    bad: tint('bad'),
    warn: tint('warn'),
    accent: tint('accent'),
    emphasis: tint('emphasis'),
    underlined: tint('link'),
    struck: tint('struck'),
    heading: tint('heading'),
    quote: tint('quote'),
    code: tint('code'),
    ...(links && { link: (text: string, href: string) => `\u001b]8;;${href}\u001b\\${text}\u001b]8;;\u001b\\` }),
  };
}

export const toMarkdownContext = ({ style, links, columns, highlight }: DrawContext) => ({
  paint: toMarkdownPaint(style, links),
  columns,
  style,
  ...(highlight !== undefined && { highlight }),
});
