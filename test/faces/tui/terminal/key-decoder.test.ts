import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createKeyDecoder } from '../../../../src/faces/tui/terminal/key-decoder.ts';

function decode() {
  const keys: string[] = [];
  const answers: string[] = [];
  return {
    keys,
    answers,
    decoder: createKeyDecoder({ key: (data) => keys.push(data), answer: (data) => answers.push(data), escapeMs: 5 }),
  };
}

const KEYS = [
  'a',
  '\r',
  '\u0003',
  '終',
  '👍',
  '\u001b[A',
  '\u001bOP',
  '\u001b[1;5C',
  '\u001b[97;5u',
  '\u001bx',
  '\u001b\r',
  '\u001b[[A',
  '\u001b[<64;10;5M',
  '\u007f',
];

test('keys come whole however they are cut', () => {
  const text = KEYS.join('');
  for (const size of [1, 2, 3, 5, 7, text.length]) {
    const { keys, decoder } = decode();
    const units = Array.from(text);
    for (let at = 0; at < units.length; at += size) decoder.feed(units.slice(at, at + size).join(''));
    assert.deepEqual(keys, KEYS);
  }
});

test('a paste is one key with its marks, also when they are cut in two', () => {
  const paste = `\u001b[200~first\rsecond \u001b[A ${'x'.repeat(5_000)}\u001b[201~`;
  for (const cut of [1, 3, 5, 8, 5_010, paste.length - 3]) {
    const { keys, decoder } = decode();
    decoder.feed(`a${paste.slice(0, cut)}`);
    decoder.feed(`${paste.slice(cut)}b`);
    assert.deepEqual(keys, ['a', paste, 'b']);
  }
});

test('a lone Escape is a key after a while, two are two, and before a sequence it stays apart', async () => {
  const { keys, decoder } = decode();
  decoder.feed('\u001b');
  assert.deepEqual(keys, []);
  await sleep(20);
  decoder.feed('\u001b\u001b[27u');
  assert.deepEqual(keys, ['\u001b', '\u001b', '\u001b[27u']);
});

test('answers are no keys, whole or in pieces, early or late', async () => {
  const { keys, answers, decoder } = decode();
  const all = ['\u001b[?0u', '\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\', '\u001bP>|tmux 3.3a\u001b\\', '\u001b[?62;c'];
  for (const unit of all.join('')) decoder.feed(unit);
  assert.deepEqual([keys, answers], [[], all]);
  decoder.feed('\u001b]11;rgb:ffff');
  await sleep(80);
  decoder.feed('/ffff/ffff\u0007x');
  assert.deepEqual([keys, answers.at(-1)], [['x'], '\u001b]11;rgb:ffff/ffff/ffff\u0007']);
});

test('Alt with a bracket is a key after a while', async () => {
  const { keys, decoder } = decode();
  decoder.feed('\u001b[');
  await sleep(80);
  decoder.feed('a');
  assert.deepEqual(keys, ['\u001b[', 'a']);
});
