import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchedule } from '../../../src/faces/cron/schedule/parse.ts';
import { NOW, readPhrases, showRuns, ZONE } from './corpus.ts';

const show = (said: string, expected: string): string => {
  const read = parseSchedule(said, { now: NOW, zone: ZONE });
  return showRuns(read.ok ? read.schedule : undefined, expected);
};

for (const { said, expected } of readPhrases('tune'))
  test(`"${said}" is ${expected}`, () => {
    assert.equal(show(said, expected), expected);
  });

test('phrases the reader was not made for are read, and none of them wrongly', () => {
  const results = readPhrases('held-out').map(({ said, expected }) => [show(said, expected), expected]);
  const wrong = results.filter(([shown, expected]) => shown !== 'refused' && shown !== expected);
  const readable = results.filter(([, expected]) => expected !== 'refused');
  const read = readable.filter(([shown, expected]) => shown === expected);
  // Counts only: the phrases themselves stay unread.
  assert.equal(wrong.length, 0);
  assert.ok(read.length >= 0.9 * readable.length, `${read.length} of ${readable.length}`);
});
