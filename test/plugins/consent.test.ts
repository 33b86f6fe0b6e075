import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOOK_KINDS } from '../../src/contracts/hook-catalog.ts';
import { describeConsent, listGrowth } from '../../src/plugins/consent.ts';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';

const manifestOf = (rest: string) =>
  parseManifest(`name: probe\nversion: 1.0.0\ndescription: x\napi: 1\nentry: index.js\n${rest}`).manifest;
const consentTo = (rest: string): readonly string[] => describeConsent(manifestOf(rest), 'sandbox');
const growthFrom = (agreed: string, now: string): readonly string[] => listGrowth(manifestOf(agreed), manifestOf(now));

test('consent says of every hook that can change, block or add something what it can do', () => {
  for (const [hook, kind] of Object.entries(HOOK_KINDS)) {
    const words = consentTo(`capabilities: { prompt: true }\nhooks: [${hook}]\n`).filter((line) => line.includes(hook));
    assert.equal(words.length, 1, hook);
    assert.match(words[0] ?? '', kind === 'observe' ? /^It is told of / : /^It sees .*(?:can rewrite|can block|block it|adds words)/, hook);
  }
});

test('consent to a memory provider names the words and the tools it brings', () => {
  assert.match(
    consentTo('memory_provider: shelf\n').join('\n'),
    /told what you and the agent say, adds words to the prompt .* brings tools/,
  );
});

test('consent to a model provider names every key and where it goes; another key, or another address for it, is a growth', () => {
  const provider = (keys: string, host = 'models.example.com'): string =>
    `providers: [{ id: house, base_url: 'https://${host}/v1', key_envs: [${keys}] }]\n`;
  const words = (name: string, host = 'models.example.com'): string =>
    `It sends the value of ${name} to ${host} when you use the model provider house.`;
  assert.ok(consentTo(provider('GITHUB_TOKEN')).includes(words('GITHUB_TOKEN')));
  assert.deepEqual(growthFrom(provider('HOUSE_KEY'), provider('HOUSE_KEY')), []);
  assert.deepEqual(growthFrom(provider('HOUSE_KEY'), provider('HOUSE_KEY, GITHUB_TOKEN')), [words('GITHUB_TOKEN')]);
  assert.ok(growthFrom(provider('HOUSE_KEY'), provider('HOUSE_KEY', 'other.example')).includes(words('HOUSE_KEY', 'other.example')));
});

test('a toolset that a tool joins is an item of its own, and says who can use the tool then', () => {
  const tool = (sets: string): string => `tools: [{ name: look, toolsets: [${sets}] }]\n`;
  assert.deepEqual(growthFrom(tool(''), tool('hermes-cli')), [], 'it is there anyway');
  assert.deepEqual(growthFrom(tool('web'), tool('web, hermes-guest')), [
    'The tool look joins the toolset hermes-guest: it can be used in chats that others read and write in.',
  ]);
  assert.deepEqual(growthFrom(tool(''), tool('web')), [
    'The tool look joins the toolset web: it can be used wherever that is, also where others write.',
  ]);
});

test('a command that was for the owner alone and is no longer is a growth; the other way round is none', () => {
  for (const [kind, words] of [
    ['commands', 'Others who may write in your chats can use it too: /roll.'],
    ['cli', 'The agent can use it too: hermes probe roll.'],
  ] as const) {
    const [owners, open] = [true, false].map((only) => `${kind}: [{ name: roll, summary: Rolls, owner_only: ${only} }]\n`);
    assert.deepEqual(growthFrom(owners ?? '', open ?? ''), [words]);
    assert.deepEqual(growthFrom(open ?? '', owners ?? ''), []);
  }
});
