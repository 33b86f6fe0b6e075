import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { readStringAt } from '../../../src/base/json.ts';
import type { InboundMessage, PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { readEnvelope, toInbound } from '../../../src/platforms/slack/inbound.ts';
import { slack } from '../../../src/platforms/slack/index.ts';
import { connect, createReceiver, never, read, type Receiver } from '../../../src/testing/conformance/platform-scene.ts';
import { openPlace, until } from '../../testing/slack/place.ts';
import { settingsOf, type Place } from './scene.ts';

const DAY = 86_400_000;
const open = (place: Pick<Place, 'server' | 'bot'>, extra = {}): Promise<PlatformAdapter> =>
  slack.open({ settings: settingsOf(place, extra), log: () => {} });

/** Each once by its key, as a store keeps them, in the order of their time. */
const messagesOf = ({ events }: Receiver): InboundMessage[] => {
  const byKey = new Map<string, InboundMessage>();
  for (const event of events) if (event.type === 'message' && !byKey.has(event.key)) byKey.set(event.key, event);
  return [...byKey.values()].toSorted((one, other) => one.sentAt - other.sentAt || (one.messageId < other.messageId ? -1 : 1));
};
const acked = ({ server }: Pick<Place, 'server'>) => server.log.filter(({ type }) => type === 'acked').length;

describe('what Slack brings', () => {
  it('a mention comes as two events and is one, acknowledged only when it is committed', async () => {
    await using place = await openPlace();
    const { server, bot, ann, general, workspace } = place;
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const { ts } = server.say(general, ann, { text: 'what *time* is it?', mention: bot });
    const reader = read(connection, receiver);
    await reader.until(() => receiver.events.length > 0);
    assert.equal(acked(place), 0);
    await reader.settle();
    await until(() => acked(place) === 2);
    const [event, ...others] = messagesOf(receiver);
    assert.deepEqual([others, connection.account], [[], { id: bot.userId, name: 'hermes' }]);
    assert.deepEqual(event, {
      type: 'message',
      key: `${workspace.id}:${general.id}:${ts}`,
      chat: { chatId: general.id, threadId: ts, type: 'thread', parentId: general.id, name: 'general' },
      sender: { id: ann.id, name: 'ann', isBot: false },
      sentAt: Math.round(Number(ts) * 1000),
      cursor: { scope: general.id, value: ts },
      messageId: ts,
      text: 'what **time** is it?',
      isAddressed: true,
      media: [],
    });
  });

  it('a thread we are in needs no mention, another one does; a restart forgets neither', async () => {
    await using place = await openPlace();
    const { server, bot, ann, ben, general } = place;
    const receiver = createReceiver();
    const asked = server.say(general, ann, { text: 'before we came' });
    const receive = async (texts: number, script: () => void) => {
      await using adapter = await open(place);
      await using connection = await connect(adapter, receiver);
      script();
      const reader = read(connection, receiver);
      await reader.until(() => messagesOf(receiver).length >= texts);
      await reader.settle();
    };
    let called = asked;
    await receive(2, () => {
      server.say(general, ben, { text: 'no one is meant' });
      called = server.say(general, ann, { text: 'you are', mention: bot });
    });
    await receive(5, () => {
      server.say(general, ben, { text: 'me too', thread: called });
      server.say(general, ben, { text: 'not you', thread: asked });
      server.say(general, ben, { text: 'join us', thread: asked, mention: bot });
    });
    await receive(6, () => void server.say(general, ann, { text: 'welcome', thread: asked }));
    assert.deepEqual(
      messagesOf(receiver).map(({ text, isAddressed, chat, replyTo }) => [text, isAddressed, chat.threadId, replyTo?.text]),
      [
        ['no one is meant', false, undefined, undefined],
        ['you are', true, called.ts, undefined],
        ['me too', true, called.ts, undefined],
        ['not you', false, asked.ts, undefined],
        ['join us', true, asked.ts, 'before we came'],
        ['welcome', true, asked.ts, undefined],
      ],
    );
  });

  it('a shared message is told as words of others with its files, and what is written with it as the own words', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, ben, direct, general } = place;
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const elsewhere = server.addChannel(workspace, { name: 'elsewhere', members: [ann, ben] });
    const files = [{ name: 'a.txt', bytes: Buffer.from('burn it') }];
    const message = server.say(elsewhere, ben, { text: '/new *now* <@U1>', files });
    server.say(direct, ann, { share: { message, author: ben } });
    server.say(direct, ann, { text: 'what of this?', share: { message, author: ben } });
    const calling = server.say(elsewhere, ben, { text: `<@${bot.userId}> do it` });
    server.say(general, ann, { share: { message: calling, author: ben } });
    await read(connection, receiver).until(() => messagesOf(receiver).length >= 3);
    const part = { origin: 'forward', author: 'ben', text: '/new **now** <@U1>', media: ['a.txt'] };
    const namesOf = (media: InboundMessage['media']) => media.map(({ name }) => name);
    assert.deepEqual(
      messagesOf(receiver).map(({ text, media, isAddressed, foreign = [] }) => [
        text,
        media,
        isAddressed,
        ...foreign.map((each) => ({ ...each, media: namesOf(each.media) })),
      ]),
      [
        ['', [], true, part],
        ['what of this?', [], true, part],
        ['', [], false, { ...part, text: `<@${bot.userId}> do it`, media: [] }],
      ],
    );
  });

  it('a file that somebody else brought to Slack is passed on by whoever shares it', () => {
    const files = ['U1', 'U2', undefined].map((user, at) => ({
      ...(user !== undefined && { user }),
      name: `${at}.txt`,
      url_private: 'https://x',
    }));
    const event = { type: 'message', channel: 'C1', ts: '1.0', user: 'U1', text: 'see this', files };
    const heard = readEnvelope({ type: 'events_api', payload: { team_id: 'T1', event } });
    assert.ok(heard?.type === 'message');
    const { media, foreign } = toInbound(heard, {
      install: { teamId: 'T1', userId: 'U9', botId: 'B9', token: 'x', name: 'hermes' },
      repliesInThread: true,
      isAddressed: true,
      chat: { type: 'private' },
      sender: { isBot: false },
      commands: new Set(),
    });
    const namesOf = (list: InboundMessage['media'] = []) => list.map(({ name }) => name);
    assert.deepEqual(
      [namesOf(media), foreign?.map((part) => [part.origin, namesOf(part.media)])],
      [['0.txt', '2.txt'], [['forward', ['1.txt']]]],
    );
  });

  it('free channels, strict channels and answers outside of threads are settings', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, general } = place;
    const free = server.addChannel(workspace, { name: 'free', members: [bot, ann] });
    await using adapter = await open(place, { free_response_channels: [free.id], reply_in_thread: false });
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    server.say(free, ann, { text: 'anybody?' });
    server.say(general, ann, { text: 'anybody?' });
    server.say(general, ann, { text: 'you?', mention: bot });
    await read(connection, receiver).until(() => messagesOf(receiver).length >= 3);
    assert.deepEqual(
      messagesOf(receiver).map(({ chat, isAddressed }) => [chat.name, chat.threadId, chat.type, isAddressed]),
      [
        ['free', undefined, 'channel', true],
        ['general', undefined, 'channel', false],
        ['general', undefined, 'channel', true],
      ],
    );
  });

  it('other bots are told as bots; our own words and unfolded links are no events', async () => {
    await using place = await openPlace();
    const { server, workspace, ann, general, bot } = place;
    const other = server.install(workspace);
    general.members.add(other.userId);
    await using adapter = await open(place);
    await using robot = await open({ server, bot: other });
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const send = (from: PlatformAdapter, markdown: string, key: string) =>
      from.send({ chatId: general.id, content: { type: 'text', markdown }, key }, never);
    await send(adapter, 'mine', 'k1');
    await send(robot, `<@${bot.userId}> beep`, 'k2');
    const said = server.say(general, ann, { text: 'https://example.com' });
    server.edit(general, said, 'https://example.com');
    const reader = read(connection, receiver);
    await reader.until(() => messagesOf(receiver).length >= 2);
    await reader.settle();
    assert.deepEqual(
      messagesOf(receiver).map(({ sender, text, isAddressed }) => [sender.id, sender.isBot, text, isAddressed]),
      [
        [other.userId, true, 'beep', true],
        [ann.id, false, 'https://example.com', false],
      ],
    );
    await until(() => acked(place) >= 2);
  });

  it('a slash command is a line, and its giver is answered also where the bot is no member', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, direct } = place;
    const closed = server.addChannel(workspace, { name: 'closed', kind: 'private', members: [ann] });
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    const typed = [
      server.slash(direct, ann, { bot, command: '/hermes', text: 'status all' }),
      server.slash(closed, ann, { bot, command: '/stop' }),
    ];
    await reader.until(() => messagesOf(receiver).length >= 2);
    await reader.settle();
    assert.deepEqual(await Promise.all(typed), [true, true]);
    // Of two chats, either may be first.
    const [stop, status] = messagesOf(receiver).toSorted((one, other) => other.text.localeCompare(one.text));
    assert.deepEqual([status?.text, status?.isCommand, stop?.text, stop?.chat.chatId], ['/status all', true, '/stop', closed.id]);
    const handle = stop?.handle ?? null;
    const content = { type: 'text', markdown: 'Stopped.' } as const;
    assert.deepEqual(await adapter.send({ chatId: closed.id, content, key: 'k1', handle }, never), {
      type: 'sent',
      messageId: 'ephemeral',
    });
    assert.equal((await adapter.send({ chatId: closed.id, content, key: 'k2' }, never)).type, 'dead');
    assert.deepEqual(
      server.visible(closed).map(({ text, onlyFor }) => [text, onlyFor]),
      [['Stopped.', ann.id]],
    );
  });

  it('a card that somebody replied to is pressed where it was asked, and not in the thread it begins', async () => {
    await using place = await openPlace();
    const { server, ann, direct } = place;
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const content = { type: 'card', markdown: 'Sure?', buttons: [{ label: 'Yes', value: 'yes' }] } as const;
    const sent = await adapter.send({ chatId: direct.id, key: 'k1', content }, never);
    const [card] = server.visible(direct);
    assert.ok(sent.type === 'sent' && card !== undefined);
    server.say(direct, ann, { text: 'hm', thread: card });
    void server.press(direct, ann, { ts: sent.messageId, actionId: 'hermes_0' });
    await read(connection, receiver).until(() => receiver.events.some(({ type }) => type === 'press'));
    const press = receiver.events.find(({ type }) => type === 'press');
    assert.deepEqual(press?.type === 'press' && [press.chat, press.messageId], [{ chatId: direct.id, type: 'private' }, sent.messageId]);
  });

  it('a command is written with an exclamation mark where Slack takes no slash', async () => {
    await using place = await openPlace();
    const { server, ann, direct } = place;
    await using adapter = await open(place);
    await adapter.publishCommands?.([{ name: 'stop', summary: '' }], never);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const root = server.say(direct, ann, { text: '!important' });
    server.say(direct, ann, { text: '!stop now', thread: root });
    await read(connection, receiver).until(() => messagesOf(receiver).length >= 2);
    assert.deepEqual(
      messagesOf(receiver).map(({ text, chat }) => [text, chat.type, chat.threadId]),
      [
        ['!important', 'private', undefined],
        ['/stop now', 'private', root.ts],
      ],
    );
  });
});

describe('what Slack brings again', () => {
  it('an event that was not acknowledged comes again under its key; one that was committed is only acknowledged', async () => {
    await using place = await openPlace({ ackWithinMs: 60, retryAfterMs: [0, 0, 0] });
    const { server, ann, direct } = place;
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    server.say(direct, ann, { text: 'one' });
    const reader = read(connection, receiver);
    await reader.until(() => receiver.events.length >= 1);
    const attempts = () => server.log.filter(({ type }) => type === 'handed_out').length;
    await until(() => attempts() >= 3);
    await reader.settle();
    server.say(direct, ann, { text: 'two' });
    await reader.until(() => receiver.events.length >= 2);
    assert.deepEqual(
      messagesOf(receiver).map(({ text }) => text),
      ['one', 'two'],
    );
    await until(() => acked(place) >= 1);
  });

  it('what was missed in threads, in a new chat and in a new channel is caught up with; what was there before us is not', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, ben, general } = place;
    const old = server.say(general, ann, { text: 'long before' });
    const receiver = createReceiver();
    const receive = async (texts: number, script: () => void) => {
      await using adapter = await open(place);
      await using connection = await connect(adapter, receiver);
      script();
      const reader = read(connection, receiver);
      await reader.until(() => messagesOf(receiver).length >= texts);
      await reader.settle();
    };
    await receive(1, () => void server.say(general, ann, { text: 'first', mention: bot }));
    const first = general.messages.at(-1);
    assert.ok(first);
    server.say(general, ben, { text: 'reply to the first', thread: first });
    server.say(general, ben, { text: 'reply to the old', thread: old });
    server.say(general, ben, { text: 'second' });
    server.say(general, ben, { text: 'another reply to the first', thread: first });
    const fresh = server.openDirect(bot, ben);
    server.say(fresh, ben, { text: 'hello' });
    server.say(server.addChannel(workspace, { name: 'new', members: [bot, ben] }), ben, { text: 'come here', mention: bot });
    await receive(7, () => {});
    const textsIn = (id: string) => messagesOf(receiver).flatMap(({ chat, text }) => (chat.chatId === id ? [text] : []));
    assert.deepEqual(textsIn(general.id), ['first', 'reply to the first', 'reply to the old', 'second', 'another reply to the first']);
    assert.deepEqual(textsIn(fresh.id), ['hello']);
    assert.equal(messagesOf(receiver).length, 7);
  });

  it('a thread whose cursor was forgotten long after its last message is not read anew, and what is new there comes', async () => {
    const clock = { now: Date.now() - 121 * DAY };
    await using place = await openPlace({ now: () => clock.now });
    const { server, bot, ann, general } = place;
    const root = server.say(general, ann, { text: 'root', mention: bot });
    clock.now += DAY;
    server.say(general, ann, { text: 'answered long ago', thread: root });
    clock.now += 120 * DAY;
    server.say(general, ann, { text: 'new', thread: root });
    const receiver = createReceiver();
    receiver.cursors.set('start', '1.000000');
    // Later than the overlap with which it is read.
    receiver.cursors.set(general.id, (Number(root.ts) + 3_600).toFixed(6));
    await using adapter = await open(place);
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => receiver.cursors.has('since'));
    const [only, ...others] = messagesOf(receiver);
    assert.deepEqual([only?.text, others.length], ['new', 0]);
    assert.deepEqual(only?.cursor, { scope: `${general.id}/${root.ts}`, value: only?.messageId, keepMs: 100 * DAY });
  });

  it('an app that may not see group chats still catches up with the others', async () => {
    await using place = await openPlace();
    const { server, ann, general, direct } = place;
    const lines: string[] = [];
    await using adapter = await slack.open({ settings: settingsOf(place), log: (words) => lines.push(words) });
    const receiver = createReceiver();
    receiver.cursors.set('start', '1.000000');
    server.say(direct, ann, { text: 'lost to us' });
    server.say(general, ann, { text: 'found' });
    server.addFault({ method: 'users.conversations', times: 1, fault: { type: 'error', error: 'missing_scope' } });
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => receiver.cursors.has('since'));
    assert.deepEqual(
      [messagesOf(receiver).map(({ text }) => text), lines],
      [
        ['found'],
        [
          'Slack refuses users.conversations for im (missing_scope): messages sent there while disconnected are not caught up. Check the scopes of the app.',
        ],
      ],
    );
  });

  it('a limit during the catch-up is waited for, an outage ends the connection and the next one goes on', async () => {
    await using place = await openPlace();
    const { server, ann, direct } = place;
    await using adapter = await open(place);
    const receiver = createReceiver();
    receiver.cursors.set('start', '1.000000');
    const said = server.say(direct, ann, { text: 'missed' });
    server.addFault({ method: 'conversations.history', times: 1, fault: { type: 'status', status: 429, retryAfter: 0 } });
    const outages = [
      [500, 'Slack failed (500)'],
      // Answered by something on the way to Slack.
      [403, 'a server on the way to Slack answered 403'],
      [200, 'a server on the way to Slack answered 200'],
    ] as const;
    for (const [status, words] of outages) {
      using _down = server.addFault({ method: 'conversations.history', channel: direct.id, fault: { type: 'status', status } });
      const broken = await connect(adapter, receiver);
      for await (const _ of broken.catchUp());
      assert.deepEqual(await broken.ended, { kind: 'broken', why: `Slack could not be asked for what was missed: ${words}` });
    }
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => receiver.events.length >= 1);
    assert.deepEqual(
      messagesOf(receiver).map(({ messageId }) => messageId),
      [said.ts],
    );
  });
});

describe('the one socket', () => {
  const openOther = async ({ server, bot }: Place) => {
    const authorization = `Bearer ${bot.app.appToken}`;
    const answer: unknown = await (
      await fetch(`${server.apiUrl}apps.connections.open`, { method: 'POST', headers: { authorization } })
    ).json();
    const socket = new WebSocket(readStringAt(answer, 'url') ?? '');
    await once(socket, 'open');
    return { [Symbol.dispose]: () => socket.terminate() };
  };

  it('is not opened beside that of another program, but beside a dead one of our own', async () => {
    await using place = await openPlace();
    const { server, bot } = place;
    await using adapter = await open(place);
    {
      using _other = await openOther(place);
      const failed = await adapter.connect({ cursors: [], signal: never });
      assert.deepEqual([failed.type, failed.type === 'failed' && failed.kind], ['failed', 'busy']);
      await until(() => server.sockets.count(bot.app) === 1);
    }
    await until(() => server.sockets.count(bot.app) === 0);
    const first = await connect(adapter, createReceiver());
    server.sockets.drop(bot.app);
    assert.equal((await first.ended).kind, 'broken');
    using _ghost = await openOther(place);
    await using _connection = await connect(adapter, createReceiver());
  });

  it('ends when Slack renews it, and the next one takes its place', async () => {
    await using place = await openPlace();
    const { server, bot } = place;
    await using adapter = await open(place);
    const first = await connect(adapter, createReceiver());
    server.sockets.disconnect(bot.app, 'warning');
    server.sockets.disconnect(bot.app, 'refresh_requested');
    assert.deepEqual(await first.ended, { kind: 'broken', why: 'Slack renews the connection (refresh_requested).' });
    await using _second = await connect(adapter, createReceiver());
    await until(() => server.sockets.count(bot.app) === 1);
  });

  it('answers pings as long as it hears, and only then shows progress', async () => {
    await using place = await openPlace({ pingEveryMs: 60_000 });
    const { server, bot } = place;
    await using adapter = await open(place);
    await using connection = await connect(adapter, createReceiver());
    const begin = connection.progress();
    await until(() => connection.progress() > begin);
    using _deaf = server.sockets.deafen(bot.app);
    const stop = AbortSignal.timeout(150);
    await once(stop, 'abort');
    const last = connection.progress();
    await once(AbortSignal.timeout(150), 'abort');
    assert.equal(connection.progress(), last);
  });

  it('says which token is refused', async () => {
    await using place = await openPlace();
    const settings = settingsOf(place);
    const refusals = [
      { ...settings, secrets: { ...settings.secrets, token: 'xoxb-none' } },
      { ...settings, secrets: { ...settings.secrets, app_token: 'xapp-none' } },
    ].map(async (wrong) => {
      await using adapter = await slack.open({ settings: wrong, log: () => {} });
      return await adapter.connect({ cursors: [], signal: never });
    });
    assert.deepEqual(await Promise.all(refusals), [
      { type: 'failed', kind: 'refused', why: 'Slack refuses the login (invalid_auth). Check SLACK_BOT_TOKEN and the scopes of the app.' },
      { type: 'failed', kind: 'refused', why: 'Slack refuses the login (invalid_auth). Check SLACK_APP_TOKEN and the scopes of the app.' },
    ]);
  });
});
