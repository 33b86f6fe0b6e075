import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSnakeCase } from '../../src/base/snake-case.ts';

test('keys of ours become snake_case, words of others stay as they are', () => {
  assert.deepEqual(
    toSnakeCase({
      passRate: { mean: 1 },
      byCategory: { 'System Administration': { mean: 1 }, codeReview: { mean: 0 } },
      metrics: { filesFound: 2 },
      models: { 'Qwen/Qwen3': 4 },
      rows: [{ tokensIn: 1 }],
    }),
    {
      pass_rate: { mean: 1 },
      by_category: { 'System Administration': { mean: 1 }, codeReview: { mean: 0 } },
      metrics: { filesFound: 2 },
      models: { 'Qwen/Qwen3': 4 },
      rows: [{ tokens_in: 1 }],
    },
  );
});
