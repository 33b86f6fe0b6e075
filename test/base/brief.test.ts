import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeBriefly } from '../../src/base/brief.ts';

test('what is short is told whole; what is cut differs by its end', () => {
  assert.equal(describeBriefly({ words: 'x' }), '{"words":"x"}');
  assert.equal(describeBriefly('plain'), 'plain');
  const long = (end: string): string => describeBriefly({ words: 'x'.repeat(500) + end });
  assert.notEqual(long('a'), long('b'));
  assert.match(long('a'), /^\{"words":"x{390}… \(513 characters, sha256 [0-9a-f]{16}\)$/);
  assert.ok(describeBriefly(`${'x'.repeat(399)}😀`).isWellFormed());
  assert.equal(describeBriefly(undefined), 'undefined');
});
