import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../../src/app/open-host.ts';
import { resolveHome } from '../../../src/base/home.ts';
import type { MemoryProviderOptions } from '../../../src/contracts/memory-provider.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { folder, never, talk, tell } from '../host-scene.ts';

/** What a provider is given by a host with these settings. */
async function withOptions<Result>(settings: object, use: (options: MemoryProviderOptions) => Promise<Result>): Promise<Result> {
  const root = mkdtempSync(join(folder, 'memory-models-'));
  // JSON is YAML.
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ memory: { provider: 'acme' }, ...settings }));
  const given: MemoryProviderOptions[] = [];
  const open = (options: MemoryProviderOptions) => (given.push(options), { name: 'acme', available: () => true });
  await using host = await openHost({
    home: resolveHome({ HERMES_HOME: root }),
    register: (registries) => void registries.memoryProviders.add('acme', { description: 'a test', open }),
  });
  await using session = await host.openSession(talk([{ text: 'done' }]));
  await tell(session, 'hello');
  const [options] = given;
  assert.ok(options);
  return await use(options);
}

test('a memory has a model of its own where the settings name one, and none otherwise', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'a fact' }) });
  const model = { provider: 'custom', base_url: `${server.url}/v1`, default: 'main-model' };
  const given = await withOptions({ model }, async ({ complete, embed }) => [complete, embed]);
  assert.deepEqual(given, [undefined, undefined]);
  const ask = { system: 'Write down facts.', text: 'I moved to Turin.', maxTokens: 100, signal: never };
  const answer = await withOptions({ model, auxiliary: { memory: { model: 'small-model' } } }, async ({ complete }) => complete?.(ask));
  assert.deepEqual([answer?.ok, answer?.ok === true && answer.text], [true, 'a fact']);
  assert.deepEqual(
    server.requests.map(({ text }) => [text.includes('small-model'), text.includes('I moved to Turin.')]),
    [[true, true]],
  );
});
