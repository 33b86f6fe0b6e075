import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sit } from '../bench/recall/exam.ts';
import { readTranscripts } from '../bench/recall/transcript.ts';

/** One short sitting with every test run, so that a change that loses facts is seen at once; all of it by `node bench/recall/exam.ts`. */
test('the recall exam: nothing the user ruled or asked for is lost, and one recall finds most of the rest', async (t) => {
  const transcript = readTranscripts('tune').find(({ name }) => name === 'debug-flaky');
  assert.ok(transcript !== undefined);
  const { marks, tokens, compactions } = await sit(transcript);
  const sure = marks.filter(({ question }) => question.kind === 'user_constraint' || question.kind === 'current_task');
  const recalled = marks.filter((mark) => mark.recalled).length / marks.length;
  t.diagnostic(`${compactions} compactions, ${tokens} tokens kept, ${(recalled * 100).toFixed(1)} % with one recall`);
  assert.ok(compactions >= 1 && tokens <= 50_000, `${tokens} tokens`);
  assert.ok(sure.length > 0 && sure.every(({ closed }) => closed), 'the current task and every rule of the user are in view');
  assert.ok(recalled >= 0.75, `${recalled}`);
});
