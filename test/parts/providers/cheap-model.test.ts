import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import { PROFILES } from '../../../src/parts/providers/catalog/all.ts';
import { findCheapModel } from '../../../src/parts/providers/cheap-model.ts';
import { loadModels } from '../../../src/parts/providers/models.ts';

const profileOf = (id: string) => PROFILES.find((profile) => profile.id === id);
const cheapFor = (provider: string, model: string, over: Partial<Runtime> = {}) => {
  const { baseUrl = '', protocol = 'openai-chat' } = profileOf(provider) ?? {};
  const runtime: Runtime = { provider, model, baseUrl, protocol, credential: 'K', limits: { window: 8_000, stated: true }, ...over };
  return findCheapModel(runtime, profileOf(provider));
};

test('a cheap model of the same provider is found, with its own limits and the same key', () => {
  assert.deepEqual(cheapFor('anthropic', 'claude-sonnet-4-6'), {
    provider: 'anthropic',
    model: 'claude-haiku-5-5',
    baseUrl: 'https://api.anthropic.com',
    protocol: 'anthropic-messages',
    credential: 'K',
    limits: { window: 1_000_000, maxOutput: 128_000 },
  });
});

const NONE: readonly (readonly [string, Runtime | undefined])[] = [
  ['at an address of the owner', cheapFor('anthropic', 'claude-sonnet-4-6', { baseUrl: 'http://127.0.0.1:9' })],
  ['of a gateway for a vendor without one', cheapFor('openrouter', 'moonshotai/kimi-k3')],
  ['for one that costs no more', cheapFor('openai-api', 'gpt-5.4-nano')],
  ['for the cheap one itself', cheapFor('deepseek', 'deepseek-flash')],
  ['for a model without a known price', cheapFor('anthropic', 'claude-of-tomorrow')],
  ['of a provider without one', cheapFor('ollama', 'qwen3')],
];
for (const [story, found] of NONE) test(`there is no cheap model ${story}`, () => assert.equal(found, undefined));

test('every cheap model of the catalog is in the table, costs less than the default of its provider and reads at least as much as most sessions hold', () => {
  const rows = PROFILES.flatMap(({ id, cheapModels = {} }) =>
    Object.entries(cheapModels).map(([prefix, model]) => ({ id, prefix, model })),
  );
  assert.ok(rows.length > 20);
  for (const { id, prefix, model } of rows) {
    const card = loadModels().card(id, model);
    assert.ok((card?.prices?.input ?? 0) > 0 && (card?.window ?? 0) >= 200_000, `${id} ${model}`);
    assert.ok(model.startsWith(prefix), `${id}: ${model} is of another vendor than ${prefix}`);
    const usual = profileOf(id)?.defaultModel ?? '';
    if (usual.startsWith(prefix)) assert.equal(cheapFor(id, usual)?.model, model);
  }
});
