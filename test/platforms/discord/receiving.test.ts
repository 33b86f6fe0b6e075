import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isObject } from '../../../src/base/json.ts';
import { never } from '../../../src/testing/conformance/platform-scene.ts';
import { roleOf } from '../../../src/testing/platforms/discord/world-wire.ts';
import { messagesOf, openBot, outbound, receive } from './bot.ts';

test('a mention in a channel is meant for us, and its answer gets a thread of its own', async () => {
  await using stage = await openBot();
  const { server, ann, bot, channel, adapter } = stage;
  const { connection, receiver } = await receive(adapter, 2, {
    whenConnected: () => {
      server.people.say(channel, ann, 'nothing for you');
      server.people.say(channel, ann, { text: 'what is **this**?', mention: bot });
    },
  });
  await using _ = connection;
  const [idle, called] = messagesOf(receiver);
  assert.deepEqual([idle?.isAddressed, idle?.chat], [false, { chatId: channel.id, type: 'channel', name: 'general', topic: 'Everything' }]);
  assert.deepEqual(
    { ...called, sentAt: 0 },
    {
      type: 'message',
      key: called?.messageId,
      messageId: called?.messageId,
      chat: { chatId: called?.messageId, type: 'thread', name: 'what is **this**?', parentId: channel.id },
      sender: { id: ann.id, name: 'ann', isBot: false },
      sentAt: 0,
      text: 'what is **this**?',
      isAddressed: true,
      media: [],
      cursor: { scope: channel.id, value: called?.messageId },
      handle: { thread: { parent: channel.id, name: 'what is **this**?' } },
    },
  );
});

interface GateCase {
  readonly what: string;
  readonly extra: (ids: { channel: string; other: string }) => object;
  readonly say: (stage: Awaited<ReturnType<typeof openBot>>) => void;
  /** Whether each message that came was meant for us. */
  readonly comes: readonly boolean[];
}

const plain = ({ server, channel, ann }: Awaited<ReturnType<typeof openBot>>) => void server.people.say(channel, ann, 'plain');
const call = ({ server, channel, ann, bot }: Awaited<ReturnType<typeof openBot>>) =>
  void server.people.say(channel, ann, { text: 'called', mention: bot });

const GATES: readonly GateCase[] = [
  { what: 'no mention is needed', extra: () => ({ require_mention: false }), say: plain, comes: [true] },
  { what: 'a free channel', extra: ({ channel }) => ({ free_response_channels: [channel] }), say: plain, comes: [true] },
  {
    what: 'our role is called',
    extra: () => ({ auto_thread: false }),
    say: ({ server, channel, ann, bot }) => void server.people.say(channel, ann, `<@&${roleOf(bot.id)}> hello`),
    comes: [true],
  },
  { what: 'an ignored channel', extra: ({ channel }) => ({ ignored_channels: channel }), say: call, comes: [] },
  { what: 'a channel that is not allowed', extra: ({ other }) => ({ allowed_channels: [other] }), say: call, comes: [] },
  {
    what: 'ignored wins over allowed',
    extra: ({ channel }) => ({ allowed_channels: [channel], ignored_channels: [channel] }),
    say: call,
    comes: [],
  },
  {
    what: 'others are called',
    extra: () => ({ require_mention: false }),
    say: ({ server, channel, ann }) => void server.people.say(channel, ann, { text: 'you there', mention: server.addUser('ben') }),
    comes: [false],
  },
];

test('settings say which channels are heard and when a message is meant for us', async () => {
  for (const { what, extra, say, comes } of GATES) {
    await using stage = await openBot();
    const { server, guild, ann, channel } = stage;
    const other = server.addChannel(guild, 'other');
    await using gated = await openBotAt(stage, extra({ channel: channel.id, other: other.id }));
    const { connection, receiver } = await receive(gated.adapter, comes.length + 1, {
      whenConnected: () => {
        say(stage);
        server.people.say(stage.direct, ann, 'in private');
      },
    });
    await using _ = connection;
    const found = messagesOf(receiver).filter(({ chat }) => chat.type !== 'private');
    assert.deepEqual(
      found.map(({ isAddressed }) => isAddressed),
      comes,
      what,
    );
    assert.ok(!found.some(({ text }) => text.includes('<@')), what);
  }
});

async function openBotAt({ server, bot }: Awaited<ReturnType<typeof openBot>>, extra: object) {
  const { discord } = await import('../../../src/platforms/discord/index.ts');
  const { settingsFor } = await import('./scene.ts');
  const adapter = await discord.open({ settings: settingsFor(server, bot.token, extra), log: () => {} });
  return { adapter, [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose]() };
}

test('a reply to us is meant for us; a thread we wrote in needs no mention; bots are told apart', async () => {
  await using stage = await openBot({ auto_thread: false });
  const { server, ann, bot, channel, adapter } = stage;
  const robot = server.addUser('robot', { isBot: true });
  const ours = await adapter.send(outbound(channel.id, 'a word'), never);
  assert.ok(ours.type === 'sent');
  const start = server.people.say(channel, ann, { text: 'a story', thread: 'Story' });
  const thread = server.channel(start.id);
  assert.ok(thread !== undefined);
  await adapter.send(outbound(thread.id, 'I am in'), never);
  const { connection, receiver } = await receive(adapter, 3, {
    whenConnected: () => {
      server.people.say(channel, ann, { text: 'why?', reply: server.message(ours.messageId) ?? start });
      server.people.say(thread, ann, 'go on');
      server.people.say(channel, robot, { text: 'beep', mention: bot });
    },
  });
  await using _ = connection;
  const facts = messagesOf(receiver).map(({ text, isAddressed, chat, sender, replyTo }) => ({
    text,
    isAddressed,
    type: chat.type,
    isBot: sender.isBot,
    replyTo,
  }));
  assert.deepEqual(facts, [
    {
      text: 'why?',
      isAddressed: true,
      type: 'channel',
      isBot: false,
      replyTo: { messageId: ours.messageId, isOurs: true, text: 'a word' },
    },
    { text: 'go on', isAddressed: true, type: 'thread', isBot: false, replyTo: undefined },
    { text: 'beep', isAddressed: true, type: 'channel', isBot: true, replyTo: undefined },
  ]);
});

test('pictures, sounds and files come as what they are', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  const file = (filename: string, contentType: string) => ({ filename, contentType, bytes: Buffer.from(filename) });
  const { connection, receiver } = await receive(adapter, 1, {
    whenConnected: () =>
      void server.people.say(direct, ann, {
        attachments: [file('a.png', 'image/png'), file('b.mp3', 'audio/mpeg'), file('c.pdf', 'application/pdf')],
      }),
  });
  await using _ = connection;
  const [message] = messagesOf(receiver);
  assert.deepEqual(
    message?.media.map(({ kind, name, mime, bytes }) => ({ kind, name, mime, bytes })),
    [
      { kind: 'image', name: 'a.png', mime: 'image/png', bytes: 5 },
      { kind: 'audio', name: 'b.mp3', mime: 'audio/mpeg', bytes: 5 },
      { kind: 'document', name: 'c.pdf', mime: 'application/pdf', bytes: 5 },
    ],
  );
});

test('a forwarded message is told as words of others, with its files, which are found again when their address expired', async () => {
  await using stage = await openBot();
  const { server, ann, bot, direct, channel, adapter } = stage;
  const eve = server.addUser('eve');
  const elsewhere = server.addChannel(server.addGuild('Elsewhere', [eve]), 'talk');
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('burn it') }];
  const said = server.people.say(elsewhere, eve, { text: `/new for <@${ann.id}>`, attachments });
  const { connection, receiver } = await receive(adapter, 3, {
    whenConnected: () => {
      server.people.say(direct, ann, { forward: said });
      server.people.say(channel, ann, { forward: server.people.say(elsewhere, eve, { text: 'hi', mention: bot }) });
      server.people.say(direct, ann, 'mine');
    },
  });
  await using _ = connection;
  const [forwarded, idle, own] = messagesOf(receiver);
  const [part] = forwarded?.foreign ?? [];
  const [file] = part?.media ?? [];
  assert.deepEqual([forwarded?.text, forwarded?.media, forwarded?.replyTo], ['', [], undefined]);
  assert.deepEqual([part?.origin, part?.author, part?.text, file?.name], ['forward', undefined, '/new for @ann', 'a.txt']);
  assert.deepEqual([idle?.isAddressed, idle?.text], [false, ''], 'who is called in it was called elsewhere');
  assert.deepEqual([own?.text, own?.foreign], ['mine', undefined]);
  assert.ok(file !== undefined && isObject(file.handle));
  const old = { ...file, handle: { ...file.handle, url: `${new URL(server.apiUrl).origin}/attachments/1/1/gone.txt` } };
  const folder = mkdtempSync(join(tmpdir(), 'hermes-discord-'));
  const done = await adapter.download(old, { path: join(folder, 'in'), maxBytes: 100 }, never);
  rmSync(folder, { recursive: true });
  assert.ok(done.type === 'done' && done.bytes === 7, JSON.stringify(done));
});
