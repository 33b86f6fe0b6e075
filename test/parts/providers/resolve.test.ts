import type { Env } from '../../../src/base/env.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../src/base/errors.ts';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import { createProviderCatalog } from '../../../src/parts/providers/catalog/all.ts';
import { parseNamedProfiles } from '../../../src/parts/providers/catalog/named.ts';
import {
  ASSUMED_WINDOW,
  normalizeLocalAddress,
  resolveRuntime,
  type ModelFacts,
  type RouteSelection,
} from '../../../src/parts/providers/resolve.ts';

const FACTS: ModelFacts = {
  window: (_, model) => (model === 'known' ? 123_000 : undefined),
  maxOutput: (_, model) => (model === 'known' ? 8_000 : undefined),
};
const NOTHING: RouteSelection = { provider: 'auto', model: '', baseUrl: '', apiMode: 'auto', contextLength: 0, maxTokens: 0 };
const resolve = (wish: Partial<RouteSelection>, env: Env = {}): Runtime | undefined => resolveRuntime({ ...NOTHING, ...wish }, env, FACTS);
const brief = (runtime: Runtime | undefined) =>
  runtime && `${runtime.provider} ${runtime.protocol} ${runtime.baseUrl} ${runtime.credential}`;

/** RouteSelection, environment, and where it leads. */
const TABLE: readonly (readonly [what: string, wish: Partial<RouteSelection>, env: Env, route: string | undefined])[] = [
  ['nothing at all', {}, {}, undefined],
  ['an empty key is none', {}, { OPENAI_API_KEY: '' }, undefined],
  [
    'a key enables its provider',
    {},
    { ANTHROPIC_API_KEY: 'a' },
    'anthropic anthropic-messages https://api.anthropic.com ANTHROPIC_API_KEY',
  ],
  [
    'of several keys the first of the catalog',
    {},
    { OPENAI_API_KEY: 'o', OPENROUTER_API_KEY: 'r' },
    'openrouter openai-chat https://openrouter.ai/api/v1 OPENROUTER_API_KEY',
  ],
  [
    'either name of Gemini’s key',
    {},
    { GEMINI_API_KEY: 'g' },
    'gemini openai-chat https://generativelanguage.googleapis.com/v1beta/openai GEMINI_API_KEY',
  ],
  [
    'a named provider beats a key that is there',
    { provider: 'anthropic' },
    { OPENROUTER_API_KEY: 'r', ANTHROPIC_API_KEY: 'a' },
    'anthropic anthropic-messages https://api.anthropic.com ANTHROPIC_API_KEY',
  ],
  [
    'a named provider without its key does not take another’s',
    { provider: 'openai' },
    { ANTHROPIC_API_KEY: 'a' },
    'openai-api openai-responses https://api.openai.com/v1 OPENAI_API_KEY',
  ],
  ['an alias', { provider: 'grok' }, { XAI_API_KEY: 'x' }, 'xai openai-responses https://api.x.ai/v1 XAI_API_KEY'],
  [
    'OPENAI_BASE_URL gets that provider’s key, on the wire such servers speak',
    {},
    { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'https://proxy.example/v1' },
    'openai-api openai-chat https://proxy.example/v1 OPENAI_API_KEY',
  ],
  [
    'OPENAI_BASE_URL alone is enough',
    {},
    { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    'openai-api openai-chat http://127.0.0.1:9/v1 none',
  ],
  [
    'ANTHROPIC_BASE_URL',
    {},
    { ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/' },
    'anthropic anthropic-messages http://127.0.0.1:9 ANTHROPIC_API_KEY',
  ],
  [
    'a base URL variable does not beat a key',
    {},
    { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENROUTER_API_KEY: 'r' },
    'openrouter openai-chat https://openrouter.ai/api/v1 OPENROUTER_API_KEY',
  ],
  [
    'a named address beats the variable',
    { provider: 'openai', baseUrl: 'https://named.example/v1' },
    { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'https://proxy.example/v1' },
    'openai-api openai-chat https://named.example/v1 OPENAI_API_KEY',
  ],
  [
    'the wire can be named',
    { provider: 'openai', baseUrl: 'https://named.example/v1', apiMode: 'responses' },
    { OPENAI_API_KEY: 'o' },
    'openai-api openai-responses https://named.example/v1 OPENAI_API_KEY',
  ],
  [
    'an address alone is a server of one’s own',
    { baseUrl: 'http://127.0.0.1:9', model: 'm' },
    {},
    'custom openai-chat http://127.0.0.1:9/v1 none',
  ],
  [
    '…which gets the key of its wire',
    { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiMode: 'anthropic_messages' },
    { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' },
    'custom anthropic-messages http://127.0.0.1:9/v1 ANTHROPIC_API_KEY',
  ],
  [
    '…else that of the first provider that has one',
    { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' },
    { GEMINI_API_KEY: 'g', OPENROUTER_API_KEY: 'r' },
    'custom openai-chat http://127.0.0.1:9/v1 OPENROUTER_API_KEY',
  ],
  [
    '…also when it was named as custom, as a resumed session does',
    { provider: 'custom', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' },
    { GEMINI_API_KEY: 'g' },
    'custom openai-chat http://127.0.0.1:9/v1 GEMINI_API_KEY',
  ],
  [
    '…and on the Anthropic wire not before its own',
    { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiMode: 'anthropic_messages' },
    { OPENROUTER_API_KEY: 'r', ANTHROPIC_API_KEY: 'a' },
    'custom anthropic-messages http://127.0.0.1:9/v1 ANTHROPIC_API_KEY',
  ],
  [
    '…but not where a local server has its place',
    { baseUrl: 'http://127.0.0.1:1234/v1', model: 'm' },
    { OPENROUTER_API_KEY: 'r' },
    'custom openai-chat http://127.0.0.1:1234/v1 none',
  ],
  [
    '…nor another’s at a known host, whatever it is called',
    { provider: 'custom', baseUrl: 'https://openrouter.ai/api/v1', model: 'm' },
    { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' },
    'custom openai-chat https://openrouter.ai/api/v1 none',
  ],
  [
    '…but in the fallback chain no key at all',
    { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', fallback: true },
    { OPENAI_API_KEY: 'o', OPENROUTER_API_KEY: 'r' },
    'custom openai-chat http://127.0.0.1:9/v1 none',
  ],
  [
    '…save the one its row names',
    { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', fallback: true, keyEnv: 'ROW_KEY' },
    { OPENAI_API_KEY: 'o', ROW_KEY: 'k' },
    'custom openai-chat http://127.0.0.1:9/v1 ROW_KEY',
  ],
  [
    'a known host gets its own provider’s key, never another’s',
    { baseUrl: 'https://openrouter.ai/api/v1' },
    { OPENAI_API_KEY: 'o', OPENROUTER_API_KEY: 'r' },
    'openrouter openai-chat https://openrouter.ai/api/v1 OPENROUTER_API_KEY',
  ],
  [
    '…even when that key is missing',
    { baseUrl: 'https://openrouter.ai' },
    { OPENAI_API_KEY: 'o' },
    'openrouter openai-chat https://openrouter.ai/api/v1 OPENROUTER_API_KEY',
  ],
  [
    'two providers on one host are told apart by the path',
    { baseUrl: 'https://opencode.ai/zen/go/v1' },
    {},
    'opencode-go openai-chat https://opencode.ai/zen/go/v1 OPENCODE_GO_API_KEY',
  ],
  [
    'the beginning of the own address is completed',
    { provider: 'gemini' },
    { GEMINI_API_KEY: 'g', GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com/v1beta' },
    'gemini openai-chat https://generativelanguage.googleapis.com/v1beta/openai GEMINI_API_KEY',
  ],
  [
    'an address by variable only',
    { model: 'm' },
    { AZURE_FOUNDRY_API_KEY: 'z', AZURE_FOUNDRY_BASE_URL: 'https://r.openai.azure.com/openai/v1' },
    'azure-foundry openai-chat https://r.openai.azure.com/openai/v1 AZURE_FOUNDRY_API_KEY',
  ],
  ['a key without an address enables nothing', {}, { AZURE_FOUNDRY_API_KEY: 'z' }, undefined],
  ['a local server wants no key', { provider: 'lmstudio', model: 'm' }, {}, 'lmstudio openai-chat http://127.0.0.1:1234/v1 none'],
  [
    '…and gets one where it is set',
    { provider: 'lmstudio', model: 'm' },
    { LM_API_KEY: 'k' },
    'lmstudio openai-chat http://127.0.0.1:1234/v1 LM_API_KEY',
  ],
  [
    'OLLAMA_HOST as the server writes it',
    { provider: 'ollama', model: 'm' },
    { OLLAMA_HOST: '0.0.0.0' },
    'ollama openai-chat http://127.0.0.1:11434/v1 none',
  ],
  ['OLLAMA_HOST alone chooses nothing: the server is asked first', {}, { OLLAMA_HOST: '127.0.0.1:11434' }, undefined],
  ['the first of several keys', { provider: 'zai' }, { ZAI_API_KEY: 'z1,z2' }, 'zai openai-chat https://api.z.ai/api/paas/v4 ZAI_API_KEY'],
];
for (const [what, wish, env, route] of TABLE) test(what, () => assert.equal(brief(resolve({ model: 'm', ...wish }, env)), route));

test('the model: named, else the provider’s own, else said to be missing', () => {
  assert.equal(resolve({ provider: 'anthropic', model: 'claude-x' })?.model, 'claude-x');
  assert.equal(resolve({ provider: 'anthropic' })?.model, 'claude-sonnet-4-6');
  assert.throws(() => resolve({ provider: 'novita' }), /novita has no default model: name one with -m MODEL/);
});

const windowOf = (wish: Partial<RouteSelection>) => resolve({ provider: 'anthropic', ...wish })?.limits.window;
const longestOf = (model: string, maxTokens: number) => resolve({ provider: 'anthropic', model, maxTokens })?.limits.maxOutput;

test('the window: stated, else of the table, else assumed', () => {
  assert.deepEqual(
    [windowOf({ model: 'known', contextLength: 5_000 }), windowOf({ model: 'known' }), windowOf({ model: 'x' })],
    [5_000, 123_000, ASSUMED_WINDOW],
  );
});

test('no longer answer is asked for than the model can write', () => {
  assert.deepEqual(
    [longestOf('known', 100_000), longestOf('known', 500), longestOf('x', 100_000), longestOf('known', 0)],
    [8_000, 500, 100_000, undefined],
  );
});

test('what cannot be is told in words', () => {
  assert.throws(() => resolve({ provider: 'antropic' }), /no provider antropic; did you mean anthropic\?/);
  assert.throws(
    () => resolve({ provider: 'codex' }),
    /openai-codex needs the ChatGPT sign-in, which this version does not support yet\. Use openai-api/,
  );
  assert.throws(() => resolve({ provider: 'custom', model: 'm' }), /custom needs an address: name it with --base-url/);
  assert.throws(() => resolve({ provider: 'azure', model: 'm' }), /AZURE_FOUNDRY_BASE_URL/);
  assert.throws(() => resolve({ baseUrl: 'ftp://x', model: 'm' }), /ftp:\/\/x is not an http\(s\) address/);
  assert.throws(() => resolve({ provider: 'anthropic', apiMode: 'soap' }), /there is no wire format soap/);
});

test('a provider of the settings: its address, its key, its window', () => {
  const catalog = createProviderCatalog(
    parseNamedProfiles({ mine: { base_url: 'https://m.example/v1', key_env: 'MINE', models: { big: { context_length: 9_000 } } } }),
  );
  const route = (wish: Partial<RouteSelection>, env: Env) => resolveRuntime({ ...NOTHING, ...wish }, env, FACTS, catalog);
  assert.deepEqual(route({ provider: 'mine' }, { MINE: 'k', OPENAI_API_KEY: 'o' }), {
    provider: 'mine',
    model: 'big',
    baseUrl: 'https://m.example/v1',
    protocol: 'openai-chat',
    credential: 'MINE',
    limits: { window: 9_000 },
  });
  assert.equal(route({ baseUrl: 'https://m.example/v1' }, { OPENAI_API_KEY: 'o', MINE: 'k' })?.credential, 'MINE');
});

test('addresses as local servers write them', () => {
  const usual = 'http://127.0.0.1:11434/v1';
  const written = {
    '': '',
    '0.0.0.0': 'http://127.0.0.1:11434',
    '127.0.0.1:9999': 'http://127.0.0.1:9999',
    'http://box:1/': 'http://box:1',
    'https://far.example': 'https://far.example',
  };
  assert.deepEqual(
    Object.keys(written).map((host) => normalizeLocalAddress(host, usual)),
    Object.values(written),
  );
});

const SECRETS = [
  'http://user:hunter2@h.example/v1',
  'http://hunter2@h.example',
  'https://h.example/v1?key=hunter2',
  'https://h.example/v1#hunter2',
];
const WAYS: readonly (readonly [way: string, lead: (url: string) => unknown])[] = [
  ['a flag or setting', (baseUrl) => resolve({ baseUrl, model: 'm' })],
  ['a variable', (url) => resolve({}, { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' })],
  ['a local server', (url) => resolve({ provider: 'ollama', model: 'm' }, { OLLAMA_HOST: url })],
  [
    'the settings',
    (url) =>
      resolveRuntime(
        { ...NOTHING, provider: 'mine', model: 'm' },
        {},
        FACTS,
        createProviderCatalog(parseNamedProfiles({ mine: { base_url: url } })),
      ),
  ],
];
for (const [way, lead] of WAYS) {
  test(`an address by ${way} carries no secret`, () => {
    for (const url of SECRETS)
      assert.throws(
        () => lead(url),
        (error) =>
          error instanceof UsageError &&
          /\.env or the environment: hermes config set \w+/.test(error.message) &&
          !error.message.includes('hunter2'),
        url,
      );
  });
}

test('what is no address is told without its secrets', () => {
  for (const url of ['ftp://user:hunter2@h.example', 'http://user:hunter2@h example/v1', 'user:hunter2@h:1/v1?x=hunter2'])
    assert.throws(
      () => resolve({ baseUrl: url, model: 'm' }),
      (error) => error instanceof UsageError && !error.message.includes('hunter2'),
      url,
    );
});

test('Azure’s version may stand in an address, and the path goes before it', () => {
  const at = (baseUrl: string) => resolve({ provider: 'azure-foundry', model: 'm', baseUrl })?.baseUrl;
  assert.equal(at('https://mine.example/openai?api-version=2'), 'https://mine.example/openai?api-version=2');
  assert.equal(at('https://mine.example?api-version=2'), 'https://mine.example/v1?api-version=2');
});

test('a provider that is taken only by its name is not chosen because a key of it is there, and gets no key for another server', () => {
  const house = {
    id: 'house',
    aliases: [],
    protocol: 'openai-chat',
    baseUrl: 'https://models.example.com/v1',
    keyEnvs: ['GITHUB_TOKEN'],
    defaultModel: 'm',
  } as const;
  const env = { GITHUB_TOKEN: 'g' };
  const routed = (wish: Partial<RouteSelection>, onlyByName?: true) =>
    brief(
      resolveRuntime(
        { ...NOTHING, ...wish },
        env,
        FACTS,
        createProviderCatalog([], [...createProviderCatalog([]).profiles, { ...house, ...(onlyByName && { onlyByName }) }]),
      ),
    );
  const house1 = 'house openai-chat https://models.example.com/v1 GITHUB_TOKEN';
  assert.deepEqual([routed({}), routed({}, true)], [house1, undefined]);
  assert.equal(routed({ provider: 'house' }, true), house1);
  assert.equal(routed({ baseUrl: 'https://x.example/v1', model: 'm' }, true), 'custom openai-chat https://x.example/v1 none');
});
