import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Completion } from '../../../../../src/contracts/complete.ts';
import { NO_USAGE } from '../../../../../src/contracts/message.ts';
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { choosePreset } from '../../../../../src/parts/tools/builtin/moa/preset.ts';
import { moaSettings } from '../../../../../src/parts/tools/builtin/moa/settings.ts';
import { mixtureOfAgentsTool, type AskModel } from '../../../../../src/parts/tools/builtin/moa/tool.ts';
import { answer, contextIn, deskAt } from '../../setup.ts';

const context = contextIn(deskAt('/nowhere'));
const said = (model: string, text: string): Completion => ({ ok: true, text, usage: NO_USAGE, model });
const failed = (model: string): Completion => ({ ok: false, why: 'overloaded', model, hopeless: false });
const settings = (presets: object, preset = '') => ({
  ...collectDefaults(moaSettings),
  'moa.presets': presets as Record<string, unknown>,
  'moa.preset': preset,
});
const THREE = { best: { reference_models: ['a', 'b', 'c'], aggregator: 'judge' } };

test('all models are asked at the same time and one joins what they say', async () => {
  const running = new Set<string>();
  let together = 0;
  const asked: string[] = [];
  const ask: AskModel = async (model, _system, text) => {
    running.add(model);
    together = Math.max(together, running.size);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running.delete(model);
    asked.push(`${model}: ${text}`);
    return model === 'judge' ? said(model, 'Forty-two.') : said(model, `${model} thinks 42`);
  };
  const output = await mixtureOfAgentsTool({ settings: settings(THREE), ask }).run({ prompt: 'How much?' }, context);
  assert.deepEqual(output.content, [{ type: 'text', trust: 'model', text: 'Forty-two.\n\n[Answered: a, b, c. Joined by judge.]' }]);
  assert.equal(together, 3);
  assert.equal(
    asked.at(-1),
    'judge: The task:\n\nHow much?\n\n---\n\nAnswer 1:\n\na thinks 42\n\n---\n\nAnswer 2:\n\nb thinks 42\n\n---\n\nAnswer 3:\n\nc thinks 42',
  );
});

test('one answer is enough, and who failed is told', async () => {
  const ask: AskModel = async (model) => {
    if (model === 'a') return failed(model);
    if (model === 'b') throw new Error('broke');
    return said(model, model === 'judge' ? 'Joined.' : 'c knows');
  };
  assert.equal(
    await answer(mixtureOfAgentsTool({ settings: settings(THREE), ask }), { prompt: 'Who?' }, context),
    'Joined.\n\n[Answered: c. Joined by judge. Without a: overloaded. b: broke.]',
  );
});

test('no answer at all is a failure; without a judge the answers themselves are given', async () => {
  const none = mixtureOfAgentsTool({ settings: settings(THREE), ask: async (model) => failed(model) });
  assert.equal(
    await answer(none, { prompt: 'Who?' }, context),
    'FAILED None of the models answered. a: overloaded. b: overloaded. c: overloaded.',
  );
  const ask: AskModel = async (model) => (model === 'judge' ? failed(model) : said(model, `${model}!`));
  const words = await answer(mixtureOfAgentsTool({ settings: settings(THREE), ask }), { prompt: 'Who?' }, context);
  assert.match(words, /^\[judge could not join the answers: overloaded\. Here they are\.\]\n\n## a\n\na!\n\n## b\n\nb!/);
});

test('a stop reaches the models', async () => {
  const stop = new AbortController();
  const ask: AskModel = (model, _system, _text, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(failed(model)), { once: true }));
  const work = mixtureOfAgentsTool({ settings: settings(THREE), ask }).run({ prompt: 'Who?' }, { ...context, signal: stop.signal });
  stop.abort(new Error('stopped by the user'));
  await assert.rejects(work, /stopped by the user/);
});

test('it is there only when a mixture is set up', () => {
  const two = { default: { reference_models: ['a'], aggregator: 'j' }, other: { reference_models: ['b', 'b'], aggregator: 'j' } };
  assert.deepEqual(choosePreset(settings(two)), { ok: true, preset: { name: 'default', references: ['a'], aggregator: 'j' } });
  assert.deepEqual(choosePreset(settings(two, 'other')), { ok: true, preset: { name: 'other', references: ['b'], aggregator: 'j' } });
  const wrong: readonly (readonly [object, string, RegExp])[] = [
    [{}, '', /moa\.presets is empty/],
    [two, 'none', /there is no moa\.presets\.none; there are: default, other/],
    [{ x: { aggregator: 'j' } }, '', /moa\.presets\.x\.reference_models must name 1 to 8/],
    [{ x: { reference_models: ['a'] } }, '', /moa\.presets\.x\.aggregator names no model/],
  ];
  for (const [presets, preset, words] of wrong) {
    const tool = mixtureOfAgentsTool({ settings: settings(presets, preset), ask: async (model) => failed(model) });
    assert.equal(tool.available?.(), false);
    assert.match(tool.needs ?? '', words);
  }
});
