import { fold, findUnfolded } from './fold.ts';
import { graftLines } from './graft.ts';
import { findOccurrences, findSequences, toLineSpan, type SourceLines, type TextSpan } from './source.ts';
import type { MatchStrategy } from './strategy.ts';

/** Letter for letter. */
export const exact: MatchStrategy = {
  name: 'exact',
  find: ({ text }, old) => findOccurrences(text, old),
  graft: (edit) => edit.new,
};

/** Whole lines, blanks at both ends of each set aside. */
export const lineTrimmed: MatchStrategy = {
  name: 'line-trimmed',
  find: (source, old) => wholeLines(source, old, (line) => line.trim()),
  graft: graftLines,
};

/** Runs of blanks count as one. */
export const whitespaceNormalised: MatchStrategy = {
  name: 'whitespace-normalised',
  find: ({ text }, old) => {
    // A single space is left alone: it is most of the blanks in a file, and the same either way.
    const collapse = (value: string) => fold(value, /[ \t]{2,}|\t/g, () => ' ');
    return toLineStart(text, findUnfolded(collapse(text), collapse(old).text));
  },
  graft: graftLines,
};

/** Indentation does not count; the first and the last line may be parts of lines. */
export const indentationFlexible: MatchStrategy = {
  name: 'indentation-flexible',
  find: ({ text }, old) => {
    const flatten = (value: string) => fold(value, /(?<=^|\n)[ \t]+/g, () => '');
    return toLineStart(text, findUnfolded(flatten(text), flatten(old).text));
  },
  graft: graftLines,
};

/** The model wrote backslash-n where it meant a line break. */
export const escapeNormalised: MatchStrategy = {
  name: 'escape-normalised',
  prepare: (edit) => (/\\[ntr]/.test(edit.old) ? { old: unescape(edit.old), new: unescape(edit.new) } : undefined),
  find: (source, old) => {
    const spans = exact.find(source, old);
    return spans.length > 0 ? spans : lineTrimmed.find(source, old);
  },
  graft: graftLines,
};

/** Blanks and empty lines around the whole string do not count. */
export const trimmedBoundary: MatchStrategy = {
  name: 'trimmed-boundary',
  prepare: (edit) => (edit.old.trim() === edit.old ? undefined : { old: trimEdges(edit.old), new: trimEdges(edit.new) }),
  find: ({ text }, old) => toLineStart(text, findOccurrences(text, old.trim())),
  graft: graftLines,
};

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '' };
const unescape = (text: string): string => text.replace(/\\[ntr]/g, (escape) => ESCAPES[escape] ?? escape);

/** Without empty lines before and blanks after; the indentation of the first line stays, it tells how far to shift. */
const trimEdges = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

function wholeLines(source: SourceLines, old: string, key: (line: string) => string): TextSpan[] {
  const withEnd = old.endsWith('\n');
  const wanted = (withEnd ? old.slice(0, -1) : old).split('\n').map(key);
  return findSequences(source.lines.map(key), wanted).map((first) => toLineSpan(source, first, wanted.length, withEnd));
}

/** What stands before a match on its line, if only blanks, belongs to it: otherwise the indentation would come twice. */
const toLineStart = (text: string, spans: readonly TextSpan[]): TextSpan[] =>
  spans.map(({ start, end }) => {
    const line = text.lastIndexOf('\n', start - 1) + 1;
    return text.slice(line, start).trim() === '' ? { start: line, end } : { start, end };
  });
