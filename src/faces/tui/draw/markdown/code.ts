import { splitByWidth } from '../../../../base/width.ts';
import type { CodeSegment } from '../../contract.ts';
import type { MarkdownContext } from './context.ts';

/** Lines of code that get their colors together. Nearly every piece of code in an answer is shorter. */
export const GROUP_LINES = 60;
export const CODE_INDENT = '  ';
/** Narrower than this a line of code says nothing. */
const LEAST = 8;

export interface CodeGroup {
  readonly language: string;
  /** The group above it, whose comments and strings may reach into this one. */
  readonly before: readonly string[];
  readonly group: readonly string[];
}

/** Lines of code set in, in the colors of their language; one that is too long goes on below. */
export function drawCode({ language, before, group }: CodeGroup, { columns, style, highlight }: MarkdownContext): string[] {
  const plain = group.map((line): readonly CodeSegment[] => [{ text: line, style: 'code' }]);
  const colored = language === '' ? undefined : highlight?.([...before, ...group].join('\n'), language)?.slice(before.length);
  const lines = colored?.length === group.length ? colored : plain;
  const room = Math.max(LEAST, columns - CODE_INDENT.length);
  return lines.flatMap((segments) => splitSegments(segments, room).map((line) => `${CODE_INDENT}${drawSegments(line, style)}`.trimEnd()));
}

export const drawSegments = (segments: readonly CodeSegment[], style: MarkdownContext['style']): string =>
  segments.map(({ text, style: name }) => (name === undefined || text.trim() === '' ? text : style(name, text))).join('');

/** The segments in lines of so many columns; nothing is left out. */
export function splitSegments(segments: readonly CodeSegment[], columns: number): CodeSegment[][] {
  const wide = segments.map(({ text, ...look }) => ({ text: text.replaceAll('\t', '    '), ...look }));
  const slices = splitByWidth(wide.map(({ text }) => text).join(''), columns);
  if (slices.length === 1) return [wide];
  let [index, used] = [0, 0];
  return slices.map((slice) => {
    const line: CodeSegment[] = [];
    for (let left = slice.length; left > 0 && index < wide.length;) {
      const { text, ...look } = wide[index] ?? { text: '' };
      const piece = text.slice(used, used + left);
      if (piece !== '') line.push({ text: piece, ...look });
      left -= piece.length;
      used += piece.length;
      if (used >= text.length) [index, used] = [index + 1, 0];
    }
    return line;
  });
}
