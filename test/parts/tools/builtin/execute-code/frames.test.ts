import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBoundedText } from '../../../../../src/parts/tools/builtin/execute-code/bounded.ts';
import { createFrameReader, createFrameMark, type ScriptFrame } from '../../../../../src/parts/tools/builtin/execute-code/frames.ts';
import { MAX_REQUEST, createRequestReader } from '../../../../../src/parts/tools/builtin/execute-code/requests.ts';

const MARK = createFrameMark('t0ken');
const letters = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/./g, (digit) => 'ghijklmnopqrstuv'[Number.parseInt(digit, 16)] ?? '');

/** Words and frames of a stream that comes in these pieces. */
function read(...pieces: readonly string[]): { readonly text: string; readonly frames: readonly string[] } {
  const frames: string[] = [];
  let text = '';
  const reader = createFrameReader('t0ken', {
    frame: ({ kind, id, last, bytes }) => frames.push(`${kind}${id}${last ? '!' : ''} ${bytes.toString()}`),
    text: (words) => (text += words),
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { text, frames };
}

const TABLE: readonly [stream: string, text: string, frames: readonly string[]][] = [
  ['plain words\n', 'plain words\n', []],
  [`${MARK}c1.1 ${letters('ü')}\n`, '', ['c1! ü']],
  [`before${MARK}c12.0 ${letters('a')}\nafter`, 'beforeafter', ['c12 a']],
  [`${MARK}c1.0 ${letters('a')}\n${MARK}e0.1 \n`, '', ['c1 a', 'e0! ']],
  [`${MARK}c1.1 ${letters('a')}\r\nx`, 'x', ['c1! a']],
  ['<\u{1e}other c1.1 gg\n', '<\u{1e}other c1.1 gg\n', []],
  [`${MARK}nonsense\nx`, 'x', []],
  [`${MARK}c1.1 ggg\nx`, 'x', []],
  [`${MARK}c1.1 gg`, `${MARK}c1.1 gg`, []],
  ['ends like a mark <\u{1e}t0', 'ends like a mark <\u{1e}t0', []],
];
for (const [stream, text, frames] of TABLE)
  test(`frames and words, cut at any place: ${JSON.stringify(stream)}`, () => {
    for (let at = 0; at <= stream.length; at++)
      assert.deepEqual(read(stream.slice(0, at), stream.slice(at)), { text, frames }, `cut at ${at}`);
    assert.deepEqual(read(...stream.split('')), { text, frames });
  });

test('a frame that does not end is none, and what follows is heard', () => {
  const { text, frames } = read(`${MARK}c1.1 ${'g'.repeat(9_000)}`, `\n${MARK}c2.1 ${letters('b')}\n`);
  assert.deepEqual([text.length, frames], [9_006, ['c2! b']]);
});

test('requests are put together by their numbers, within bounds', () => {
  const desk = createRequestReader();
  const frame = (id: number, text: string, last = true): ScriptFrame => ({ kind: 'c', id, last, bytes: Buffer.from(text) });
  assert.equal(desk(frame(1, '{"tool":"a",', false)), undefined);
  assert.deepEqual(desk(frame(2, '{"tool":"b","input":{}}')), { ok: true, id: 2, name: 'b', input: {} });
  assert.deepEqual(desk(frame(1, '"input":{"x":1}}')), { ok: true, id: 1, name: 'a', input: { x: 1 } });
  for (const bad of ['', '[]', '{"tool":1,"input":{}}', '{"tool":"a"}', '{"tool":"a","input":[]}', 'NaN'])
    assert.deepEqual(desk(frame(3, bad)), { ok: false, id: 3, why: 'the call could not be read' }, bad);
  assert.equal(desk(frame(4, 'x'.repeat(MAX_REQUEST), false)), undefined);
  assert.equal(desk(frame(4, 'x', false)), undefined);
  assert.deepEqual(desk(frame(4, '')), { ok: false, id: 4, why: 'the call is larger than 1048576 bytes' });
  for (let id = 10; id < 1_000; id++) desk(frame(id, '{"tool":', false));
  assert.deepEqual(desk(frame(10, '"a","input":{}}')), { ok: false, id: 10, why: 'the call could not be read' }, 'the oldest was given up');
});

test('the beginning and the end of much are kept, counted in bytes and cut between characters', () => {
  const kept = openBoundedText(80);
  for (const piece of ['abcdefgh', 'ij'.repeat(36)]) kept.add(piece);
  assert.equal(kept.text(80), `abcdefgh${'ij'.repeat(36)}`);
  assert.equal(kept.text(79), `abcdefghi\n[… 62 bytes left out …]\njijijijij`);
  for (let n = 0; n < 1_000; n++) kept.add('0123456789');
  assert.equal(kept.text(80), 'abcdefghij\n[… 10060 bytes left out …]\n0123456789');
  assert.equal(kept.text(0), '\n[… 10080 bytes left out …]\n');
  const wide = openBoundedText(100);
  for (let n = 0; n < 1_000; n++) wide.add('字😀');
  assert.equal(wide.text(100), '字😀字😀字\n[… 6965 bytes left out …]\n😀字😀字😀');
});
