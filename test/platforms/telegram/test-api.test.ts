import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import testApi from 'telegram-test-api';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import { connect, createReceiver, never, read } from '../../../src/testing/conformance/platform-scene.ts';

/** The package is not the kind of module its types say it is. */
const TelegramServer = testApi as unknown as typeof testApi.default;

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A Telegram server that others wrote. It hands an update out once, whatever the offset, and holds no poll. */
test('text, edits and buttons work with telegram-test-api', async () => {
  const token = 'sampleToken';
  const server = new TelegramServer({ port: await freePort(), host: '127.0.0.1' });
  await server.start();
  const client = server.getClient(token, { userId: 7, chatId: 7, firstName: 'Ann' });
  const settings = { secrets: { token }, extra: { base_url: `${server.config.apiURL}/bot` } };
  const adapter = await telegram.open({ settings, log: () => {} });
  const receiver = createReceiver();
  const connection = await connect(adapter, receiver);
  const reader = read(connection, receiver);

  await client.sendMessage(client.makeMessage('hello'));
  await reader.until(() => receiver.events.length === 1);
  const buttons = [{ label: 'Yes', value: 'q:yes' }];
  const sent = await adapter.send({ chatId: '7', content: { type: 'card', markdown: 'Run **it**?', buttons }, key: 'k1' }, never);
  assert.ok(sent.type === 'sent', JSON.stringify(sent));
  await client.sendCallback(client.makeCallbackQuery('q:yes', { message: { message_id: Number(sent.messageId) } }));
  await reader.until(() => receiver.events.length === 2);
  const content = { type: 'text', markdown: 'Done.' } as const;
  assert.deepEqual(await adapter.edit?.({ chatId: '7', messageId: sent.messageId, content }, never), sent);

  assert.deepEqual(connection.account, { id: '666', name: 'TestNameBot' });
  assert.deepEqual(
    receiver.events.map((event) => [
      event.type,
      'text' in event ? event.text : 'value' in event && event.value,
      'chat' in event && event.chat.chatId,
    ]),
    [
      ['message', 'hello', '7'],
      ['press', 'q:yes', '7'],
    ],
  );
  assert.deepEqual(
    server.storage.botMessages.map(({ message }) => [message.chat_id, message.text, message.parse_mode]),
    [['7', 'Done\\.', 'MarkdownV2']],
  );
  await connection[Symbol.asyncDispose]();
  await adapter[Symbol.asyncDispose]();
  await server.stop();
});
