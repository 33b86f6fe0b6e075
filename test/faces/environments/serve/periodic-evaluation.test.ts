import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openNotebook } from '../../../../src/faces/environments/serve/notes.ts';
import { createPeriodicEvaluation } from '../../../../src/faces/environments/serve/periodic-evaluation.ts';
import { stageServe } from './scene.ts';

test('a second training is evaluated by its own model, also when the first is still being evaluated as it begins', async () => {
  // The model of the first training says 0, that of every later one 1.
  let words = '0';
  const gate = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  await using scene = await stageServe({
    url: 'http://127.0.0.1:9',
    env: { steps_per_eval: 10 },
    answer: async () => {
      const text = words;
      if (scene.asked.get('four') === 1 && scene.asked.get('five') === 1) both.resolve();
      await gate.promise;
      return { text };
    },
  });
  const done: unknown[] = [];
  const open = () =>
    createPeriodicEvaluation({
      ...scene.deps(new AbortController().signal),
      notebook: openNotebook(scene.out, () => 'series'),
      onDone: (step, { figures, resumed }) => done.push([step, figures.passed, resumed]),
    });
  {
    await using evaluation = open();
    [0, 10].forEach(evaluation.noteStep);
    await both.promise;
    words = '1';
    evaluation.noteStep(0);
    gate.resolve();
    await evaluation.finish();
    evaluation.noteStep(10);
    await evaluation.finish();
    // Not as far back as the last evaluation, but back.
    [15, 12, 20].forEach(evaluation.noteStep);
    await evaluation.finish();
  }
  await using later = open();
  [3, 10].forEach(later.noteStep);
  await later.finish();
  assert.deepEqual(done, [
    [10, 0, 0],
    [10, 2, 0],
    [20, 2, 0],
    [10, 2, 0],
  ]);
  const folders = ['step-10', 'training-2/step-10', 'training-3/step-20', 'training-4/step-10'];
  assert.deepEqual(
    folders.map((name) => existsSync(join(scene.out, 'evaluations', name, 'samples.jsonl'))),
    folders.map(() => true),
  );
});
