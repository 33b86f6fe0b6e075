import { ROWS_ABOVE, type Drawn, type ReflowKind } from './reflow.ts';

/** One write: the frame it left, how far it went up first, and whether it printed something above the frame. */
export interface Written {
  readonly at: number;
  readonly drawn: Drawn;
  readonly up: number;
  readonly printed: boolean;
}

/**
 * How far up the frame begins after a resize. A terminal changes its size before the program hears of it, so the last
 * writes may have met the new size already; nobody can say which. Of all possibilities the nearest is taken: too near
 * leaves a row of the old frame on the screen, too far would destroy what is printed.
 */
export function rowsToFrameTop(writes: readonly Written[], kind: ReflowKind, columns: number, since: number): number {
  const above = ROWS_ABOVE[kind];
  const possible = writes.flatMap(({ drawn }, index) => {
    const late = writes.slice(index + 1);
    if (late.some(({ at }) => at < since)) return [];
    return [late.reduce((rows, write) => (write.printed ? write.drawn.row : rows - write.up + write.drawn.row), above(drawn, columns))];
  });
  return Math.max(0, Math.min(...possible));
}
