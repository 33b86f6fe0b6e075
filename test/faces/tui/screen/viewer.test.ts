import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAltScreen } from '../../../../src/faces/tui/screen/alt-screen.ts';
import { createScrollArea } from '../../../../src/faces/tui/screen/scroll-area.ts';
import { openViewer } from '../../../../src/faces/tui/screen/viewer.ts';
import { markMatches } from '../../../../src/faces/tui/screen/search.ts';
import { XtermScreen } from './xterm.ts';

const SIZE = { columns: 40, rows: 10 };
const KEY = { pageUp: '\u001b[5~', end: '\u001b[F', home: '\u001b[H', escape: '\u001b', wheelUp: '\u001b[<64;1;1M' };

async function openOn(count: number, title = 'transcript') {
  const xterm = new XtermScreen(SIZE);
  xterm.terminal.write('the shell\r\n');
  await xterm.settle();
  let laidOut = 0;
  let closed = 0;
  const source = {
    count,
    lines: (index: number, columns: number): string[] => {
      laidOut += 1;
      return [`block ${index}`, `  \u001b[1mneedle\u001b[0m ${index % 1_000 === 7 ? 'Rare' : 'hay'} ${'x'.repeat(columns % 7)}`];
    },
    text: (index: number) => `block ${index} needle ${index % 1_000 === 7 ? 'Rare' : 'hay'}`,
  };
  const viewer = openViewer({ title, source, write: xterm.write, size: SIZE, style: (_name, text) => text, onClose: () => (closed += 1) });
  const screen = async (): Promise<string[]> => {
    await xterm.settle();
    const buffer = xterm.terminal.buffer.active;
    return Array.from({ length: xterm.terminal.rows }, (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '');
  };
  return { xterm, viewer, screen, laidOut: () => laidOut, closed: () => closed };
}

test('a hundred thousand lines open at their end, and only what is seen is laid out', async () => {
  const { screen, laidOut, viewer } = await openOn(50_000);
  const rows = await screen();
  assert.equal(rows[7], 'block 49999');
  assert.match(rows[9] ?? '', /transcript · end/);
  assert.ok(laidOut() < 100, `${laidOut()} blocks laid out`);
  viewer.handleKey(KEY.home);
  assert.equal((await screen())[0], 'block 0');
  viewer.handleKey(KEY.end);
  viewer.handleKey(KEY.pageUp);
  assert.equal((await screen())[7], 'block 49995');
  assert.ok(laidOut() < 300, `${laidOut()} blocks laid out`);
});

test('keys, wheel and search move it', async () => {
  const { screen, viewer } = await openOn(5_000);
  viewer.handleKey(KEY.wheelUp);
  assert.equal((await screen())[0], 'block 4994');
  viewer.handleKey('g');
  for (const key of ['/', 'R', 'a', 'r', 'e']) viewer.handleKey(key);
  assert.equal((await screen())[9], '/Rare');
  viewer.handleKey('\r');
  assert.ok((await screen()).some((row) => row.includes('block 7')));
  viewer.handleKey('n');
  assert.ok((await screen()).some((row) => row.includes('block 1007')));
  viewer.handleKey('N');
  viewer.handleKey('N');
  assert.ok(
    (await screen()).some((row) => row.includes('block 4007')),
    'the search goes on at the other end',
  );
  for (const key of ['/', 'z', 'z', '\r']) viewer.handleKey(key);
  assert.match((await screen())[9] ?? '', /nothing has "zz"/);
});

test('closing brings the main screen back as it was', async () => {
  const { screen, viewer, closed, xterm } = await openOn(20);
  viewer.resize({ columns: 30, rows: 8 });
  xterm.resize({ columns: 30, rows: 8 });
  viewer.handleKey('q');
  viewer.close();
  assert.equal((await screen())[0], 'the shell');
  assert.equal(closed(), 1);
  assert.equal(xterm.terminal.modes.mouseTrackingMode, 'none');
  assert.equal(xterm.terminal.buffer.active.type, 'normal');
});

test('matches are marked inside styles', () => {
  assert.equal(markMatches('a \u001b[1mneed\u001b[0mle b', 'needle'), 'a \u001b[1m\u001b[7mneed\u001b[0m\u001b[7mle\u001b[27m b');
  assert.equal(markMatches('Needle', 'needle'), '\u001b[7mNeedle\u001b[27m');
  assert.equal(markMatches('needle', 'Needle'), 'needle');
});

test('the alternate screen as a main screen: the transcript scrolls above the frame', async () => {
  const xterm = new XtermScreen(SIZE);
  const screen = createAltScreen(xterm.write, SIZE);
  const frame = { lines: ['────', '> typed', 'status'], cursor: { row: 1, column: 7 } };
  screen.update(
    Array.from({ length: 100 }, (_, index) => `line ${index}`),
    frame,
  );
  const rows = async (): Promise<string[]> => {
    await xterm.settle();
    return Array.from(
      { length: SIZE.rows },
      (_, row) => xterm.terminal.buffer.active.getLine(row)?.translateToString(true, 0, xterm.terminal.cols) ?? '',
    );
  };
  assert.deepEqual(await rows(), [
    'line 93',
    'line 94',
    'line 95',
    'line 96',
    'line 97',
    'line 98',
    'line 99',
    '────',
    '> typed',
    'status',
  ]);
  assert.deepEqual([xterm.terminal.buffer.active.cursorX, xterm.terminal.buffer.active.cursorY], [7, 8]);
  assert.equal(screen.handleKey('a'), false);
  assert.equal(screen.handleKey(KEY.pageUp), true);
  screen.update(['more'], frame);
  assert.equal((await rows())[0], 'line 87', 'what is looked at stays when more comes');
  screen.resize({ columns: 6, rows: 10 });
  xterm.resize({ columns: 6, rows: 10 });
  screen.handleKey('\u001b[1;5F');
  screen.update([], frame);
  assert.equal((await rows())[6]?.trimEnd(), 'more');
  screen.close();
  await xterm.settle();
  assert.equal(xterm.terminal.buffer.active.type, 'normal');
});

test('a long block stays about where it is read when the terminal becomes narrower', () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
  const source = {
    count: 1,
    lines: (_: number, columns: number) =>
      Array.from({ length: Math.ceil(words.length / (columns / 10)) }, (_row, row) =>
        words.slice(row * (columns / 10), (row + 1) * (columns / 10)).join(' '),
      ),
  };
  const area = createScrollArea(source, 80, 10);
  area.toTop();
  area.scroll(25);
  assert.match(area.view()[0]?.text ?? '', /^word200 /);
  area.resize(40, 10);
  assert.match(area.view()[0]?.text ?? '', /^word200 /);
});
