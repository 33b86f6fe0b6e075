import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRetryAfter } from '../../src/base/retry-after.ts';

const NOW = Date.parse('2026-05-04T10:00:00Z');
const ROWS: readonly (readonly [said: string | undefined, ms: number | undefined])[] = [
  ['7', 7_000],
  [' 0.5 ', 500],
  ['Mon, 04 May 2026 10:00:30 GMT', 30_000],
  ['Mon, 04 May 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
];

for (const [said, ms] of ROWS)
  test(`Retry-After: ${said ?? 'not there'}`, () => {
    assert.equal(readRetryAfter(said, NOW), ms);
  });
