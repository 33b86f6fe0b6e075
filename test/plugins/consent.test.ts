import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOOK_KINDS } from '../../src/contracts/hook-catalog.ts';
import { describeConsent } from '../../src/plugins/consent.ts';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';

const consentTo = (rest: string): readonly string[] =>
  describeConsent(parseManifest(`name: probe\nversion: 1.0.0\ndescription: x\napi: 1\nentry: index.js\n${rest}`).manifest, 'sandbox');

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
