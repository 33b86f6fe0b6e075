import { measureWidth, fitWidth, padEndTo, padStartTo } from '../width.ts';
import type { Tint } from './paint.ts';
import type { Screen } from './screen.ts';

export interface TableColumn {
  readonly heading: string;
  readonly align?: 'right';
  /** Gives way when the screen is too narrow. At most one column of a table. */
  readonly flexible?: true;
  /** Left out where the screen is too narrow for all; the last such column first. */
  readonly optional?: true;
  /** How a text gives way; an ellipsis when absent. */
  readonly fit?: (text: string, columns: number) => string;
}
export interface TableCell {
  readonly text: string;
  readonly paint?: Tint;
}

const GAP = '  ';
/** A flexible column keeps at least this much, or the line would say nothing. */
const LEAST = 12;

/** Columns aligned by what they take on the screen. Colour is laid on last: it has no width. */
export function drawTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | TableCell)[])[],
  screen: Pick<Screen, 'paint' | 'columns'>,
): string[] {
  const { paint, columns: room } = screen;
  const cells = rows.map((row) => row.map((cell): TableCell => (typeof cell === 'string' ? { text: cell } : cell)));
  const heads = columns.map(({ heading }): TableCell => ({ text: heading, paint: paint.faint }));
  const widths = widthsOf(columns, [heads, ...cells], room);
  const spare = columns.findLastIndex(({ optional }) => optional === true);
  if (spare >= 0 && totalOf(widths) > room)
    return drawTable(
      columns.toSpliced(spare, 1),
      cells.map((row) => row.toSpliced(spare, 1)),
      screen,
    );
  return [heads, ...cells].map((row) => line(columns, row, widths));
}

function widthsOf(columns: readonly TableColumn[], rows: readonly (readonly TableCell[])[], room: number): number[] {
  const natural = columns.map((_, index) => Math.max(...rows.map((row) => measureWidth(row[index]?.text ?? ''))));
  const total = totalOf(natural);
  return natural.map((width, index) =>
    columns[index]?.flexible === true && total > room ? Math.max(LEAST, width - (total - room)) : width,
  );
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

function line(columns: readonly TableColumn[], row: readonly TableCell[], widths: readonly number[]): string {
  const drawn = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const text = (columns[index]?.fit ?? fitWidth)(cell.text, width);
    const padded = columns[index]?.align === 'right' ? padStartTo(text, width) : padEndTo(text, width);
    // The last column needs no padding, and spaces at a line's end show when it is copied.
    const last = index === row.length - 1 ? padded.trimEnd() : padded;
    return cell.paint === undefined ? last : cell.paint(last);
  });
  return drawn.join(GAP).trimEnd();
}
