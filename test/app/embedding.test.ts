import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '../../src/app/config/config.ts';
import { openEmbed } from '../../src/app/host/side-models.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { httpSse } from '../../src/parts/providers/transports/http-sse.ts';
import { createSecrets } from '../../src/parts/safety/secrets/secrets.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { RUNTIME, setup } from '../agent/setup.ts';
import { startEmbeddingServer } from '../parts/providers/embedding-server.ts';

const SIGNAL = new AbortController().signal;
const VALUE = 'sk-private-0123456789';
const secrets = createSecrets({ known: () => [{ name: 'MY_API_KEY', value: VALUE }], salt: () => 'salt' });

async function opened(settings: Readonly<Record<string, string>>) {
  const { store } = await setup(scriptedProvider([]));
  const transport = httpSse();
  const config = { settings: { ...collectDefaults(SETTINGS), ...settings }, sources: {} };
  const parts = { config, env: {}, store, transport, notice: () => {}, registered: snapshotRegistries(createRegistries()), secrets };
  return { embed: openEmbed(parts, () => RUNTIME), transport };
}

test('no embedding model is asked unless the settings name one', async () => {
  const { embed, transport } = await opened({});
  using _ = transport;
  assert.equal(embed, undefined);
});

test('the model of auxiliary.embedding is asked at its own address, and secrets leave no text', async () => {
  await using server = await startEmbeddingServer();
  const { embed, transport } = await opened({ 'auxiliary.embedding.model': 'small-1', 'auxiliary.embedding.base_url': server.url });
  using _ = transport;
  const given = await embed?.([`the key is ${VALUE}`, 'python'], SIGNAL);
  assert.ok(given?.ok);
  const [{ path, model, input } = assert.fail()] = server.asked;
  assert.deepEqual([path, model, input[1]], ['/v1/embeddings', 'small-1', 'python']);
  assert.ok(!JSON.stringify(server.asked).includes(VALUE));
});
