import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brief } from '../../src/base/brief.ts';

test('what is short is told whole; what is cut differs by its end', () => {
  assert.equal(brief({ words: 'x' }), '{"words":"x"}');
  assert.equal(brief('plain'), 'plain');
  const long = (end: string): string => brief({ words: 'x'.repeat(500) + end });
  assert.notEqual(long('a'), long('b'));
  assert.match(long('a'), /^\{"words":"x{390}… \(513 characters, sha256 [0-9a-f]{16}\)$/);
  assert.ok(brief(`${'x'.repeat(399)}😀`).isWellFormed());
  assert.equal(brief(undefined), 'undefined');
});
