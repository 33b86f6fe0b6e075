/** A pattern piece by piece: an escape, a set, or one character. */
const PIECES = /\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|[^]/gu;

/** The end of a line may stand before a carriage return, as ripgrep has it. */
const LINE_END = '\r?$';

/** For `grep -P`, which reads nearly all that ripgrep reads. */
export const perlPattern = (pattern: string): string => pattern.replace(PIECES, (piece) => (piece === '$' ? LINE_END : piece));

/** For `grep -E`, which knows no short names of sets and no groups that are not counted. */
export const extendedPattern = (pattern: string): string =>
  pattern
    .replaceAll('(?:', '(')
    .replace(PIECES, (piece) =>
      piece === '$'
        ? LINE_END
        : (SETS[piece] ?? (piece.startsWith('[') ? piece.replace(/\\[dws]/g, (short) => INSIDE[short] ?? short) : piece)),
    );

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
