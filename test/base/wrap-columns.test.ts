import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureColumns } from '../../src/base/screen/wrap.ts';

test('a terminal that does not know its width is taken for one of 80 columns', () => {
  assert.deepEqual([{ columns: 0 }, {}, { columns: 40 }].map(measureColumns), [80, 80, 40]);
});
