import { stripSequences } from './lines.ts';
import type { Place, ViewerSource } from './scroll-area.ts';

/** Small letters find large ones too; a large one means itself. */
const fold = (text: string, query: string): string => (query === query.toLowerCase() ? text.toLowerCase() : text);
export const hasMatch = (line: string, query: string): boolean => fold(stripSequences(line), query).includes(query);

/** The next line that has the words, after or before a place; from the other end when there is none. */
export function findLine(source: ViewerSource, columns: number, query: string, from: Place, forward: boolean): Place | undefined {
  const { count } = source;
  for (let steps = 0; steps <= count; steps += 1) {
    const block = (((from.block + (forward ? steps : -steps)) % count) + count) % count;
    if (source.text !== undefined && !hasMatch(source.text(block), query)) continue;
    const places = source.lines(block, columns).flatMap((line, index) => (hasMatch(line, query) ? [index] : []));
    // In the first block only what lies on that side, in the last round what lies on the other.
    const open = places.filter((line) => steps > 0 || (forward ? line > from.line : line < from.line));
    const line = forward ? open[0] : open.at(-1);
    if (line !== undefined) return { block, line };
  }
  return undefined;
}

/** The line with every match reversed; its own styles stay. */
export function markMatches(line: string, query: string): string {
  const text = fold(stripSequences(line), query);
  if (query === '' || !text.includes(query)) return line;
  let [marked, column] = ['', 0];
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  for (const piece of line.split(/(\u001b(?:\[[0-9;:]*m|\][^\u0007\u001b]*(?:\u0007|\u001b\\)))/)) {
    if (piece.startsWith('\u001b')) marked += column > 0 && isInside(text, query, column) ? `${piece}${ON}` : piece;
    else {
      marked += markPiece(piece, text, query, column);
      column += piece.length;
    }
  }
  return marked;
}

const ON = '\u001b[7m';
const OFF = '\u001b[27m';

function markPiece(piece: string, text: string, query: string, column: number): string {
  let [marked, inside] = ['', column > 0 && isInside(text, query, column)];
  for (let index = 0; index < piece.length; index += 1) {
    const now = isInside(text, query, column + index);
    if (now !== inside) marked += now ? ON : OFF;
    inside = now;
    marked += piece[index];
  }
  return inside && !isInside(text, query, column + piece.length) ? marked + OFF : marked;
}

/** Whether a column is part of some match; matches do not overlap. */
function isInside(text: string, query: string, column: number): boolean {
  for (let at = text.indexOf(query); at >= 0 && at <= column; at = text.indexOf(query, at + query.length)) {
    if (column < at + query.length) return true;
  }
  return false;
}
