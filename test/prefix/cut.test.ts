import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forAll, type SeededRandom } from '../../src/testing/seeded-random.ts';
import { cut } from './cut.ts';
import { words } from './words.ts';

test('a body is cut at its own bytes: spelling and the order of keys stay as they were sent', () => {
  const body = '{"model":"m","tools":[{"b":1,"2":"\\u00e9"}],"messages":[{"role":"user","content":"a]}\\",{"},{"x":-0}],"stream":true}';
  assert.deepEqual(cut(body).segments, [
    { name: 'tools', bytes: '[{"b":1,"2":"\\u00e9"}]' },
    { name: 'system', bytes: '' },
    { name: 'instructions', bytes: '' },
    { name: 'message 0', bytes: '{"role":"user","content":"a]}\\",{"}' },
    { name: 'message 1', bytes: '{"x":-0}' },
  ]);
});

test('cache marks are set aside and counted; words that look like one are neither', () => {
  const said = JSON.stringify(',"cache_control":{"type":"ephemeral"}');
  const marked = `{"type":"text","text":${said},"cache_control":{"type":"ephemeral","ttl":"1h"}}`;
  const { segments, marks } = cut(`{"system":[${marked}],"messages":[{"role":"user","content":[${marked}]}]}`);
  assert.equal(marks, 2);
  assert.equal(segments.at(-1)?.bytes, `{"role":"user","content":[{"type":"text","text":${said}}]}`);
});

test('whatever stands in a body, its pieces put together are the body', () =>
  forAll(200, (chance) => {
    const messages = chance.list(0, 5, () => ({ [words(chance)]: nested(chance, 3) }));
    const { segments } = cut(JSON.stringify({ a: nested(chance, 2), input: messages, instructions: words(chance) }));
    const pieces = segments.filter(({ name }) => name.startsWith('message')).map(({ bytes }) => bytes);
    assert.equal(`[${pieces.join(',')}]`, JSON.stringify(messages));
  }));

function nested(chance: SeededRandom, depth: number): unknown {
  if (depth === 0) return chance.pick<unknown>([1, -1.5e9, null, true, '', words(chance)]);
  return chance.hits(0.5)
    ? chance.list(0, 3, () => nested(chance, depth - 1))
    : Object.fromEntries(chance.list(0, 3, (index) => [`${words(chance)}${index}`, nested(chance, depth - 1)]));
}
