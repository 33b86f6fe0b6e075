import { BadPattern } from './query.ts';

/** A pattern piece by piece: an escape, a set, or one character. */
const PIECES = /\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|[^]/gu;

/** Whether a pattern refers to more than one line: it has a line end outside a set, or a dot that matches one. */
export const isMultilinePattern = (pattern: string): boolean =>
  /\(\?[a-z]*s[a-z]*[:)]/.test(pattern) || (pattern.match(PIECES) ?? []).some((piece) => piece === '\\n' || piece === '\n');

/** For engines that look at one line at a time: such a pattern would find nothing and say nothing. */
export function refuseLines(pattern: string): void {
  if (isMultilinePattern(pattern))
    throw new BadPattern('there is no ripgrep here, and without it a pattern cannot match across lines; search for one of the lines');
}

/** The end of a line may stand before a carriage return, as ripgrep has it. */
const LINE_END = '\r?$';

/** For `grep -P`, which reads nearly all that ripgrep reads. */
export const toPerlPattern = (pattern: string): string => pattern.replace(PIECES, (piece) => (piece === '$' ? LINE_END : piece));

/** For `grep -E`, which knows no short names of sets and no groups that are not counted. */
export const toExtendedPattern = (pattern: string): string =>
  pattern
    .replaceAll('(?:', '(')
    .replace(PIECES, (piece) => (piece === '$' ? LINE_END : (SETS[piece] ?? (piece.startsWith('[') ? extendedSet(piece) : piece))));

/** No line has a line end in it: it can be left out of a set. */
const extendedSet = (set: string): string => set.replace(/\\[dwsn]/g, (short) => INSIDE[short] ?? '').replace(/^\[\^\]$/, '.');

const INSIDE: Readonly<Record<string, string>> = { '\\d': '0-9', '\\w': '[:alnum:]_', '\\s': '[:space:]' };
const SETS: Readonly<Record<string, string>> = {
  '\\d': '[0-9]',
  '\\D': '[^0-9]',
  '\\w': '[[:alnum:]_]',
  '\\W': '[^[:alnum:]_]',
  '\\s': '[[:space:]]',
  '\\S': '[^[:space:]]',
  '\\t': '\t',
};
