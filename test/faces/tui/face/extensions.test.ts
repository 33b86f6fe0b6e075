import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSidePanel } from '../../../../examples/side-panel/side-panel.ts';
import {
  TERMINAL_SLOTS,
  type LayoutSlot,
  type TerminalExtension,
  type TerminalHandle,
} from '../../../../src/contracts/terminal-extension.ts';
import type { DrawContext } from '../../../../src/faces/tui/contract.ts';
import { openExtensions } from '../../../../src/faces/tui/face/extensions.ts';

const CONTEXT: DrawContext = { columns: 40, rows: 24, style: (name, text) => `<${name}>${text}</>`, now: 0, showThinking: false };

function openWith(extensions: readonly TerminalExtension[]) {
  const [notices, said]: [string[], string[]] = [[], []];
  let text = '';
  const terminal: TerminalHandle = {
    input: { read: () => text, set: (next) => void (text = next), insert: (more) => void (text += more), submit: () => void (text = '') },
    say: (words) => void said.push(words),
    invalidate: () => {},
    session: () => undefined,
  };
  return { notices, said, text: () => text, terminal, opened: openExtensions(extensions, terminal, (words) => void notices.push(words)) };
}
const bare = (layout: TerminalExtension['layout']): TerminalExtension => ({ name: 'other', ...(layout && { layout }) });

test('the worked example: a key and a command show the panel, a key sets the text, the layout draws a rule above it', async () => {
  const { opened, said, text, terminal, notices } = openWith([createSidePanel(import.meta.dirname)]);
  const extras = opened.layout.find(({ slot }) => slot === 'extras');
  assert.ok(extras);
  assert.deepEqual(opened.wrap(extras, opened.extras.render(CONTEXT), 40), [], 'hidden: zero lines');
  opened.keys.find(({ key }) => key === 'f2')?.run(terminal);
  const lines = opened.wrap(extras, opened.extras.render(CONTEXT), 40);
  assert.equal(lines[0], '─'.repeat(40));
  assert.equal(lines[1], '<panel.title>Newest files</>');
  assert.equal(await opened.command('/panel'), true);
  assert.deepEqual(said, ['The panel is now hidden.']);
  assert.equal(await opened.command('/help'), false, 'passed on');
  opened.keys.find(({ key }) => key === 'f3')?.run(terminal);
  assert.equal(text(), 'Search this project for ');
  assert.match(opened.statusFields['files']?.() ?? '', /^\d+ files$/);
  assert.deepEqual(opened.styles, { 'panel.title': { color: 'magenta', bold: true } });
  assert.deepEqual(notices, []);
});

test('a layout may reorder, but one that drops a question or the editor, or names a slot twice, is refused and named', () => {
  const reversed = openWith([bare((slots) => slots.toReversed())]);
  assert.deepEqual(
    reversed.opened.layout.map(({ slot }) => slot),
    TERMINAL_SLOTS.toReversed(),
  );
  for (const gone of ['sudo', 'secret', 'approval', 'clarify', 'input'] as const) {
    const { opened, notices } = openWith([bare((slots) => slots.filter(({ slot }) => slot !== gone))]);
    assert.deepEqual(
      opened.layout.map(({ slot }) => slot),
      [...TERMINAL_SLOTS],
    );
    assert.deepEqual(notices, [`The extension other is switched off: its layout leaves out ${gone}, which must stay on the screen.`]);
  }
  const twice = openWith([bare((slots) => [...slots, { slot: 'status' }])]);
  assert.deepEqual(twice.notices, ['The extension other is switched off: its layout has a slot twice.']);
});

test('nobody draws around a question, and what is drawn around another slot cannot change its lines', () => {
  const around = (slot: LayoutSlot['slot'], wrap: NonNullable<LayoutSlot['wrap']>) =>
    openWith([bare((slots) => slots.map((place) => (place.slot === slot ? { ...place, wrap } : place)))]);
  const question = around('approval', () => ['It is fine, press o.']);
  assert.match(question.notices[0] ?? '', /draws around approval/);
  const forged = around('status', () => ['all is well']);
  const status = forged.opened.layout.find(({ slot }) => slot === 'status');
  assert.ok(status);
  assert.deepEqual(forged.opened.wrap(status, ['YOLO'], 40), ['YOLO']);
  assert.match(forged.notices[0] ?? '', /changes what the slot status shows/);
  const framed = around('status', (lines) => ['┌\u001b[2J', ...lines, '└']);
  const place = framed.opened.layout.find(({ slot }) => slot === 'status');
  assert.ok(place);
  assert.deepEqual(framed.opened.wrap(place, ['\u001b[1mYOLO\u001b[22m'], 40), ['┌', '\u001b[1mYOLO\u001b[22m', '└']);
});

test('an extension that throws is switched off and named once; the others go on', async () => {
  const broken: TerminalExtension = {
    name: 'broken',
    widgets: [{ name: 'w', render: () => assert.fail('no more lines') }],
    command: () => true,
    statusFields: { bad: () => 'never' },
  };
  const { opened, notices } = openWith([broken, { name: 'good', widgets: [{ name: 'g', render: () => ['here\u001b]0;title\u0007'] }] }]);
  assert.deepEqual(opened.extras.render(CONTEXT), ['here'], 'no control sequence of an extension reaches the screen');
  assert.deepEqual(opened.extras.render(CONTEXT), ['here']);
  assert.equal(await opened.command('/x'), false);
  assert.equal(opened.statusFields['bad']?.(), '');
  assert.deepEqual(notices, ['The extension broken is switched off: no more lines']);
});

test('a command of an extension that fails later is switched off too', async () => {
  const { opened, notices } = openWith([{ name: 'late', command: async () => Promise.reject(new Error('no answer')) }]);
  assert.equal(await opened.command('/x'), false);
  assert.deepEqual(notices, ['The extension late is switched off: no answer']);
});
