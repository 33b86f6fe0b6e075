import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHighlighter } from '../../../../src/faces/tui/draw/highlight.ts';

test('code is plain until its language is loaded, then it has colors, and its text is the same', async () => {
  let changes = 0;
  const highlighter = createHighlighter(() => changes++);
  const code = 'const a = "<b> & \'c\'"; // no\n\n/* one\ntwo */ f(12);';
  assert.equal(highlighter.highlight(code, 'ts'), undefined);
  await highlighter.settled();
  assert.equal(changes, 1);
  const lines = highlighter.highlight(code, 'TypeScript');
  assert.equal(lines?.map((line) => line.map(({ text }) => text).join('')).join('\n'), code);
  assert.deepEqual(lines?.[3], [
    { text: 'two */', style: 'syntax.comment' },
    { text: ' ' },
    { text: 'f', style: 'syntax.name' },
    { text: '(' },
    { text: '12', style: 'syntax.number' },
    { text: ');' },
  ]);
});

test('a language nobody knows and code without end stay plain', async () => {
  const highlighter = createHighlighter();
  for (const name of ['klingon', '', 'constructor', '__proto__']) assert.equal(highlighter.highlight('a', name), undefined);
  assert.equal(highlighter.highlight('a '.repeat(50_000), 'js'), undefined);
  await highlighter.settled();
});

test('every language that is offered can be loaded under each of its names', async () => {
  const highlighter = createHighlighter();
  const names =
    'bash sh c cpp c++ cs css diff dockerfile go toml java js json kotlin lua make perl php powershell py ruby rust scss sql swift ts html yaml';
  for (const name of names.split(' ')) highlighter.highlight('x', name);
  await highlighter.settled();
  for (const name of names.split(' ')) assert.ok(highlighter.highlight('x', name) !== undefined, name);
});

test('a text is ready when the languages of all its code are loaded, and asking loads them', async () => {
  const { isReadyFor, settled, highlight } = createHighlighter();
  const text = 'Look:\n\n```go\nfunc main() {}\n```\n  ~~~lua\nprint(1)\n~~~';
  assert.equal(isReadyFor('no code, ```inline``` and\n```\nplain\n```\n```klingon\nx\n```'), true);
  assert.equal(isReadyFor(text), false);
  await settled();
  assert.equal(isReadyFor(text), true);
  assert.ok(
    highlight('func main() {}', 'go')
      ?.flat()
      .some(({ style }) => style === 'syntax.keyword'),
  );
});
