import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeFrame } from '../../../../src/faces/tui/face/compose.ts';
import type { KeyWidget, SlotContents } from '../../../../src/faces/tui/contract.ts';
import { TERMINAL_SLOTS } from '../../../../src/contracts/terminal-extension.ts';
import { drawContext } from '../input/draw.ts';

const linesOf = (name: string, count: number): KeyWidget => ({
  render: () => Array.from({ length: count }, (_, index) => `${name} ${index}`),
  handleKey: () => {},
  cursor: () => ({ row: count - 1, column: 2 }),
});
const compose = (slots: SlotContents, focus: KeyWidget, rows: number, layout = TERMINAL_SLOTS.map((slot) => ({ slot }))) =>
  composeFrame({ live: ['live 0', 'live 1'], slots, layout, focus, context: drawContext({ rows }), wrap: (_, lines) => lines });
/** What a screen of so many rows shows of a frame: its end. */
const seen = (lines: readonly string[], rows: number): readonly string[] => lines.slice(-rows);

test('the slots stand below what is being written, with the cursor of what has the keys', () => {
  const editor = linesOf('editor', 2);
  assert.deepEqual(compose({ status: linesOf('status', 1), input: editor }, editor, 24), {
    lines: ['live 0', 'live 1', 'status 0', 'editor 0', 'editor 1'],
    cursor: { row: 4, column: 2 },
  });
});

test('a question stands below a free line', () => {
  const question = linesOf('question', 1);
  const { lines, cursor } = compose({ approval: question, input: linesOf('editor', 1) }, question, 24);
  assert.deepEqual(lines, ['live 0', 'live 1', '', 'question 0', 'editor 0']);
  assert.deepEqual(cursor, { row: 3, column: 2 });
});

test('nothing below a question can push it out of the screen, however much there is and in whatever order', () => {
  const question = linesOf('question', 9);
  const slots: SlotContents = {
    approval: question,
    extras: linesOf('extra', 50),
    status: linesOf('status', 1),
    input: linesOf('editor', 3),
  };
  for (const rows of [10, 12, 24, 40])
    for (const layout of [TERMINAL_SLOTS, TERMINAL_SLOTS.toReversed()]) {
      const { lines, cursor } = compose(
        slots,
        question,
        rows,
        layout.map((slot) => ({ slot })),
      );
      const shown = seen(lines, rows);
      for (let index = 0; index < 9; index++) assert.ok(shown.includes(`question ${index}`), `${rows}: ${shown.join(' | ')}`);
      assert.equal(lines[cursor?.row ?? -1], 'question 8');
    }
});

test('of what is being written only so much is shown as stays on the screen when the terminal becomes half as wide', () => {
  const editor = linesOf('editor', 2);
  const row = '='.repeat(80);
  const live = [...Array.from({ length: 20 }, (_, index) => `short ${index}`), ...Array.from({ length: 6 }, () => row)];
  const { lines, cursor } = composeFrame({
    live,
    slots: { input: editor },
    layout: [{ slot: 'input' }],
    focus: editor,
    context: drawContext({ rows: 24 }),
    wrap: (_, own) => own,
  });
  assert.deepEqual(lines, [...live.slice(-16), 'editor 0', 'editor 1']);
  assert.deepEqual(cursor, { row: 17, column: 2 });
});
