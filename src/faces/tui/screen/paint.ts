import type { Drawn } from './reflow.ts';

/** A line of the frame that meets a narrower terminal is cut there: each takes one row, always. */
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';
const ERASE_TO_END = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
const SAVE_CURSOR = '\u001b7';
const RESTORE_CURSOR = '\u001b8';
const DOWN_IF_ROOM = '\u001b[B';
/** Down by line feeds: on a screen that has become lower they scroll, where a cursor movement would stop short and the next one up go too far. */
const move = (rows: number): string => (rows < 0 ? `\u001b[${-rows}A` : '\n'.repeat(rows));

/** Bytes, and the row of the frame they leave the cursor in. */
export interface Painted {
  readonly bytes: string;
  readonly row: number;
}

/** An empty line to begin on: spaces for a whole row wrap onto the next one unless the cursor stood in the first column. */
export const toFreshLine = (columns: number): string => `${' '.repeat(columns)}\r${ERASE_TO_END}`;

/**
 * Erases from the frame's first row to the end of the screen. Not from the first row itself: a terminal that is told so
 * in its upper left corner may put everything into the scrollback first (tmux does).
 */
export const eraseFrame = (rowsUp: number): string =>
  `${move(-rowsUp)}\r${ERASE_TO_END}${SAVE_CURSOR}${DOWN_IF_ROOM}${ERASE_BELOW}${RESTORE_CURSOR}`;

/** Lines for good and the frame below them, in the place of the old frame. */
export function printAndDraw(printed: readonly string[], lines: readonly string[], rowsUp: number): Painted {
  const above = printed.map((line) => `${line}\r\n`).join('');
  const frame = lines.length > 0 ? `${WRAP_OFF}${lines.join('\r\n')}${WRAP_ON}` : '';
  return { bytes: `${eraseFrame(rowsUp)}${above}${frame}`, row: Math.max(0, lines.length - 1) };
}

/**
 * Only the rows that differ. A row is erased before it is written, not behind it: to tmux a row stays as wide as it ever was
 * until all of it is erased, and would wrap by that width.
 */
export function redrawRows(lines: readonly string[], { lines: old, row: startRow }: Drawn): Painted {
  if (lines.length === 0) return old.length === 0 ? { bytes: '', row: startRow } : { bytes: eraseFrame(startRow), row: 0 };
  let [bytes, row] = ['', startRow];
  for (const [index, line] of lines.entries()) {
    if (line === old[index]) continue;
    const isNew = index >= Math.max(1, old.length);
    bytes += isNew ? `${move(index - 1 - row)}\r\n` : `${move(index - row)}\r`;
    bytes += `${isNew ? '' : ERASE_TO_END}${line}`;
    row = index;
  }
  if (bytes !== '') bytes = `${WRAP_OFF}${bytes}${WRAP_ON}`;
  if (lines.length >= old.length) return { bytes, row };
  return { bytes: `${bytes}${move(lines.length - row)}\r${ERASE_BELOW}`, row: lines.length };
}

/** From a row of the frame to a place in it. */
export const placeCursor = (row: number, target: { readonly row: number; readonly column: number }): string =>
  `${move(target.row - row)}\r${target.column > 0 ? `\u001b[${target.column}C` : ''}`;
