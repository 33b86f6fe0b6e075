import type { Frame, MainScreen, TerminalSize } from '../contract.ts';
import { clipLine, closeLine, countRows } from './lines.ts';
import { eraseFrame, placeCursor, printAndDraw, redrawRows, toFreshLine } from './paint.ts';
import { rowsToFrameTop, type Written } from './recent.ts';
import type { Drawn, ReflowKind } from './reflow.ts';

export interface MainScreenOptions {
  /** What the terminal does to rows when it becomes narrower; asked at each resize. */
  readonly reflow?: () => ReflowKind;
  /** How long a write may be on its way: one that was meant for the old size may have met the new one. */
  readonly lateMs?: number;
  /** How long after a resize another one may have happened that the program has not heard of. */
  readonly quietMs?: number;
  readonly now?: () => number;
}

/** Steady like `performance.now()`, for which Node would load a module before the first frame. */
const readUptime = (): number => process.uptime() * 1000;

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
/** More lines than a screen has. */
const MAX_TAIL = 500;
const NOTHING: Drawn = { lines: [], row: 0, column: 0 };

/**
 * See the promises of `MainScreen`. All moves are relative to the cursor: nobody has to know where on the screen the frame
 * is. After `close`, the next update begins anew where the cursor is then.
 */
export function createMainScreen(write: (bytes: string) => void, startSize: TerminalSize, options: MainScreenOptions = {}): MainScreen {
  const { reflow = () => 'wraps', lateMs = 50, quietMs = 60, now = readUptime } = options;
  let size = startSize;
  /** When the program heard of the first resize since it drew last. */
  let heardAt: number | undefined;
  let open = false;
  let opened = false;
  let cursorShown = true;
  let drawn = NOTHING;
  let writes: Written[] = [];
  let clipped = new Map<string, string>();
  /** The last lines that were printed, to be printed again where the screen was garbled. */
  let tail: readonly string[] = [];
  let repaints = false;

  /** Rows from the cursor up to the frame's first. */
  function findTop(): number {
    if (heardAt === undefined) return drawn.row;
    return Math.min(size.rows - 1, rowsToFrameTop(writes, reflow(), size.columns, heardAt - lateMs));
  }

  /** The end of the frame, as much as fits, and the cursor in it; without one it waits in the first row. */
  function layOut({ lines, cursor }: Frame): Drawn & { readonly shown: boolean } {
    const first = Math.max(0, lines.length - size.rows);
    const fresh = new Map(lines.slice(first).map((line) => [line, clipped.get(line) ?? clipLine(line, size.columns)]));
    clipped = fresh;
    const shown = cursor !== undefined && cursor.row >= first && cursor.row < lines.length;
    return {
      lines: lines.slice(first).map((line) => fresh.get(line) ?? ''),
      row: shown ? cursor.row - first : 0,
      column: shown ? Math.min(cursor.column, size.columns - 1) : 0,
      shown,
    };
  }

  function showCursor(shown: boolean): string {
    if (shown === cursorShown) return '';
    cursorShown = shown;
    return `\u001b[?25${shown ? 'h' : 'l'}`;
  }

  function send(bytes: string, next: Drawn, move: Pick<Written, 'up' | 'printed'>): void {
    const at = now();
    write(`${BEGIN}${bytes}${END}`);
    [drawn, heardAt] = [next, undefined];
    writes = [...writes.filter((_, index) => (writes[index + 1]?.at ?? at) >= at - lateMs), { ...move, at, drawn }];
  }

  return {
    update(printed, frame) {
      const { shown, ...target } = layOut(frame);
      if (printed.length > 0) tail = [...tail, ...printed.map(closeLine)].slice(-MAX_TAIL);
      const again = open && repaints ? findPrinted(tail, size, target.lines.length) : undefined;
      repaints = false;
      const whole = !open || printed.length > 0 || heardAt !== undefined || again !== undefined;
      const up = again === undefined ? findTop() : again.isAll ? size.rows : again.rows + findTop();
      // The first time there is only what was typed and echoed before the program read keys.
      const fresh = open || !opened ? '' : toFreshLine(size.columns);
      const { bytes, row } = whole
        ? printAndDraw(again?.lines ?? printed.map(closeLine), target.lines, up)
        : redrawRows(target.lines, drawn);
      const stays = bytes === '' && target.row === drawn.row && target.column === drawn.column;
      const all = `${fresh}${bytes}${stays ? '' : placeCursor(row, target)}${showCursor(shown)}`;
      open = opened = true;
      if (all !== '') send(all, target, { up, printed: printed.length > 0 });
    },
    resize(next) {
      if (next.columns === size.columns && next.rows === size.rows) return 0;
      if (next.columns !== size.columns) clipped = new Map();
      size = { columns: next.columns, rows: next.rows };
      heardAt ??= now();
      return quietMs;
    },
    repaint: () => void (repaints = true),
    close({ keepFrame = false } = {}) {
      if (!open) return;
      const up = findTop();
      const last = drawn.lines.length - 1;
      const bytes = keepFrame && last >= 0 ? `${placeCursor(drawn.row, { row: last, column: 0 })}\n` : eraseFrame(up);
      open = false;
      send(`${bytes}${showCursor(true)}`, NOTHING, { up, printed: true });
    },
  };
}

/** The printed lines that stand above a frame of so many rows, the rows they take, and whether they fill the screen. */
function findPrinted(tail: readonly string[], { columns, rows }: TerminalSize, frameRows: number) {
  const room = rows - Math.max(1, frameRows);
  let taken = 0;
  const first = tail.findLastIndex((line) => (taken += countRows(line, columns)) > room) + 1;
  return { lines: tail.slice(first), rows: taken, isAll: first > 0 };
}
