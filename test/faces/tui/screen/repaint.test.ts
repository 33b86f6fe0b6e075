import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { XtermScreen } from './xterm.ts';

const SIZE = { columns: 40, rows: 10 };
const FRAME = { lines: ['status', '────', '❯ draft', '────'], cursor: { row: 2, column: 7 } };

async function openScreen(shell: number, printed: number) {
  const xterm = new XtermScreen(SIZE);
  for (let index = 0; index < shell; index += 1) xterm.write(`shell ${index}\r\n`);
  const screen = createMainScreen(xterm.write, SIZE, { now: () => 0 });
  screen.update(
    Array.from({ length: printed }, (_, index) => `said ${index}`),
    FRAME,
  );
  await xterm.settle();
  const shown = (): string[] => {
    const { active } = xterm.terminal.buffer;
    return Array.from({ length: SIZE.rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '');
  };
  return { xterm, screen, shown };
}

test('a repaint mends what was garbled on the screen, above the frame and in it, and leaves the scrollback alone', async () => {
  const { xterm, screen, shown } = await openScreen(5, 30);
  const before = [shown(), xterm.logicalLines()];
  // As another program would: over what was said, and over the frame. The cursor is back where it was.
  xterm.write('\u001b7\u001b[2;1Hdoubled doubled doubled\u001b[9;1Hdoubled\u001b8');
  await xterm.settle();
  assert.notDeepEqual(shown(), before[0]);
  screen.update([], FRAME);
  await xterm.settle();
  assert.match(shown().join('\n'), /doubled/, 'an update alone sends only what has changed');
  screen.repaint();
  screen.update([], FRAME);
  await xterm.settle();
  assert.deepEqual([shown(), xterm.logicalLines()], before);
  screen.update(['one more'], FRAME);
  await xterm.settle();
  assert.equal(xterm.logicalLines().filter((line) => line.startsWith('said')).length, 30);
});

test('a repaint of a short transcript leaves the lines of the shell above it', async () => {
  const { xterm, screen, shown } = await openScreen(3, 2);
  const before = shown();
  assert.deepEqual(before.slice(0, 5), ['shell 0', 'shell 1', 'shell 2', 'said 0', 'said 1']);
  xterm.write('\u001b7\u001b[4;1Hdoubled\u001b8');
  screen.repaint();
  screen.update([], FRAME);
  await xterm.settle();
  assert.deepEqual(shown(), before);
});
