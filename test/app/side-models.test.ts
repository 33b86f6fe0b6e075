import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSummariserFactory, openSummarisers } from '../../src/app/host/side-models.ts';
import type { Failure } from '../../src/contracts/failure.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import { PROFILES } from '../../src/parts/providers/catalog/all.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { RUNTIME } from '../agent/setup.ts';

const route: Runtime = { ...RUNTIME, limits: { window: 50_000 } };
const ASK = { system: 'Sum up.', text: 'a long log', maxTokens: 300, signal: new AbortController().signal };
const on = (lines: readonly ScriptedAnswer[]) =>
  createSummariserFactory({ provider: scriptedProvider(lines), price: (_, usage) => usage.input / 1_000 })(route);
const fails = (failure: Failure): ScriptedAnswer => ({ fails: failure });

// Notes of 300 tokens, and room to think before them.
test('an answer comes with what the ledger keeps of its call', async () => {
  const given = await on([{ text: 'notes', usage: { input: 500, output: 20 } }]).complete(ASK);
  assert.ok(given.ok);
  const { call } = given;
  assert.deepEqual(
    [call?.runtime.model, call?.usage.input, call?.price, call?.result, call?.adjust.maxOutput, call?.toolUse, call?.cacheTtl],
    [route.model, 500, 0.5, 'stop', 12_500, 'forbidden', 'off'],
  );
  assert.ok(call !== undefined && call.bodyBytes > 0 && call.bodyHash.length === 64 && call.estimate > 0 && call.segments.length > 0);
  assert.equal(given.price, 0.5);
});

test('a failure comes with its call too', async () => {
  const given = await on([fails({ type: 'billing', detail: 'no credit' })]).complete(ASK);
  assert.deepEqual([given.ok, given.call?.result, !given.ok && given.hopeless], [false, 'billing', true]);
});

const OVERFLOWS: readonly (readonly [story: string, failure: Failure, window: number])[] = [
  ['a limit it names is learnt', { type: 'context_overflow', detail: 'at most 8192', limit: 8_192 }, 8_192],
  ['one that only follows from the refusal is not', { type: 'context_overflow', detail: 'vague', limit: 8_192, inferred: true }, 50_000],
  ['nor is none', { type: 'context_overflow', detail: 'vague' }, 50_000],
  ['another failure says nothing of it', { type: 'overloaded', detail: 'busy' }, 50_000],
];
for (const [story, failure, window] of OVERFLOWS) {
  test(`an overflow of the model that writes notes: ${story}`, async () => {
    const summariser = on([fails(failure), { text: 'notes' }]);
    assert.equal(summariser.window, 50_000);
    await summariser.complete(ASK);
    assert.equal(summariser.window, window);
    await summariser.complete(ASK);
    assert.equal(summariser.window, window, 'for the rest of the run');
  });
}

test('summaries are written by the model of the settings, else by a cheap one of the same provider, else by the session’s own', async () => {
  const [profile] = PROFILES.filter(({ id }) => id === 'anthropic');
  const today: Runtime = { ...RUNTIME, provider: 'anthropic', model: 'claude-sonnet-4-6', baseUrl: profile?.baseUrl ?? '' };
  const connection = { provider: scriptedProvider([]), price: () => 1 };
  const models = async (model: string, runtime = today) => {
    const settings = { 'auxiliary.compression.model': model };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read when no model is named
    const shared = { config: { settings }, registered: { providers: new Map([['anthropic', profile]]) } } as never;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read when no model is named
    const summarisers = await openSummarisers(shared, { runtime, connection } as never);
    return summarisers(runtime).map(({ model: name, window }) => `${name} ${window}`);
  };
  assert.deepEqual(await models(''), ['claude-haiku-5-5 1000000', `claude-sonnet-4-6 ${RUNTIME.limits.window}`]);
  assert.deepEqual(await models('main'), [`claude-sonnet-4-6 ${RUNTIME.limits.window}`]);
  assert.deepEqual(await models('', { ...today, baseUrl: 'http://127.0.0.1:9' }), [`claude-sonnet-4-6 ${RUNTIME.limits.window}`]);
});
