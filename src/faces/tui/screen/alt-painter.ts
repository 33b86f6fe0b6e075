import type { CursorPosition, TerminalSize } from '../contract.ts';
import { clipLine, measureLine } from './lines.ts';

const ENTER = '\u001b[?1049h\u001b[?1000h\u001b[?1006h\u001b[?7l\u001b[?25l';
const LEAVE = '\u001b[?7h\u001b[?1006l\u001b[?1000l\u001b[?1049l';

/** The alternate screen: a whole screen of lines, of which only those are sent that differ. The main screen stays as it is below. */
export interface AltPainter {
  draw(lines: readonly string[], size: TerminalSize, cursor?: CursorPosition): void;
  /** The next draw sends every line. */
  forget(): void;
  /** Back to the main screen, with the mouse as it was. */
  leave(): void;
}

export function createAltPainter(write: (bytes: string) => void): AltPainter {
  let entered = false;
  let old: readonly string[] = [];
  let oldSize: TerminalSize | undefined;
  let cursorBytes = '';
  return {
    draw(lines, size, cursor) {
      const fresh = !entered || oldSize?.columns !== size.columns || oldSize.rows !== size.rows;
      const rows = Array.from({ length: size.rows }, (_, index) => clipLine(lines[index] ?? '', size.columns));
      const changed = rows.map((line, index) =>
        fresh || line !== old[index] ? `\u001b[${index + 1};1H${line}${measureLine(line) < size.columns ? '\u001b[K' : ''}` : '',
      );
      const place = cursor === undefined ? '\u001b[?25l' : `\u001b[${cursor.row + 1};${cursor.column + 1}H\u001b[?25h`;
      const bytes = changed.join('');
      if (bytes !== '' || place !== cursorBytes) write(`\u001b[?2026h${entered ? '' : ENTER}${bytes}${place}\u001b[?2026l`);
      [entered, old, oldSize, cursorBytes] = [true, rows, size, place];
    },
    forget: () => void (oldSize = undefined),
    leave() {
      if (entered) write(`${LEAVE}\u001b[?25h`);
      [entered, old] = [false, []];
    },
  };
}
