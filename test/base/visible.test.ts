import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEscapes, showInvisible, toVisibleJson, toVisibleLine } from '../../src/base/visible.ts';
import { readBack } from './read-back.ts';

const SHOWN: readonly (readonly [string, string])[] = [
  ['ls -la ~/文書 "größe" 👍', 'ls -la ~/文書 "größe" 👍'],
  ['echo hello \u001b]0;`touch PWNED`\u0007 world', 'echo hello \\x1b]0;`touch PWNED`\\x07 world'],
  ['rm \u202efdp.exe\u202c', 'rm \\u202efdp.exe\\u202c'],
  ['a\u200bb\u2060c\ufeffd\u00ade', 'a\\u200bb\\u2060c\\ufeffd\\xade'],
  ['a\u00a0b\u3000c\u2028d', 'a\\xa0b\\u3000c\\u2028d'],
  ['\u3164\uffa0\u2800\u034f\ufe0f', '\\u3164\\uffa0\\u2800\\u034f\\ufe0f'],
  ['x\u{e0041}y\u{e0101}', 'x\\u{e0041}y\\u{e0101}'],
  ['a\rb\u007fc\u009bd\ud800', 'a\\x0db\\x7fc\\x9bd\\ud800'],
  ['one\n\ttwo \\\nthree', 'one\n⇥two \\\nthree'],
  ["printf '\\x1b[31m' | grep '\\.' C:\\new", "printf '\\\\x1b[31m' | grep '\\.' C:\\new"],
  ['\\\u001b \\\\u202e', '\\\\\\x1b \\\\\\\\u202e'],
  ['⇥↵', '\\u21e5\\u21b5'],
];

test('what cannot be seen is spelt out, everything else stays as it is', () => {
  assert.deepEqual(
    SHOWN.map(([text]) => [text, showInvisible(text)]),
    SHOWN,
  );
  assert.equal(toVisibleLine('cd a\nmake\u0007'), 'cd a↵make\\x07');
});

test('what is shown, read back, is the text; nothing that is shown is unseen itself', () => {
  const signs = [
    '\\',
    'x',
    'u',
    '{',
    '}',
    '1',
    'b',
    '202e',
    ' ',
    '\n',
    '\t',
    '\r',
    '\u001b',
    '\u202e',
    '\u{e0041}',
    '⇥',
    '↵',
    '\ud800',
    '漢',
  ];
  let seed = 7;
  const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: next(14) }, () => signs[next(signs.length)]).join('');
    assert.equal(readBack(showInvisible(text)), text, JSON.stringify(text));
    assert.equal(readBack(toVisibleLine(text)), text, JSON.stringify(text));
    assert.doesNotMatch(toVisibleLine(text), /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
  }
  for (let code = 0; code < 0x30000; code++) assert.equal(readBack(showInvisible(String.fromCodePoint(code))), String.fromCodePoint(code));
});

test('a long run of backslashes is read once', () => {
  const run = '\\'.repeat(200_000);
  assert.equal(showInvisible(run).length, 200_000);
  assert.equal(showInvisible(`${run}x41`).length, 400_003);
});

test('the marks are explained where there are any', () => {
  assert.deepEqual(describeEscapes('ls\nls'), []);
  assert.deepEqual(describeEscapes('a\tb'), ['⇥ is a tab']);
  assert.deepEqual(describeEscapes('\u001b \\x41'), [
    'what cannot be seen is spelt out, such as \\x1b',
    'the plain letters \\x1b show as \\\\x1b',
  ]);
});

test('JSON in which all can be seen means the same', () => {
  const value = { a: 'x\u202e\u009b\u007f\u{e0041}\t ⇥', b: ['漢字', '\ud800'] };
  const json = toVisibleJson(JSON.stringify(value, undefined, 2));
  assert.deepEqual(JSON.parse(json), value);
  assert.match(json, /x\\u202e\\u009b\\u007f\\udb40\\udc41\\t ⇥/);
});
