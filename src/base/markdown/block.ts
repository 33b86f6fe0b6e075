import type { Paint, Tint } from '../screen/paint.ts';
import type { MarkdownPaint } from './flow.ts';

/** How a line of Markdown begins, and what that makes of it. */
export interface MarkdownLine {
  /** What stands before its first line on the screen, and before those it goes on in. */
  readonly first: string;
  readonly next: string;
  /** The words behind the marks. */
  readonly body: string;
  readonly over?: Tint;
}

/** Deeper than this nothing is set in: the words would have no room. */
const MAX_INDENT = 12;

const HEADING = /^ {0,3}#{1,6}(?:\s+|$)/;
const BULLET = /^(\s*)[-*+](\s+)(?:\[([ xX])\]\s)?/;
const NUMBER = /^(\s*)(\d{1,9}[.)])\s+/;
const QUOTE = /^ {0,3}((?:> ?)+)/;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const FENCE = /^(\s*)(`{3,}|~{3,})\s*\{?\.?([\w+#.-]*)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** The beginning of a line that may yet turn out to be any of these. */
const UNDECIDED = /^\s*(?:#{1,6}|[-*+](?:\s+(?:\[[ xX]?\]?)?)?|\d{1,9}[.)]?|[>\s]+|`{1,2}|~{1,2}|[-*_\s]+|\|.*)?$/;

export const isRule = (line: string): boolean => RULE.test(line);
export const isTableRow = (line: string): boolean => TABLE_ROW.test(line);
export const isTableRule = (line: string): boolean => TABLE_RULE.test(line);
/** Whether more of the line is needed before any of it can be shown. A heading is short, and marks at its end are not shown. */
export const isUndecided = (line: string): boolean => UNDECIDED.test(line) || FENCE.test(line) || HEADING.test(line);

export interface Fence {
  readonly mark: string;
  readonly indent: string;
  /** The first word behind the mark. */
  readonly language: string;
}
export function parseFence(line: string): Fence | undefined {
  const found = FENCE.exec(line);
  return found === null ? undefined : { indent: found[1] ?? '', mark: found[2] ?? '', language: found[3] ?? '' };
}
export const closesFence = (line: string, { mark }: Fence): boolean =>
  line.trim().length >= mark.length && line.trim() === (mark[0] ?? '').repeat(line.trim().length);

/** A line of words with the look of what it is: heading, item, quotation, or nothing of the kind. */
export function styleTextLine(line: string, paint: MarkdownPaint): MarkdownLine {
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const hashes = plainMark(paint, heading[0].trim());
    return {
      first: hashes,
      next: '',
      body: line.slice(heading[0].length).replace(/\s+#+\s*$/, ''),
      over: paint.heading ?? ((text) => paint.strong(paint.accent(text))),
    };
  }
  const quote = QUOTE.exec(line);
  if (quote !== null) {
    const bars = paint.faint('│ '.repeat((quote[1] ?? '').replaceAll(' ', '').length));
    return { first: bars, next: bars, body: line.slice(quote[0].length), over: paint.quote ?? paint.emphasis };
  }
  return item(line, paint) ?? plainLine(line);
}

const plainMark = (paint: Paint, mark: string): string => (paint.strong('x') === 'x' ? `${mark} ` : '');

function item(line: string, paint: Paint): MarkdownLine | undefined {
  const bullet = BULLET.exec(line);
  if (bullet !== null) {
    const sign = bullet[3] === undefined ? '•' : bullet[3] === ' ' ? '☐' : '☑';
    return listLine(indentOf(bullet[1]), sign, line.slice(bullet[0].length), paint);
  }
  const number = NUMBER.exec(line);
  return number === null ? undefined : listLine(indentOf(number[1]), number[2] ?? '', line.slice(number[0].length), paint);
}

const listLine = (indent: string, sign: string, body: string, paint: Paint): MarkdownLine => ({
  first: `${indent}${paint.accent(sign)} `,
  next: `${indent}${' '.repeat(sign.length + 1)}`,
  body,
});

function plainLine(line: string): MarkdownLine {
  const body = line.trimStart();
  const indent = indentOf(line.slice(0, line.length - body.length));
  return { first: indent, next: indent, body };
}

const indentOf = (blanks = ''): string => ' '.repeat(Math.min(MAX_INDENT, blanks.replaceAll('\t', '    ').length));
