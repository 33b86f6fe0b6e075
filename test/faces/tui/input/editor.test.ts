import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js';
import { createEditor, type InputEditorDeps } from '../../../../src/faces/tui/input/editor.ts';
import { bindEditorKeys } from '../../../../src/faces/tui/input/editor-keys.ts';
import { resolveKeys } from '../../../../src/faces/tui/input/keys.ts';
import { createSeededRandom } from '../../../../src/testing/seeded-random.ts';
import { drawContext, paste } from './draw.ts';

bindEditorKeys(resolveKeys());

function openEditor(deps: Partial<InputEditorDeps> = {}) {
  const sent: string[] = [];
  const kept: string[] = [];
  const editor = createEditor({
    history: { entries: () => kept, add: (text) => !text.includes('hunter2') && kept.push(text) > 0 },
    onSubmit: (text) => void sent.push(text),
    onChange: () => {},
    ...deps,
  });
  const type = (text: string): void => Array.from(text).forEach((sign) => editor.handleKey(sign));
  const draw = (columns = 40): string[] => editor.render(drawContext({ columns }));
  return { editor, sent, kept, type, draw };
}

test('what is typed is drawn behind the prompt sign, with the cursor behind it', () => {
  const { editor, type, draw } = openEditor();
  type('hello');
  assert.deepEqual(draw(), ['❯ hello']);
  assert.deepEqual(editor.cursor?.(), { row: 0, column: 7 });
});

test('a new line goes below, and Enter behind a backslash goes on in the next line', () => {
  const { editor, sent, type, draw } = openEditor();
  type('one');
  editor.newLine();
  type('two\\');
  editor.submit();
  type('three');
  assert.deepEqual(draw(), ['❯ one', '  two', '  three']);
  assert.deepEqual(sent, []);
  editor.submit();
  assert.deepEqual(sent, ['one\ntwo\nthree']);
  assert.equal(editor.read(), '');
});

test('a large paste stands as a chip and is sent in full, tabs and all', () => {
  const { editor, sent, type, draw } = openEditor();
  const text = Array.from({ length: 5_000 }, (_, index) => `\tline ${index}`).join('\n');
  type('see ');
  editor.handleKey(paste(text));
  type(' please');
  assert.deepEqual(draw(), ['❯ see [paste #1 +5000 lines] please']);
  editor.submit();
  assert.deepEqual(sent, [`see ${text} please`]);
});

test('a text that is too long to be edited line by line stands as a chip wherever it comes from', () => {
  const { editor, draw } = openEditor();
  const text = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n');
  editor.set(text);
  assert.deepEqual(draw(), ['❯ [paste #1 +400 lines]']);
  assert.equal(editor.take(), text);
  editor.handleKey('\x1b[A');
  assert.equal(editor.read(), '');
});

test('one step of undo takes a paste back, and a chip is deleted at once', () => {
  const { editor, draw } = openEditor();
  const long = 'x\n'.repeat(50);
  editor.handleKey(paste(long));
  editor.handleKey('\x1f');
  assert.equal(editor.read(), '');
  editor.handleKey(paste(long));
  editor.handleKey(paste('y\n'.repeat(60)));
  editor.handleKey('\x1b[D');
  editor.handleKey('\x7f');
  assert.deepEqual(draw(), ['❯ [paste #1 +61 lines]']);
  assert.equal(editor.read(), 'y\n'.repeat(60));
});

test('words that look like a chip stay words', () => {
  const { editor } = openEditor();
  editor.handleKey(paste(`[paste #2 +9 lines]\n${'x\n'.repeat(20)}`));
  editor.handleKey(paste('z\n'.repeat(20)));
  assert.equal(editor.read(), `[paste #2 +9 lines]\n${'x\n'.repeat(20)}${'z\n'.repeat(20)}`);
});

test('a short paste is text: marks, colors and control characters are gone, tabs stay, nothing is submitted', () => {
  const { editor, sent, draw } = openEditor();
  editor.handleKey(paste('a\tb\x1b[31mred\x1b[0m\x07\x9b2J\u202edone\x1b[200~\r\nnext'));
  assert.deepEqual(sent, []);
  assert.equal(editor.read(), 'a\tbred��done\nnext');
  // oxlint-disable-next-line no-control-regex -- none may be left
  assert.doesNotMatch(draw().join(''), /[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
});

test('a paste is shown to who may take it; an empty one changes nothing', () => {
  const seen: string[] = [];
  const { editor } = openEditor({ onPaste: (text) => seen.push(text) === 2 });
  editor.handleKey(paste(''));
  editor.handleKey(paste('/tmp/shot.png'));
  editor.handleKey(paste('words'));
  assert.deepEqual(seen, ['', '/tmp/shot.png', 'words']);
  assert.equal(editor.read(), 'words');
});

test('an earlier message comes back with Up, and what was sent is kept', () => {
  const { editor, kept, type } = openEditor();
  type('first');
  editor.submit();
  type('second');
  editor.submit();
  editor.handleKey('\x1b[A');
  editor.handleKey('\x1b[A');
  assert.equal(editor.read(), 'first');
  assert.deepEqual(kept, ['first', 'second']);
});

test('what may not be kept, and what was sent, do not come back by Up or undo', () => {
  const { editor, type } = openEditor();
  type('plain');
  editor.submit();
  type('hunter2');
  editor.submit();
  editor.handleKey('\x1f');
  assert.equal(editor.read(), '');
  editor.handleKey('\x1b[A');
  assert.equal(editor.read(), 'plain');
});

test('a draft is set aside and comes back', () => {
  const { editor, type } = openEditor();
  assert.equal(editor.stash(), 'nothing');
  type('draft');
  assert.equal(editor.stash(), 'stashed');
  assert.equal(editor.read(), '');
  assert.equal(editor.stash(), 'restored');
  assert.equal(editor.read(), 'draft');
});

test('a completion replaces the word before the cursor, and a chip beside it stays whole', () => {
  const { editor, type } = openEditor();
  const long = 'x\n'.repeat(50);
  editor.handleKey(paste(long));
  type(' @sr');
  editor.complete(3, '@file:src/main.ts ');
  assert.equal(editor.read(), `${long} @file:src/main.ts `);
});

test('a suggestion stands faintly behind the text and never makes the line too wide', () => {
  const { type, draw } = openEditor({ ghost: () => 'and the rest of an earlier message that is long' });
  type('do this ');
  assert.deepEqual(draw(30), ['❯ do this and the rest of an …']);
});

test('a text higher than its room says how much is hidden', () => {
  const { editor, draw } = openEditor();
  editor.set(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n'));
  const lines = draw();
  assert.equal(lines.length, 8);
  assert.equal(lines[0], '  ↑ 23 more');
  assert.deepEqual(editor.cursor?.(), { row: 7, column: 9 });
});

test('no line is ever wider than the columns, and the cursor stands inside', () => {
  const pieces: [string, ...string[]] = [
    'a',
    ' ',
    '中文字',
    '👨‍👩‍👧',
    '🇩🇪',
    'é',
    'e\u0301',
    '\t',
    'word',
    '☁️',
    'ﷺ',
    '\u200b',
    '[paste',
    '한글',
    '🙂🙂',
  ];
  const keys: [string, ...string[]] = ['\x1b[D', '\x1b[C', '\x7f', '\x1b[A', '\x1b[B', '\x17', '\x1f', '\x19', '\x01', '\x05'];
  const random = createSeededRandom('the editor and wide characters');
  for (let story = 0; story < 10; story++) {
    const { editor } = openEditor();
    for (let step = 0; step < 60; step++) {
      const what = random.next();
      if (what < 0.55) editor.handleKey(random.pick(pieces));
      else if (what < 0.65) editor.handleKey(paste(random.pick(pieces).repeat(random.int(1, 400))));
      else if (what < 0.72) editor.newLine();
      else editor.handleKey(random.pick(keys));
      for (const columns of [20, 40, 81]) {
        const lines = editor.render(drawContext({ columns }));
        for (const line of lines) assert.ok(visibleWidth(line) <= columns, `${story}.${step}: ${JSON.stringify(line)}`);
        const { row = -1, column = -1 } = editor.cursor?.() ?? {};
        assert.ok(
          row >= 0 && row < lines.length && column >= 2 && column < columns,
          `${story}.${step}: cursor ${row},${column} of ${columns}`,
        );
      }
    }
  }
});

test('a secret is drawn as bullets of the same length, also across lines, and is read and sent as it is', () => {
  const secret = 'hunter2-and-a-long-tail-of-it';
  const { editor, sent, type, draw } = openEditor({ hasSecret: (text) => text.includes(secret) || text.includes('with blanks in it') });
  type(`use ${secret}`);
  const plain = openEditor();
  plain.type(`use ${'x'.repeat(secret.length)}`);
  for (const columns of [20, 40]) {
    assert.deepEqual(
      draw(columns),
      plain.draw(columns).map((line) => line.replaceAll('x', '•')),
    );
    assert.deepEqual(editor.cursor?.(), plain.editor.cursor?.());
  }
  editor.submit();
  assert.deepEqual(sent, [`use ${secret}`]);
  type('one with blanks in it');
  assert.deepEqual(draw(), ['❯ ••• •••• •••••• •• ••']);
});
