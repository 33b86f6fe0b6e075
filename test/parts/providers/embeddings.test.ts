import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmbedder } from '../../../src/parts/providers/embeddings.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { startEmbeddingServer } from './embedding-server.ts';
import { runtimeOf } from './setup.ts';

const SIGNAL = new AbortController().signal;
const AUTH = { headers: async () => ({ authorization: 'Bearer key-of-mine' }) };

test('texts go to /embeddings with model and key, and the vectors come back in the order of the texts', async () => {
  await using server = await startEmbeddingServer();
  using transport = httpSse();
  const embed = createEmbedder(runtimeOf('openai-chat', { model: 'small-1', baseUrl: `${server.url}/` }), { transport, auth: AUTH });
  const given = await embed(['python', 'refund'], SIGNAL);
  assert.ok(given.ok);
  assert.deepEqual(
    given.vectors.map(([first, second]) => [first, second]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  const [{ path, model, input, headers } = assert.fail()] = server.asked;
  assert.deepEqual([path, model, input, headers.authorization], ['/v1/embeddings', 'small-1', ['python', 'refund'], 'Bearer key-of-mine']);
});

const FAILURES: readonly (readonly [story: string, status: number, body: string, why: RegExp])[] = [
  ['a refusal with words', 401, '{"error":{"message":"no such key"}}', /401 no such key/],
  ['a refusal without', 500, 'oops', /500$/],
  ['no vectors', 200, '{"data":[]}', /0 vectors for 1/],
  ['no JSON', 200, 'fine', /0 vectors for 1/],
  ['vectors without length', 200, '{"data":[{"index":0,"embedding":[]}]}', /not all of one length/],
];
for (const [story, status, body, why] of FAILURES)
  test(`an embedding that fails is told, not thrown: ${story}`, async () => {
    await using server = await startEmbeddingServer();
    server.fail(status, body);
    using transport = httpSse();
    const given = await createEmbedder(runtimeOf('openai-chat', { baseUrl: server.url }), { transport, auth: AUTH })(['x'], SIGNAL);
    assert.ok(!given.ok);
    assert.match(given.why, why);
  });

test('a server that is not there is told too', async () => {
  using transport = httpSse();
  const given = await createEmbedder(runtimeOf('openai-chat', { baseUrl: 'http://127.0.0.1:9' }), { transport, auth: AUTH })(['x'], SIGNAL);
  assert.ok(!given.ok && given.why.includes('127.0.0.1'));
});
