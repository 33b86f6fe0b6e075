import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { BUILT_IN, createProviderCatalog, PROFILES, findProviderProfile } from '../../../src/parts/providers/catalog/all.ts';
import {
  UNSUPPORTED_PROVIDERS,
  findUnsupportedProvider,
  describeUnsupportedTokens,
  describeUnsupportedProvider,
} from '../../../src/parts/providers/catalog/unsupported.ts';
import { parseNamedProfiles } from '../../../src/parts/providers/catalog/named.ts';
import { quirkProviders } from '../../../src/parts/providers/quirks.ts';
import { checkKeys } from '../../../src/parts/providers/checkup.ts';
import { loadModels } from '../../../src/parts/providers/models.ts';

const ids = PROFILES.map(({ id }) => id);

test('the order is: four first, the rest by name, custom last', () => {
  assert.deepEqual(ids.slice(0, 4), ['openrouter', 'anthropic', 'openai-api', 'gemini']);
  assert.deepEqual(ids.slice(4, -1), ids.slice(4, -1).toSorted());
  assert.equal(ids.at(-1), 'custom');
});

test('every file of the catalog is listed, under its own name', () => {
  const files = globSync('src/parts/providers/catalog/*.ts').map((file) => basename(file, '.ts'));
  assert.deepEqual(
    files.filter((name) => !['all', 'api-mode', 'unsupported', 'named', 'profile'].includes(name)).toSorted(),
    ids.toSorted(),
  );
});

test('no name leads to two providers', () => {
  const names = [...PROFILES, ...UNSUPPORTED_PROVIDERS].flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.deepEqual(
    names.filter((name, place) => names.indexOf(name) !== place),
    [],
  );
});

test('addresses are https, or http on this machine, and end without a slash', () => {
  const wrong = PROFILES.filter(
    ({ baseUrl, local }) =>
      baseUrl !== '' && !(local === true ? /^http:\/\/127\.0\.0\.1:\d+\/v1$/ : /^https:\/\/[\w.-]+(\/[\w.-]+)*$/).test(baseUrl),
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    PROFILES.filter(({ baseUrl }) => baseUrl === '').map(({ id }) => id),
    ['azure-foundry', 'custom'],
  );
});

test('a key variable belongs to one host', () => {
  const owners = new Map<string, Set<string>>();
  for (const { keyEnvs, baseUrl, id } of PROFILES) {
    if (id === 'custom') continue;
    for (const name of keyEnvs) owners.set(name, (owners.get(name) ?? new Set()).add(new URL(baseUrl || 'https://own.example').host));
  }
  assert.deepEqual(
    [...owners].filter(([, hosts]) => hosts.size > 1),
    [],
  );
});

test('a default model is one the table has with a price', () => {
  const unpriced = new Set(['nvidia']);
  const unknown = PROFILES.filter(
    ({ id, defaultModel }) => defaultModel !== undefined && !unpriced.has(id) && loadModels().prices(id, defaultModel) === undefined,
  );
  assert.deepEqual(
    unknown.map(({ id }) => id),
    [],
  );
});

test('names are found by alias and in any case', () => {
  assert.equal(findProviderProfile('claude')?.id, 'anthropic');
  assert.equal(findProviderProfile('HF')?.id, 'huggingface');
  assert.equal(findProviderProfile('llamacpp')?.id, 'llama.cpp');
  assert.equal(findProviderProfile('nobody'), undefined);
});

test('a provider of later says what it needs and what to use', () => {
  const bedrock = findUnsupportedProvider('aws');
  assert.equal(bedrock?.id, 'bedrock');
  assert.match(
    describeUnsupportedProvider(bedrock ?? assert.fail()),
    /^bedrock needs AWS request signing, which this version does not support yet\. Use anthropic/,
  );
});

test('a quirk names providers by the id their routes bear', () => {
  assert.deepEqual(
    quirkProviders.filter((id) => !ids.includes(id)),
    [],
  );
});

test('a token of a sign-in is named as not read, without its value', () => {
  assert.deepEqual(describeUnsupportedTokens({ ANTHROPIC_TOKEN: '', ANTHROPIC_API_KEY: 'k' }), []);
  const env = { ANTHROPIC_TOKEN: 'sk-ant-oat-1', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat-2' };
  const words = describeUnsupportedTokens(env);
  assert.equal(words.length, 2);
  assert.match(words[1] ?? '', /^CLAUDE_CODE_OAUTH_TOKEN is set but not used: .*Use anthropic \(ANTHROPIC_API_KEY\)/);
  assert.doesNotMatch(words.join(), /sk-ant/);
  assert.match(checkKeys(env, PROFILES).words, /^no API keys set; ANTHROPIC_TOKEN is set but not used/);
});

test('providers of the settings become profiles', () => {
  const [mine] = parseNamedProfiles({
    mine: {
      base_url: 'https://models.example/v1',
      key_env: 'MINE_KEY',
      api_mode: 'responses',
      models: { big: { context_length: 99_000 }, small: {} },
    },
  });
  assert.deepEqual(mine, {
    id: 'mine',
    aliases: [],
    baseUrl: 'https://models.example/v1',
    protocol: 'openai-responses',
    keyEnvs: ['MINE_KEY'],
    defaultModel: 'big',
    windows: { big: 99_000 },
    quirks: { reasoningReturn: true },
  });
  assert.deepEqual(
    parseNamedProfiles({ plain: { base_url: 'https://plain.example', models: ['a', 'b'] } })[0]?.keyEnvs,
    [],
    'no key but one that is named',
  );
  assert.throws(() => parseNamedProfiles({ mine: {} }), /providers\.mine needs a base_url/);
  assert.throws(() => parseNamedProfiles({ mine: 'x' }), /providers\.mine must be a table/);
  assert.throws(
    () => parseNamedProfiles({ mine: { base_url: 'https://a.example', api_mode: 'soap' } }),
    /providers\.mine\.api_mode: there is no wire format soap/,
  );
});

test('a provider of the settings that bears a known name changes it', () => {
  const catalog = createProviderCatalog(
    parseNamedProfiles({ deepseek: { key_env: 'OTHER_KEY' }, mine: { base_url: 'https://m.example/v1' } }),
  );
  assert.deepEqual(
    [catalog.profileOf('deepseek')?.baseUrl, catalog.profileOf('deepseek')?.keyEnvs],
    ['https://api.deepseek.com/v1', ['OTHER_KEY']],
  );
  assert.equal(catalog.profiles.filter(({ id }) => id === 'deepseek').length, 1);
  assert.equal(catalog.profileOf('mine')?.id, 'mine');
  assert.equal(BUILT_IN.profileOf('mine'), undefined);
});
