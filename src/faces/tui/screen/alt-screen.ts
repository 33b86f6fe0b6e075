import type { Frame, MainScreen, TerminalSize } from '../contract.ts';
import { createAltPainter } from './alt-painter.ts';
import { closeLine, splitLine } from './lines.ts';
import { createScrollArea, type ViewerSource } from './scroll-area.ts';
import { scrollBeside } from './scroll-keys.ts';

export interface AltScreen extends MainScreen {
  /** Page keys and the wheel scroll the transcript; whether the key was one of them. */
  handleKey(data: string): boolean;
  /** Lines that are printed so far, for those who want them on the main screen afterwards. */
  readonly printed: readonly string[];
}

/** The whole screen as a setting: what is printed scrolls above the frame, which stays at the bottom. */
export function createAltScreen(write: (bytes: string) => void, startSize: TerminalSize): AltScreen {
  const painter = createAltPainter(write);
  const printed: string[] = [];
  let size = startSize;
  let frame: Frame = { lines: [] };
  const source: ViewerSource = {
    get count() {
      return printed.length;
    },
    lines: (index, columns) => splitLine(printed[index] ?? '', columns),
  };
  const area = createScrollArea(source, size.columns, size.rows);

  function draw(): void {
    const bottom = frame.lines.slice(-size.rows);
    const room = size.rows - bottom.length;
    area.resize(size.columns, room);
    const above = room > 0 ? area.view().map(({ text }) => text) : [];
    const gap = Array.from({ length: room - above.length }, () => '');
    const row = frame.cursor === undefined ? -1 : frame.cursor.row - (frame.lines.length - bottom.length);
    const cursor =
      frame.cursor === undefined || row < 0 ? undefined : { row: room + row, column: Math.min(frame.cursor.column, size.columns - 1) };
    painter.draw([...above, ...gap, ...bottom], size, cursor);
  }
  return {
    printed,
    update(lines, next) {
      for (const line of lines) printed.push(closeLine(line));
      frame = next;
      draw();
    },
    resize(next) {
      size = next;
      return 0;
    },
    handleKey(data) {
      const used = scrollBeside(area, data, Math.max(2, size.rows - frame.lines.length));
      if (used) draw();
      return used;
    },
    repaint: () => painter.forget(),
    close: () => painter.leave(),
  };
}
