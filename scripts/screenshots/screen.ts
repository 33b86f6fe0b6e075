/** The program on a terminal nobody sees: keys go in, cells with their colors come out. */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

export interface Cell {
  readonly text: string;
  /** 2 for a wide character, 0 for the second half of one. */
  readonly width: number;
  readonly color?: string;
  readonly background?: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly dim: boolean;
}
export interface Picture {
  readonly columns: number;
  readonly rows: readonly (readonly Cell[])[];
  readonly cursor?: { readonly row: number; readonly column: number };
}
export interface Screen extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until the screen shows it and nothing more comes. */
  until(what: RegExp): Promise<void>;
  /** What is on the screen and above it, without the empty rows at its end. */
  take(): Promise<Picture>;
}
export interface ScreenOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** What the terminal says when it is asked for its background, as `rgb:rr/gg/bb`. */
  readonly background: string;
}

const MAX_WAIT_MS = 30_000;
const QUIET_MS = 300;

export function openScreen({ args, cwd, env, columns, rows, background }: ScreenOptions): Screen {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  const child = spawn(resolve('bin/hermes'), [...args], { cwd, cols: columns, rows, env: { ...env } });
  const ended = Promise.withResolvers<void>();
  let log = '';
  let lastData = Date.now();
  child.onData((data) => {
    log += data;
    lastData = Date.now();
    screen.write(data);
  });
  child.onExit(() => ended.resolve());
  screen.onData((answer) => child.write(answer));
  screen.parser.registerOscHandler(11, () => {
    child.write(`\u001b]11;${background}\u001b\\`);
    return true;
  });
  const settle = (): Promise<void> => new Promise((done) => screen.write('', done));
  return {
    type: (keys) => child.write(keys),
    until: async (what) => {
      for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS; await pause(25)) {
        await settle();
        if (what.test(textOf(screen)) && Date.now() - lastData > QUIET_MS) return;
      }
      throw new Error(`${what} did not come on the screen:\n${textOf(screen)}`);
    },
    take: async () => {
      await settle();
      return toPicture(screen, log.lastIndexOf('\u001b[?25h') >= log.lastIndexOf('\u001b[?25l'));
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended.promise;
      screen.dispose();
    },
  };
}

function textOf({ buffer: { active } }: xterm.Terminal): string {
  return Array.from({ length: active.length }, (_, index) => active.getLine(index)?.translateToString(true) ?? '').join('\n');
}

function toPicture({ buffer: { active }, cols }: xterm.Terminal, hasCursor: boolean): Picture {
  const all = Array.from({ length: active.length }, (_, row) => readRow(active, row, cols));
  const cursorRow = active.baseY + active.cursorY;
  const last = all.findLastIndex((cells) => cells.some(({ text, background }) => text.trim() !== '' || background !== undefined));
  return {
    columns: cols,
    rows: all.slice(0, Math.max(last, hasCursor ? cursorRow : 0) + 1),
    ...(hasCursor && { cursor: { row: cursorRow, column: active.cursorX } }),
  };
}

function readRow(buffer: xterm.IBuffer, row: number, columns: number): Cell[] {
  const line = buffer.getLine(row);
  return Array.from({ length: columns }, (_, column) => {
    const cell = line?.getCell(column);
    if (cell === undefined) return { text: ' ', width: 1, bold: false, italic: false, underline: false, dim: false };
    const color = cell.isFgRGB() ? toHex(cell.getFgColor()) : cell.isFgPalette() ? `p${cell.getFgColor()}` : undefined;
    const behind = cell.isBgRGB() ? toHex(cell.getBgColor()) : cell.isBgPalette() ? `p${cell.getBgColor()}` : undefined;
    const [shown, back] = cell.isInverse() !== 0 ? [behind ?? 'background', color ?? 'text'] : [color, behind];
    return {
      text: cell.getChars() === '' ? ' ' : cell.getChars(),
      width: cell.getWidth(),
      bold: cell.isBold() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      dim: cell.isDim() !== 0,
      ...(shown !== undefined && { color: shown }),
      ...(back !== undefined && { background: back }),
    };
  });
}
const toHex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;
