import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveById } from '../../src/base/by-id.ts';
import { UsageError } from '../../src/base/errors.ts';

const find = (ref: string, ...ids: string[]): string =>
  resolveById(ref, ids, (id) => [id, ...id.split('.').slice(1)], { what: 'question', shownBy: 'hermes approvals list' });

test('an id, or enough of its beginning', () => {
  assert.equal(find('3f2a', '3f2a91bc', '77aa0011'), '3f2a91bc');
  assert.equal(find('3f2a91bc', '3f2a91bc', '3f2a91bcd'), '3f2a91bc', 'the whole of one is no beginning of another');
  assert.equal(find('d_019a', 'd_019a00', 'd_029a00'), 'd_019a00');
  assert.equal(find('c_1', 'c_1', 'c_12'), 'c_1', 'a whole id may be short');
  assert.equal(find('d_77aa', 'box.d_77aa00', 'd_019a00'), 'box.d_77aa00', 'by another of its names');
  assert.equal(find('d_77aa00', 'box.d_77aa00', 'd_77aa00'), 'd_77aa00', 'an id is nobody else’s name');
});

const DOUBTS: readonly (readonly [ref: string, ids: readonly string[], words: RegExp])[] = [
  ['', ['3f2a91bc'], /the id is empty\. To list the ids: hermes approvals list/],
  ['3', ['3f2a91bc'], /3 is too short: type at least 4 characters/],
  ['d_01', ['d_019a00'], /is too short/],
  ['d_', ['d_019a00'], /is too short/],
  ['zz\u001b[2J', ['3f2a91bc'], /there is no question with the id zz\\x1b\[2J\. To list them: hermes approvals list/],
  ['3f2a', ['3f2a91bc', '3f2a0000'], /3f2a could be 3f2a91bc or 3f2a0000: type more/],
  ['d_77aa00', ['a.d_77aa00', 'b.d_77aa00'], /could be a\.d_77aa00 or b\.d_77aa00/],
  ['aaaa', ['1', '2', '3', '4', '5', '6', '7'].map((end) => `aaaa${end}`), /aaaa5 or 2 others/],
];
for (const [ref, ids, words] of DOUBTS)
  test(`${JSON.stringify(ref)} among ${ids.length} leaves a doubt and is told`, () => {
    assert.throws(
      () => find(ref, ...ids),
      (error) => error instanceof UsageError && words.test(error.message),
    );
  });
