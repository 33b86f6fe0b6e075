import assert from 'node:assert/strict';
import { test } from 'node:test';
import { never } from '../../../src/testing/conformance/platform-scene.ts';
import { textsIn } from '../../testing/platforms/discord/stage.ts';
import { messagesOf, openBot, outbound, receive } from './bot.ts';

type Bot = Awaited<ReturnType<typeof openBot>>;

/** Ann calls the bot in the channel; gives what the adapter made of it. */
async function called({ server, ann, bot, channel, adapter }: Bot, text = 'tell me a story') {
  const { connection, receiver } = await receive(adapter, 1, {
    whenConnected: () => void server.people.say(channel, ann, { text, mention: bot }),
  });
  await connection[Symbol.asyncDispose]();
  const [message] = messagesOf(receiver);
  assert.ok(message?.handle !== undefined);
  return { message, handle: message.handle };
}

const callsTo = ({ server }: Bot, method: string, path: RegExp) =>
  server.log.calls.filter((call) => call.method === method && path.test(call.path)).length;

test('the first word of an answer starts its thread, and the rest goes there too', async () => {
  await using stage = await openBot();
  const { server, channel, adapter } = stage;
  const { message, handle } = await called(stage);
  const { chatId } = message.chat;
  for (const text of ['Once', 'upon a time'])
    assert.equal((await adapter.send(outbound(chatId, text, { handle, replyTo: message.messageId }), never)).type, 'sent');
  assert.deepEqual(textsIn(server, { id: chatId }), ['hermes: Once', 'hermes: upon a time']);
  assert.deepEqual([server.channel(chatId)?.name, server.channel(chatId)?.parentId], ['tell me a story', channel.id]);
  assert.equal(callsTo(stage, 'POST', /threads$/), 1);
});

test('a thread that was started before a restart is found again', async () => {
  await using stage = await openBot();
  const { message, handle } = await called(stage);
  const { chatId } = message.chat;
  await stage.adapter.send(outbound(chatId, 'one', { handle }), never);
  await using other = await stage.openAdapter();
  assert.equal((await other.send(outbound(chatId, 'two', { handle }), never)).type, 'sent');
  assert.equal((await other.send(outbound(chatId, 'three'), never)).type, 'sent');
  assert.deepEqual(textsIn(stage.server, { id: chatId }), ['hermes: one', 'hermes: two', 'hermes: three']);
});

test('where no thread may be started the answer goes to the channel', async () => {
  await using stage = await openBot();
  const { server, channel, adapter } = stage;
  const { message, handle } = await called(stage);
  const body = { message: 'Missing Permissions', code: 50013 };
  server.fault({ at: 'call', path: /threads$/, do: { type: 'status', status: 403, body } });
  const result = await adapter.send(outbound(message.chat.chatId, 'hello', { handle }), never);
  assert.deepEqual(result, { type: 'moved', to: { chatId: channel.id } });
});

test('signs on a message say what became of it, also on one that a thread hangs on', async () => {
  await using stage = await openBot();
  const { server, ann, bot, channel, direct, adapter } = stage;
  const { message, handle } = await called(stage);
  const at = { chatId: message.chat.chatId, messageId: message.messageId };
  await adapter.react?.(at, 'seen', never);
  assert.deepEqual(server.visible(channel)[0]?.reactions, { '👀': [bot.id] });
  await adapter.send(outbound(at.chatId, 'done', { handle }), never);
  // Discord takes signs one by one.
  server.fault({ at: 'call', method: 'DELETE', times: 1, do: { type: 'rate_limit', retryAfter: 0.02 } });
  await adapter.react?.(at, 'done', never);
  assert.deepEqual(server.visible(channel)[0]?.reactions, { '✅': [bot.id] });
  const secret = server.people.say(direct, ann, 'hm');
  for (const [reaction, seen] of [
    ['seen', { '👀': [bot.id] }],
    ['failed', { '❌': [bot.id] }],
  ] as const) {
    await adapter.react?.({ chatId: direct.id, messageId: secret.id }, reaction, never);
    assert.deepEqual(server.visible(direct)[0]?.reactions, seen);
  }
});

test('typing shows where the answer will be', async () => {
  await using stage = await openBot();
  const { message } = await called(stage);
  await stage.adapter.showTyping?.(message.chat, never);
  const typed = stage.server.log.calls.filter(({ path, performed }) => path.endsWith('/typing') && performed).map(({ path }) => path);
  assert.deepEqual(typed, [`/channels/${message.chat.chatId}/typing`]);
});

test('words for the id of a person go to the private chat with them; a closed one is dead', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  assert.deepEqual(await adapter.send(outbound(ann.id, 'hello'), never), { type: 'moved', to: { chatId: direct.id } });
  const eve = server.addUser('eve', { closedDms: true });
  const closed = await adapter.send(outbound(eve.id, 'hello'), never);
  assert.ok(closed.type === 'moved');
  assert.equal((await adapter.send(outbound(closed.to.chatId, 'hello'), never)).type, 'dead');
  assert.equal((await adapter.send(outbound('123', 'hello'), never)).type, 'dead');
});

test('a reply is shown as one, and nobody is rung for who should not be', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  const question = server.people.say(direct, ann, 'who?');
  await adapter.send(outbound(direct.id, '@everyone and you', { replyTo: question.id }), never);
  const [, answer] = server.visible(direct);
  assert.equal(answer?.replyTo, question.id);
  const body = server.log.calls.at(-1)?.body;
  assert.deepEqual(Reflect.get(Object(body), 'allowed_mentions'), { parse: ['users'], replied_user: true });
  server.people.remove(question);
  assert.equal((await adapter.send(outbound(direct.id, 'late', { replyTo: question.id }), never)).type, 'sent');
});

test('a message is taken away, and one that is gone already counts as taken away', async () => {
  await using stage = await openBot();
  const { server, direct, adapter } = stage;
  const sent = await adapter.send(outbound(direct.id, 'oops'), never);
  assert.ok(sent.type === 'sent');
  const at = { chatId: direct.id, messageId: sent.messageId };
  for (const _ of [1, 2]) assert.deepEqual(await adapter.remove?.(at, never), { type: 'sent', messageId: sent.messageId });
  assert.deepEqual(server.visible(direct), []);
});

test('in a forum every message is a post with its first line as the title', async () => {
  await using stage = await openBot();
  const { server, guild, adapter } = stage;
  const forum = server.addChannel(guild, 'ideas', { kind: 'forum' });
  const { connection } = await receive(adapter, 0);
  await using _ = connection;
  await Array.fromAsync(connection.catchUp());
  const sent = await adapter.send(outbound(forum.id, '# A plan\n\nDo it.'), never);
  assert.ok(sent.type === 'sent', JSON.stringify(sent));
  const post = server.message(sent.messageId);
  assert.deepEqual([server.channel(post?.channelId ?? '')?.name, server.visible({ id: post?.channelId ?? '' }).length], ['A plan', 1]);
});

test('a send that was cut off may be repeated where a nonce holds: not as a post in a forum, nor for a command where we may not write', async () => {
  await using stage = await openBot();
  const { server, guild, channel, adapter } = stage;
  const forum = server.addChannel(guild, 'ideas', { kind: 'forum' });
  const handle = { interaction: { id: '1', token: 't', app: '2' } };
  const find = async (chatId: string, rest = {}) => (await adapter.findSent?.(outbound(chatId, 'x', rest), 0, never))?.type;
  assert.deepEqual([await find(channel.id), await find(channel.id, { handle }), await find(forum.id)], ['absent', 'absent', 'untold']);
  const body = { code: 50013, message: 'Missing Permissions' };
  server.fault({ at: 'call', path: /typing$/, times: 1, do: { type: 'status', status: 403, body } });
  assert.equal(await find(channel.id, { handle }), 'untold');
});

test('a file that is gone is refused without a word of where it was', async () => {
  await using stage = await openBot();
  const media = { kind: 'document', path: '/nowhere/blobs/a', name: 'a.txt', mime: 'text/plain', bytes: 5 } as const;
  const message = outbound(stage.channel.id, '', { content: { type: 'media', media } });
  assert.deepEqual(await stage.adapter.send(message, never), { type: 'refused', why: 'the file could not be read' });
});

test('a call that Discord said would be too much is not made', async () => {
  await using stage = await openBot({}, { buckets: { limit: 2, windowMs: 60_000 } });
  const { server, direct, channel, adapter } = stage;
  const results = [];
  for (const text of ['one', 'two', 'three']) results.push((await adapter.send(outbound(direct.id, text), never)).type);
  assert.deepEqual(results, ['sent', 'sent', 'limited']);
  assert.equal(callsTo(stage, 'POST', /messages$/), 2);
  assert.equal((await adapter.send(outbound(channel.id, 'elsewhere'), never)).type, 'sent');
  server.fault({ at: 'call', times: 1, do: { type: 'rate_limit', retryAfter: 30, global: true } });
  const limited = await adapter.send(outbound(channel.id, 'too much'), never);
  assert.deepEqual({ ...limited, retryAfterMs: 0 }, { type: 'limited', retryAfterMs: 0, scope: 'account' });
  const calls = server.log.calls.length;
  assert.equal((await adapter.send(outbound(channel.id, 'again'), never)).type, 'limited');
  assert.equal(server.log.calls.length, calls);
});

test('answers of Discord become results that say what is known', async () => {
  await using stage = await openBot();
  const { server, direct, adapter } = stage;
  const results = [];
  for (const fault of [
    { type: 'cut' },
    { type: 'status', status: 500 },
    { type: 'status', status: 401 },
    { type: 'status', status: 400, body: { code: 50035, message: 'Invalid Form Body' } },
    { type: 'status', status: 404, body: { code: 10003, message: 'Unknown Channel' } },
    { type: 'status', status: 403, body: { code: 50001, message: 'Missing Access' } },
  ] as const) {
    server.fault({ at: 'call', times: 1, do: fault });
    results.push((await adapter.send(outbound(direct.id, 'hello'), never)).type);
  }
  assert.deepEqual(results, ['unknown', 'unknown', 'not_sent', 'refused', 'dead', 'dead']);
});

test('a page of a proxy is not the word of Discord: the message goes out later', async () => {
  await using stage = await openBot();
  const { server, direct, adapter } = stage;
  const results = [];
  for (const status of [401, 403, 404, 407, 413, 429, 200, 502]) {
    server.fault({ at: 'call', times: 1, do: { type: 'page', status } });
    results.push([status, (await adapter.send(outbound(direct.id, 'hello'), never)).type]);
  }
  assert.deepEqual(results, [
    ...[401, 403, 404, 407].map((status) => [status, 'not_sent']),
    [413, 'refused'],
    [429, 'limited'],
    [200, 'unknown'],
    [502, 'unknown'],
  ]);
  assert.deepEqual(server.visible(direct), []);
});

test('chats are listed by name, and an address of a file that expired is asked for anew', async () => {
  await using stage = await openBot();
  const { channel, direct, ann, server, adapter } = stage;
  assert.deepEqual(await adapter.listChats?.(never), [{ chatId: channel.id, type: 'channel', name: 'general', topic: 'Everything' }]);
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('abc') }];
  const said = server.people.say(direct, ann, { attachments });
  const handle = { url: `${new URL(server.apiUrl).origin}/expired`, id: said.attachments[0]?.id, channel: direct.id, message: said.id };
  const media = { kind: 'document', name: 'a.txt', handle } as const;
  assert.deepEqual(await adapter.download(media, { path: '/dev/null', maxBytes: 10 }, never), { type: 'done', bytes: 3 });
});
