import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextRecallTool } from '../../../../src/parts/context/recall/tool.ts';
import { createEmbedder } from '../../../../src/parts/providers/embeddings.ts';
import { httpSse } from '../../../../src/parts/providers/transports/http-sse.ts';
import { startEmbeddingServer, type EmbeddingServer } from '../../providers/embedding-server.ts';
import { runtimeOf } from '../../providers/setup.ts';
import { contextOf, wordsOf, writeLog, type LogWriter } from './setup.ts';

function conversation(): LogWriter {
  const log = writeLog();
  log.user('We stay on Python 3.11 with this one.');
  log.model('Understood.');
  for (let index = 0; index < 30; index++) {
    log.user(`Please look at job ${index}.`);
    log.model(`Job ${index} went through.`);
  }
  log.user('Labels move after the printers in Kassel are replaced.');
  log.model('Noted.');
  log.compact(1, log.entries.length);
  log.user('go on');
  return log;
}

const toolOn = (log: LogWriter, server: EmbeddingServer, transport: ReturnType<typeof httpSse>) =>
  contextRecallTool({
    entries: async () => log.entries,
    embed: createEmbedder(runtimeOf('openai-chat', { baseUrl: server.url }), { transport, auth: { headers: async () => ({}) } }),
  });

test('with an embedding model recall finds what shares no word with the question', async () => {
  await using server = await startEmbeddingServer();
  using transport = httpSse();
  const log = conversation();
  const tool = toolOn(log, server, transport);
  const ask = async (query: string) => wordsOf(await tool.run({ query }, contextOf('s1')));
  const bare = contextRecallTool({ entries: async () => log.entries });
  const question = 'What interpreter release are we limited to?';
  assert.ok(!wordsOf(await bare.run({ query: question }, contextOf('s1'))).includes('Python 3.11'));
  assert.match(await ask(question), /Python 3\.11/);
  assert.match(await ask('Which site must be refitted until stickers get migrated?'), /Kassel/);
});

test('a passage is sent once, and only what left the view', async () => {
  await using server = await startEmbeddingServer();
  using transport = httpSse();
  const tool = toolOn(conversation(), server, transport);
  await tool.run({ query: 'interpreter' }, contextOf('s1'));
  const first = server.asked.length;
  await tool.run({ query: 'stickers' }, contextOf('s1'));
  assert.deepEqual(
    server.asked.slice(first).map(({ input }) => input),
    [['stickers']],
  );
  const sent = server.asked.flatMap(({ input }) => input);
  assert.ok(sent.includes('We stay on Python 3.11 with this one.') && !sent.includes('go on'));
});

test('an embedding model that cannot be asked costs nothing but a line', async () => {
  await using server = await startEmbeddingServer();
  using transport = httpSse();
  server.fail(503, '{"error":{"message":"overloaded"}}');
  const words = wordsOf(await toolOn(conversation(), server, transport).run({ query: 'Kassel' }, contextOf('s1')));
  assert.match(words, /Labels move after the printers in Kassel/);
  assert.match(words, /Found only by words; the embedding model could not be asked: the server answered 503 overloaded/);
});
