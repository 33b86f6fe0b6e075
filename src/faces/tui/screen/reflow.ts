import { countRows } from './lines.ts';

/**
 * What a terminal does to rows on its screen when it becomes narrower:
 * - `exact`: rows wrap, and the cursor stays with its character (tmux, kitty, VTE, foot, Alacritty, WezTerm, iTerm2 …);
 * - `wraps`: rows wrap, and the cursor stays with its row or goes further down. So does xterm.js: down by all rows that are
 *   added, also below the cursor, but for those of one line in every step of a drag, and of the steps a program hears only some;
 * - `cuts`: rows are cut off or kept aside, and none is added (xterm, rxvt, the Linux console, GNU screen).
 */
export type ReflowKind = 'exact' | 'wraps' | 'cuts';

/** The frame as it was drawn last. */
export interface Drawn {
  readonly lines: readonly string[];
  /** Where the terminal's cursor was left, in rows and columns of the frame. */
  readonly row: number;
  readonly column: number;
}

/**
 * Rows from the frame's first to the cursor's in a terminal that has so many columns now; never more than there are, by
 * whatever sizes it came there. A drag is told in part, so no number here may depend on the way.
 */
export const ROWS_ABOVE: Readonly<Record<ReflowKind, (drawn: Drawn, columns: number) => number>> = {
  exact: (drawn, columns) => drawn.row + addedBefore(drawn, columns) + wrappedBefore(drawn, columns),
  wraps: (drawn, columns) => drawn.row + addedBefore(drawn, columns),
  cuts: ({ row }) => row,
};

const added = (line: string, columns: number): number => countRows(line, columns) - 1;

function addedBefore({ lines, row }: Drawn, columns: number): number {
  return lines.slice(0, row).reduce((total, line) => total + added(line, columns), 0);
}

/** Rows that the cursor's own line has before the cursor. */
function wrappedBefore({ lines, row, column }: Drawn, columns: number): number {
  return Math.min(added(lines[row] ?? '', columns), Math.floor(column / columns));
}
