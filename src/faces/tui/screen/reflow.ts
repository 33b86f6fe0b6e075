import { countMostRows, countRows } from './lines.ts';

/**
 * What a terminal does to rows on its screen when it becomes narrower:
 * - `exact`: rows wrap, and the cursor stays with its character (tmux, kitty, VTE, foot, Alacritty, WezTerm, iTerm2 …);
 * - `xterm.js`: rows wrap from the last to the first, and the cursor moves down by all rows that are added, also below it;
 *   the row where it then stands does not wrap;
 * - `wraps`: rows wrap, nothing else is known: only what all of them have in common is counted;
 * - `cuts`: rows are cut off or kept aside, and none is added (xterm, rxvt, the Linux console, GNU screen).
 */
export type ReflowKind = 'exact' | 'xterm.js' | 'wraps' | 'cuts';

/** The frame as it was drawn last. */
export interface Drawn {
  readonly lines: readonly string[];
  /** Where the terminal's cursor was left, in rows and columns of the frame. */
  readonly row: number;
  readonly column: number;
  /** Rows below the frame that are known to be empty. */
  readonly spare: number;
}
/** From one size to another; `steps` counts how many there were in between. */
export interface Resize {
  readonly columns: number;
  readonly rowsLost: number;
  readonly steps: number;
}

/** Rows from the frame's first to the cursor's after the terminal was resized; never more than there are. */
export const ROWS_ABOVE: Readonly<Record<ReflowKind, (drawn: Drawn, resize: Resize) => number>> = {
  exact: (drawn, { columns }) => drawn.row + addedBefore(drawn, columns) + wrappedBefore(drawn, columns),
  'xterm.js': (drawn, resize) => Math.max(drawn.row, followCursor(drawn, resize) - unsure(drawn, resize)),
  wraps: (drawn, { columns }) => drawn.row + addedBefore(drawn, columns),
  cuts: ({ row }) => row,
};

const added = (line: string, columns: number): number => countRows(line, columns) - 1;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function addedBefore({ lines, row }: Drawn, columns: number): number {
  return sum(lines.slice(0, row).map((line) => added(line, columns)));
}

/** Rows that the cursor's own line has before the cursor. */
function wrappedBefore({ lines, row, column }: Drawn, columns: number): number {
  return Math.min(added(lines[row] ?? '', columns), Math.floor(column / columns));
}

/** A lower screen loses its last rows first: what was there does not wrap. */
function followCursor({ lines, row, spare }: Drawn, { columns, rowsLost }: Resize): number {
  const kept = lines.slice(0, Math.max(row + 1, lines.length - Math.max(0, rowsLost - spare)));
  return kept.reduceRight((cursor, line, index) => (cursor === index ? cursor : cursor + added(line, columns)), row);
}

/**
 * After several steps, or with pictures in between whose width nobody knows, the cursor may have stood on another line, which
 * then was the one that did not wrap.
 */
function unsure({ lines }: Drawn, { columns, steps }: Resize): number {
  const isSure = steps === 1 && lines.every((line) => countMostRows(line, columns) === countRows(line, columns));
  return isSure ? 0 : Math.max(0, ...lines.map((line) => added(line, columns)));
}
