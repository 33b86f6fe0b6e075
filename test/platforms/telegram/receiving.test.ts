import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import type { InboundMessage, PlatformEvent } from '../../../src/contracts/platform-adapter.ts';
import { connect, createReceiver, read } from '../../../src/testing/conformance/platform-scene.ts';
import type { TelegramChat, Utterance } from '../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, type TelegramStage } from '../../testing/platforms/telegram/stage.ts';
import { openFor } from './scene.ts';

/** Everything that arrives of a story. The last words of the story are "over". */
async function hear(stage: TelegramStage, extra: JsonObject, story: () => void): Promise<readonly PlatformEvent[]> {
  await using adapter = await openFor(stage, extra);
  const receiver = createReceiver();
  await using connection = await connect(adapter, receiver);
  story();
  stage.server.people.say(stage.dm, stage.ann, 'over');
  await read(connection, receiver).until(() => receiver.events.some((event) => event.type === 'message' && event.text === 'over'));
  return receiver.events.slice(0, -1);
}
const messages = (events: readonly PlatformEvent[]): InboundMessage[] => events.filter((event) => event.type === 'message');

const AT = 1_700_000_000_000;

test('a topic of a forum: who, where, what was answered, with what look and which file', async () => {
  await using stage = await telegramStage({ now: () => AT });
  const { people } = stage.server;
  const { bot, ann } = stage;
  const forum = people.openGroup('supergroup', 'Work', [bot, ann], { isForum: true });
  const topic = people.addTopic(forum, ann, 'Plans');
  const events = await hear(stage, {}, () => {
    const first = people.say(forum, ann, { text: 'a plan', topic });
    const file = { bytes: Buffer.from('x'), name: 'p.pdf', mime: 'application/pdf' };
    people.say(forum, ann, { text: '/sum@Hermes_Test_Bot it up', document: file, topic, replyTo: first, album: 'a1' });
  });
  const chat = { chatId: String(forum.id), type: 'group', threadId: String(topic), name: 'Work' };
  const sender = { id: String(ann.id), name: 'Ann', isBot: false };
  assert.deepEqual(events, [
    {
      type: 'message',
      key: `${forum.id}:3`,
      messageId: '3',
      sentAt: AT,
      chat: { ...chat, topic: 'Plans' },
      sender,
      text: 'a plan',
      isAddressed: true,
      media: [],
    },
    {
      type: 'message',
      key: `${forum.id}:4`,
      messageId: '4',
      sentAt: AT,
      chat,
      sender,
      text: '/sum it up',
      isAddressed: true,
      replyTo: { messageId: '3', text: 'a plan', isOurs: false },
      media: [{ kind: 'document', handle: 'document-file-1', name: 'p.pdf', mime: 'application/pdf', bytes: 1 }],
      group: 'a1',
    },
  ]);
});

test('two edits within one second are two events; an edit that came twice is one', async () => {
  await using stage = await telegramStage({ now: () => AT });
  const { people } = stage.server;
  const { ann, dm } = stage;
  const events = await hear(stage, {}, () => {
    const edit = people.say(dm, ann, 'one');
    for (const text of ['two', 'three', 'three']) people.say(dm, ann, { text, edit });
  });
  const keys = messages(events).map(({ key }) => key);
  assert.deepEqual([keys.length, new Set(keys).size, keys[2] === keys[3]], [4, 3, true]);
  assert.deepEqual(
    messages(events).map(({ text, isEdit = false }) => [text, isEdit]),
    [
      ['one', false],
      ['two', true],
      ['three', true],
      ['three', true],
    ],
  );
});

test('pictures, voice, stickers, places and channels have their kinds', async () => {
  await using stage = await telegramStage();
  const { people } = stage.server;
  const { bot, ann, dm } = stage;
  const channel = people.openGroup('channel', 'News', [bot, ann]);
  const bytes = Buffer.from('abc');
  const said: readonly Utterance[] = [
    { photo: { bytes }, text: 'look' },
    { voice: { bytes } },
    { audio: { bytes, name: 's.mp3' } },
    { video: { bytes } },
    { more: { sticker: { file_id: 's', is_video: true, emoji: '😀' } } },
    { more: { animation: { file_id: 'a', mime_type: 'video/mp4' }, document: { file_id: 'a' } } },
    { more: { location: { latitude: 52.5, longitude: 13.4 } } },
    { more: { new_chat_title: 'nothing to answer' } },
  ];
  const events = await hear(stage, {}, () => {
    for (const each of said) people.say(dm, ann, each);
    people.say(channel, ann, 'an announcement');
  });
  assert.deepEqual(
    messages(events).map(({ text, media, sender, chat }) => [
      text,
      media[0]?.kind,
      media[0]?.mime,
      chat.type,
      sender.id === String(ann.id),
    ]),
    [
      ['look', 'image', 'image/jpeg', 'private', true],
      ['', 'voice', 'audio/ogg', 'private', true],
      ['', 'audio', 'audio/mpeg', 'private', true],
      ['', 'video', 'video/mp4', 'private', true],
      ['[Sticker: 😀]', 'sticker', 'video/webm', 'private', true],
      ['', 'video', 'video/mp4', 'private', true],
      ['[Location: 52.5, 13.4]', undefined, undefined, 'private', true],
      ['an announcement', undefined, undefined, 'channel', false],
    ],
  );
});

test('a group that becomes a supergroup moves once, told in both chats', async () => {
  await using stage = await telegramStage({ now: () => AT });
  const { people } = stage.server;
  const group = people.openGroup('group', 'Home', [stage.bot, stage.ann]);
  let next: TelegramChat | undefined;
  const events = await hear(stage, {}, () => (next = people.upgrade(group, stage.ann)));
  const sender = { id: String(stage.ann.id), name: 'Ann', isBot: false };
  const moved = {
    type: 'moved',
    key: `moved:${group.id}:${next?.id}`,
    chat: { chatId: String(group.id), type: 'group', name: 'Home' },
    sender,
    sentAt: AT,
    to: { chatId: String(next?.id) },
  };
  assert.deepEqual(events, [moved, moved]);
});

test('in groups the gate says what is meant for us', async () => {
  const heard = async (extra: JsonObject): Promise<(readonly [string, boolean])[]> => {
    await using stage = await telegramStage();
    const { people } = stage.server;
    const { bot, ann } = stage;
    const robot = people.addUser('Robot', { isBot: true });
    const group = people.openGroup('supergroup', 'Kitchen', [bot, ann, robot]);
    await using adapter = await openFor(stage);
    const never = new AbortController().signal;
    const ours = await adapter.send({ chatId: String(group.id), content: { type: 'text', markdown: 'hi' }, key: 'k' }, never);
    assert.ok(ours.type === 'sent');
    const chats = extra['free_response_chats'] === 'this' ? { free_response_chats: [String(group.id)] } : {};
    const events = await hear(stage, { ...extra, ...chats }, () => {
      people.say(group, ann, 'aside');
      people.say(group, ann, 'hey @hermes_TEST_bot, what now?');
      people.say(group, ann, { text: 'as I said', replyTo: Number(ours.messageId) });
      people.say(group, ann, '/status@other_bot');
      people.say(group, ann, 'jarvis, please');
      people.say(group, robot, 'beep');
    });
    return messages(events).map(({ text, isAddressed }) => [text, isAddressed]);
  };
  const row = (aside: boolean, other: boolean, pattern: boolean, robot: boolean) => [
    ['aside', aside],
    ['hey, what now?', true],
    ['as I said', true],
    ['/status@other_bot', other],
    ['jarvis, please', pattern],
    ['beep', robot],
  ];
  assert.deepEqual(await heard({}), row(true, false, true, true));
  assert.deepEqual(await heard({ require_mention: true }), row(false, false, false, false));
  assert.deepEqual(await heard({ require_mention: 'yes', mention_patterns: ['^jarvis', '('] }), row(false, false, true, false));
  assert.deepEqual(await heard({ require_mention: true, free_response_chats: 'this' }), row(true, false, true, true));
  assert.deepEqual(await heard({ bots_require_mention: true, exclusive_bot_mentions: false }), row(true, true, true, false));
});

test('groups that are not listed and topics that are to be ignored are not heard; private chats always are', async () => {
  await using stage = await telegramStage();
  const { people } = stage.server;
  const forum = people.openGroup('supergroup', 'Work', [stage.bot, stage.ann], { isForum: true });
  const [one, two] = [people.addTopic(forum, stage.ann, 'One'), people.addTopic(forum, stage.ann, 'Two')];
  const other = people.openGroup('group', 'Other', [stage.bot, stage.ann]);
  const events = await hear(stage, { ignored_threads: [String(one)], allowed_chats: `${forum.id}, 5` }, () => {
    people.say(other, stage.ann, 'elsewhere');
    people.say(forum, stage.ann, { text: 'in one', topic: one });
    people.say(forum, stage.ann, { text: 'in two', topic: two });
  });
  assert.deepEqual(
    messages(events).map(({ text }) => text),
    ['in two'],
  );
});

test('what is forwarded, made by an inline bot or quoted from another chat is told apart, with who is said to have written it', async () => {
  await using stage = await telegramStage();
  const { people } = stage.server;
  const { bot, ann, dm } = stage;
  const eve = people.addUser('Eve', { username: 'eve' });
  const news = people.openGroup('channel', 'News', [eve]);
  const photo = { bytes: Buffer.from('x') };
  const elsewhere = { origin: { type: 'user', sender_user: { id: 5, is_bot: false, first_name: 'Eve', last_name: 'Black' }, date: 1 } };
  const events = await hear(stage, {}, () => {
    people.say(dm, ann, { text: '/pair', forwarded: eve });
    people.say(dm, ann, { text: 'yes', forwarded: 'Hidden Eve' });
    people.say(dm, ann, { text: '*bold*', photo, forwarded: news, album: 'a1' });
    people.say(dm, ann, { text: '/new', more: { forward_date: 1, forward_sender_name: 'Old Eve' } });
    people.say(dm, ann, { text: '/new', via: bot });
    people.say(dm, ann, { text: 'look', more: { external_reply: elsewhere, quote: { text: '/stop', position: 0 } } });
    people.say(dm, ann, { forwarded: eve, more: { location: { latitude: 1, longitude: 2 } } });
    // What Telegram has no words for is still a forwarded message.
    people.say(dm, ann, { forwarded: eve, more: { giveaway: {} } });
  });
  const forward = (author: string, text: string) => ['', [{ origin: 'forward', author, text, media: [] }]];
  const [, , picture] = messages(events);
  assert.deepEqual([picture?.text, picture?.media, picture?.group], ['', [], 'a1']);
  assert.deepEqual(
    picture?.foreign?.map(({ origin, author, text, media }) => [origin, author, text, media.map(({ kind }) => kind)]),
    [['forward', 'News', '*bold*', ['image']]],
  );
  assert.deepEqual(
    messages(events)
      .filter((event) => event !== picture)
      .map(({ text, foreign }) => [text, foreign]),
    [
      forward('Eve', '/pair'),
      forward('Hidden Eve', 'yes'),
      forward('Old Eve', '/new'),
      ['', [{ origin: 'bot', author: 'Hermes', text: '/new', media: [] }]],
      ['look', [{ origin: 'quote', author: 'Eve Black', text: '/stop', media: [] }]],
      forward('Eve', '[Location: 1, 2]'),
      forward('Eve', ''),
    ],
  );
});

test('a mention in a forwarded message calls nobody, and an edit stays what the message was', async () => {
  await using stage = await telegramStage();
  const { people } = stage.server;
  const { bot, ann } = stage;
  const group = people.openGroup('supergroup', 'Team', [bot, ann]);
  const events = await hear(stage, { require_mention: true }, () => {
    const id = people.say(group, ann, { text: `@${bot.username} /new`, forwarded: 'Eve' });
    people.say(group, ann, { text: `@${bot.username} /stop`, via: bot, edit: id });
    people.say(group, ann, `@${bot.username} hello`);
  });
  assert.deepEqual(
    messages(events).map(({ text, isAddressed, isEdit, foreign = [] }) => [text, isAddressed, isEdit, foreign.map((part) => part.text)]),
    [
      ['', false, undefined, [`@${bot.username} /new`]],
      ['', false, true, [`@${bot.username} /stop`]],
      ['hello', true, undefined, []],
    ],
  );
});
