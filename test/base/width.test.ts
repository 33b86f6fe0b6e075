import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOneLine, toPrintable } from '../../src/base/printable.ts';
import { measureWidth, fitWidth, padEndTo, padStartTo } from '../../src/base/width.ts';

const WIDTHS: readonly (readonly [string, number])[] = [
  ['', 0],
  ['plain', 5],
  ['漢字', 4],
  ['한국어', 6],
  ['カタカナ', 8],
  ['ｱｲｳ', 3],
  ['ＡＢ', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['✓ ok', 4],
  ['a\u200bb', 2],
  ['𠮷', 2],
];

test('text takes as many columns as a terminal gives it', () => {
  for (const [text, width] of WIDTHS) assert.equal(measureWidth(text), width, JSON.stringify(text));
});

test('what does not fit ends in an ellipsis and never in half a character', () => {
  assert.equal(fitWidth('漢字仮名', 8), '漢字仮名');
  assert.equal(fitWidth('漢字仮名', 7), '漢字仮…');
  assert.equal(fitWidth('漢字仮名', 6), '漢字…');
  assert.equal(fitWidth('👩‍👩‍👧x', 2), '…');
  assert.equal(fitWidth('plain', 0), '');
});

test('padding counts columns', () => {
  assert.equal(padEndTo('漢', 4), '漢  ');
  assert.equal(padStartTo('漢', 4), '  漢');
  assert.equal(padEndTo('long', 2), 'long');
});

test('nothing printed can steer the terminal', () => {
  assert.equal(toPrintable('\u001b[31mred\u001b[0m\u001b]52;c;aGk=\u0007 a\u0008b\r\nc\td'), 'red a�b\nc\td');
  assert.equal(toPrintable('\u202eabc'), '�abc');
  assert.equal(toOneLine('  a\n\n b\t c '), 'a b c');
});
