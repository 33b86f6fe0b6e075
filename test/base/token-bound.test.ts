import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundTextTokens } from '../../src/base/token-bound.ts';

test('digits, signs and other scripts count one by one, words by three letters', () => {
  assert.equal(boundTextTokens('0123456789'), 10);
  assert.equal(boundTextTokens('{"a":[1,2]}'), 11);
  assert.equal(boundTextTokens('日本語'), 3);
  assert.equal(boundTextTokens('Привет'), 6);
  assert.equal(boundTextTokens('the international word'), 1 + 5 + 2);
  assert.equal(boundTextTokens('aB3xQ9'), 6);
  assert.equal(boundTextTokens(''), 0);
});

test('prose comes out between the usual estimate and twice that', () => {
  const prose = 'The quick brown fox jumps over the lazy dog, and nobody minds it at all. '.repeat(50);
  const bound = boundTextTokens(prose);
  assert.ok(bound >= prose.length / 4 && bound <= prose.length / 2, `${bound} of ${prose.length}`);
});
