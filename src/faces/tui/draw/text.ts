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
  let open = kept;
  for (const word of line
    .trimStart()
    .split(/(?<=\s)/)
    .flatMap(splitAtBreaks)) {
    if (open.trim() !== '' && measureWidth((open + word).trimEnd()) > columns) {
      lines.push(open.trimEnd());
      open = kept;
    }
    const slices = splitByWidth(open + word, columns);
    // A word that fits no line is broken where one is full.
    lines.push(...(measureWidth((open + word).trimEnd()) > columns ? slices.slice(0, -1) : []));
    open = measureWidth((open + word).trimEnd()) > columns ? (slices.at(-1) ?? '') : open + word;
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
