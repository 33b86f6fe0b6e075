import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUILT_IN } from '../../../src/parts/providers/catalog/all.ts';
import { loadModels, createModelTable } from '../../../src/parts/providers/models.ts';

const TEXT = readFileSync('src/parts/providers/models.json', 'utf8');
const FILE = JSON.parse(TEXT) as {
  readonly source: string;
  readonly date: string;
  readonly providers: Record<string, Record<string, string>>;
};

const small = createModelTable(`{
  "source": "somewhere 1.0",
  "date": "2026-01-02",
  "providers": {
    "vendor": {
      "wise-4-6": "1000000 64000 ir 3 15 0.3 3.75 6 >200000 6 22.5 0.6",
      "wise-4-6-mini": "1000 - - 1 2"
    },
    "gateway": {
      "vendor/wise-4.6": "500000 32000 r 4 16",
      "other/Deep-V4": "128000 8000 r"
    }
  }
}`);

test('a row tells everything that is known', () => {
  assert.deepEqual(small.card('vendor', 'wise-4-6'), {
    window: 1_000_000,
    maxOutput: 64_000,
    images: true,
    reasoning: true,
    prices: {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      tiers: [{ above: 200_000, input: 6, output: 22.5, cacheRead: 0.6 }],
    },
  });
  assert.deepEqual(small.card('vendor', 'wise-4-6-mini'), {
    window: 1000,
    images: false,
    reasoning: false,
    prices: { input: 1, output: 2 },
  });
  assert.deepEqual([small.source, small.date], ['somewhere 1.0', '2026-01-02']);
});

test('a model is found by its name, without date, without vendor, then wherever it is served', () => {
  const found: readonly (readonly [provider: string, model: string, window: number | undefined])[] = [
    ['gateway', 'vendor/wise-4.6', 500_000],
    ['vendor', 'wise-4-6-20260115', 1_000_000],
    ['vendor', 'wise-4-6@2026-01-15', 1_000_000],
    ['vendor', 'vendor/wise-4-6', 1_000_000],
    ['custom', 'wise-4.6', 1_000_000],
    ['custom', 'vendor/wise-4-6:online', 1_000_000],
    ['elsewhere', 'deep-v4', 128_000],
    ['vendor', 'wise-4', undefined],
    ['vendor', '6', undefined],
    ['custom', 'test-model', undefined],
  ];
  assert.deepEqual(
    found.map(([provider, model]) => [provider, model, small.window(provider, model)]),
    found,
  );
});

test('a price is never taken from another provider', () => {
  assert.equal(small.prices('gateway', 'vendor/wise-4.6')?.input, 4);
  assert.equal(small.prices('custom', 'wise-4-6'), undefined);
  assert.equal(small.card('custom', 'wise-4-6')?.prices, undefined);
  assert.equal(small.prices('gateway', 'other/Deep-V4'), undefined);
});

test('families answer for models the table lacks, the longest name first', () => {
  const none = createModelTable('{}');
  const windows = Object.entries({
    'claude-something': 200_000,
    'anthropic/claude-opus-4-6': 1_000_000,
    'gpt-5-turbo': 400_000,
    'gpt-5.4-x': 1_050_000,
    'gemini-9': 1_048_576,
    'deepseek-v4-x': 1_000_000,
    'glm-5.2': 1_048_576,
    'glm-4.9': 202_752,
    'kimi-k3': 1_048_576,
    'kimi-k2': 262_144,
    'qwen3:8b': 131_072,
    'MiniMax-M3': 1_000_000,
    'minimax-m2': 204_800,
    'grok-4': 256_000,
    'llama3.3': 131_072,
  });
  assert.deepEqual(
    windows.map(([model]) => [model, none.window('custom', model)]),
    windows,
  );
});

test('the file is small, plain ASCII, dated, and searching it finds every row', () => {
  assert.ok(TEXT.length < 150_000, `${TEXT.length} bytes`);
  assert.match(TEXT, /^[\n\x20-\x7e]*$/);
  assert.match(FILE.date, /^20\d\d-\d\d-\d\d$/);
  const table = loadModels();
  assert.deepEqual([table.source, table.date], [FILE.source, FILE.date]);
  for (const [provider, models] of Object.entries(FILE.providers)) {
    assert.notEqual(BUILT_IN.profileOf(provider), undefined, `${provider} is in the catalog`);
    for (const [model, row] of Object.entries(models)) {
      assert.match(row, /^\d+ (\d+|-) (ir?|r|-)( ([\d.e-]+|-))*( >\d+( ([\d.e-]+|-))+)*$/, `${provider} ${model}`);
      assert.equal(table.window(provider, model), Number(row.split(' ')[0]), `${provider} ${model}`);
    }
  }
});

test('what everybody starts with is there', () => {
  const table = loadModels();
  assert.deepEqual(table.prices('anthropic', 'claude-sonnet-4-6'), {
    input: 3,
    output: 15,
    cacheRead: 0.3,
    cacheWrite5m: 3.75,
    cacheWrite1h: 6,
  });
  assert.equal(table.window('openai-api', 'gpt-5.4'), 1_050_000);
  assert.equal(table.window('gemini', 'gemini-3.1-pro-preview'), 1_048_576);
});
