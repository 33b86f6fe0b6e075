import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { describeFile } from '../../../../src/faces/environments/batch/statistics.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-batch-statistics-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A file of one conversation for each number: so many messages are in it. */
function writeConversations(lengths: readonly number[]): string {
  const file = join(folder, `${lengths.join('-')}.jsonl`);
  const lines = lengths.map((length) => ({ messages: Array.from({ length }, () => ({ role: 'user', content: 'x' })) }));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

test('the median of an even number of conversations lies between the two in the middle', () => {
  assert.deepEqual(describeFile(writeConversations([2, 9])).turns, { mean: 5.5, median: 5.5, least: 2, most: 9 });
  assert.deepEqual(describeFile(writeConversations([8, 1, 3])).turns, { mean: 4, median: 3, least: 1, most: 8 });
  assert.deepEqual(describeFile(writeConversations([])).turns, { mean: 0, median: 0, least: 0, most: 0 });
});
