import { TuiMainScreen } from '@earendil-works/pi-tui/dist/tui-main-screen.js';
import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js';
import type { MainScreen, TerminalSize } from '../../../../src/faces/tui/contract.ts';

class DrawnAtOnce extends TuiMainScreen {
  draw(): void {
    this.doRender();
  }
}

/** The main screen of pi-tui in the place of ours: it draws everything it was ever given, and clears the scrollback. */
export function plantPiScreen(write: (bytes: string) => void, start: TerminalSize): MainScreen {
  let size = start;
  const printed: string[] = [];
  let frame: readonly string[] = [];
  const nothing = (): void => undefined;
  const terminal: Terminal = {
    start: nothing,
    stop: nothing,
    drainInput: () => Promise.resolve(),
    write,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    kittyProtocolActive: false,
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
  };
  const tui = new DrawnAtOnce(terminal);
  const clip = (columns: number) => (line: string) =>
    Array.from(line)
      .slice(0, Math.floor(columns / 2))
      .join('');
  tui.addChild({ render: (columns) => [...printed, ...frame].map(clip(columns)), invalidate: nothing });
  return {
    update(lines, next) {
      printed.push(...lines);
      frame = next.lines;
      tui.draw();
    },
    resize: (next) => {
      size = next;
      return 0;
    },
    repaint: () => {},
    close() {
      frame = [];
      tui.draw();
    },
  };
}
