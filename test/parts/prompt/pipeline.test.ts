import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinSlots, type PromptContext, type PromptSlot } from '../../../src/contracts/prompt.ts';
import { createPromptPipeline } from '../../../src/parts/prompt/pipeline.ts';

const SCENE: PromptContext = {
  sessionId: 's',
  markKey: '1a2b3c4d',
  model: 'm',
  provider: 'p',
  cwd: '/',
  platform: 'cli',
  tools: [],
  toolsets: [],
  startedAt: 0,
  contextFiles: true,
};
const slot = (name: string, order: number, render: PromptSlot['render'], cap = 100): PromptSlot => ({
  name,
  order,
  lifetime: 'session',
  cap,
  render,
});

test('slots stand in their order; a silent one leaves no trace; notices are gathered', async () => {
  const { render } = createPromptPipeline([
    slot('c', 30, () => ({ text: 'third', notices: ['cut'] })),
    slot('a', 10, () => 'first'),
    slot('b', 20, () => undefined),
    slot('d', 40, () => ({ notices: ['blocked'] })),
  ]);
  const { slots, notices } = await render(SCENE);
  assert.equal(joinSlots(slots).system, 'first\n\nthird');
  assert.deepEqual(
    slots.map(({ name, lifetime }) => [name, lifetime]),
    [
      ['a', 'session'],
      ['c', 'session'],
    ],
  );
  assert.deepEqual(notices, ['cut', 'blocked']);
});

test('a slot that takes more than its cap is cut in the middle and says so', async () => {
  const { slots, notices } = await createPromptPipeline([slot('long', 10, () => 'x'.repeat(150) + 'y'.repeat(170), 200)]).render(SCENE);
  assert.equal(slots[0]?.text, `${'x'.repeat(60)}\n[... 200 characters of long left out ...]\n${'y'.repeat(60)}`);
  assert.ok((slots[0]?.text.length ?? 999) <= 200, 'the cap is a cap');
  assert.deepEqual(notices, ['The long section of the prompt was cut from 320 to 200 characters; shorten what it is made from.']);
});

test('a slot that throws is left out and told about: no file keeps a session from starting', async () => {
  const broken = slot('broken', 10, () => Promise.reject(new Error('no such disk')));
  const { slots, notices } = await createPromptPipeline([broken, slot('ok', 20, () => 'here')]).render(SCENE);
  assert.equal(joinSlots(slots).system, 'here');
  assert.deepEqual(notices, ['The broken section was left out of the prompt: no such disk']);
});
