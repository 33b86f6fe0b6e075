import xterm from '@xterm/headless';
import type { TerminalSize } from '../../../../src/faces/tui/contract.ts';

/** A terminal that nobody here wrote, with so much scrollback that nothing falls out of it. */
export class XtermScreen {
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  /** Everything that was written after the shell's lines. */
  log = '';

  constructor({ columns, rows }: TerminalSize) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
  }

  readonly write = (bytes: string): void => {
    this.log += bytes;
    this.terminal.write(bytes);
  };
  settle(): Promise<void> {
    return new Promise((done) => this.terminal.write('', done));
  }
  resize({ columns, rows }: TerminalSize): void {
    this.terminal.resize(columns, rows);
  }

  /** All lines of the scrollback and the screen, with rows that the terminal wrapped put together again. */
  logicalLines(): string[] {
    const buffer = this.terminal.buffer.active;
    const lines: string[] = [];
    for (let index = 0; index < buffer.length; index += 1) {
      const row = buffer.getLine(index);
      const text = row?.translateToString(true) ?? '';
      if (row?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }
}
