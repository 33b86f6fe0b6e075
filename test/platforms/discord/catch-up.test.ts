import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { connect, createReceiver, listTexts, read } from '../../../src/testing/conformance/platform-scene.ts';
import { planCatchUp } from '../../../src/platforms/discord/catch-up.ts';
import { ChannelBook } from '../../../src/platforms/discord/channels.ts';
import { idAtTime, isNewer } from '../../../src/platforms/discord/codec.ts';
import { DiscordRest } from '../../../src/platforms/discord/rest.ts';
import { readSettings } from '../../../src/platforms/discord/settings.ts';
import { openBot, receive } from './bot.ts';

test('what was said while we were away comes from channels, threads and private chats, silent ones too, once each', async () => {
  await using stage = await openBot();
  const { server, guild, ann, bot, channel, direct, adapter } = stage;
  const silent = server.addChannel(guild, 'silent');
  const first = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
  await first.connection[Symbol.asyncDispose]();
  const { receiver } = first;
  const start = server.people.say(channel, ann, { text: 'a story', thread: 'Story', mention: bot });
  const thread = server.channel(start.id);
  assert.ok(thread !== undefined);
  for (let index = 0; index < 50; index++)
    for (const place of [direct, silent, channel, thread]) server.people.say(place, ann, `${place.name}${index}`);
  const again = await receive(adapter, 1 + 1 + 200, { receiver });
  await using _ = again.connection;
  const texts = listTexts(receiver);
  assert.equal(receiver.events.length, 202);
  for (const place of [direct, silent, channel, thread]) {
    const own = texts.filter((text) => text.replace(/\d+$/, '') === place.name);
    assert.deepEqual(
      own,
      Array.from({ length: 50 }, (_each, index) => `${place.name}${index}`),
    );
  }
});

test('a long absence is read page by page, and what comes meanwhile follows it', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  const { connection, receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'line 0') });
  await connection[Symbol.asyncDispose]();
  for (let index = 1; index <= 250; index++) server.people.say(direct, ann, `line ${index}`);
  await using next = await connect(adapter, receiver);
  server.people.say(direct, ann, 'line 251');
  await read(next, receiver).until(() => receiver.events.length >= 252);
  assert.deepEqual(
    receiver.events.map((event) => event.type === 'message' && event.text),
    Array.from({ length: 252 }, (_, index) => `line ${index}`),
  );
  const pages = server.log.calls.filter(({ path, query }) => path.endsWith('/messages') && query['after'] !== undefined);
  assert.equal(pages.length, 3);
});

test('only channels that hold something new are asked for', async () => {
  await using stage = await openBot({ ignored_channels: ['1'] });
  const { server, guild, ann, adapter } = stage;
  const rooms = Array.from({ length: 20 }, (_, index) => server.addChannel(guild, `room ${index}`));
  const first = await receive(adapter, 20, {
    whenConnected: () => {
      for (const room of rooms) server.people.say(room, ann, 'hello');
    },
  });
  await first.connection[Symbol.asyncDispose]();
  const [room] = rooms;
  assert.ok(room !== undefined);
  server.people.say(room, ann, 'something new');
  const calls = server.log.calls.length;
  const again = await receive(adapter, 21, { receiver: first.receiver });
  await using _ = again.connection;
  assert.deepEqual(
    server.log.calls.slice(calls).map(({ path }) => path),
    ['/gateway/bot', `/channels/${room.id}/messages`],
  );
});

for (const outage of [
  { type: 'status', status: 503 },
  { type: 'page', status: 403 },
  { type: 'page', status: 404 },
  { type: 'page', status: 200 },
] as const)
  test(`missed messages that cannot be asked for now (${outage.type} ${outage.status}) end the connection, and the next one brings them in order`, async () => {
    await using stage = await openBot();
    const { server, ann, direct, adapter } = stage;
    const { connection, receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
    await connection[Symbol.asyncDispose]();
    server.people.say(direct, ann, 'missed');
    server.fault({ at: 'call', method: 'GET', path: /messages$/, times: 1, do: outage });
    const broken = await connect(adapter, receiver);
    server.people.say(direct, ann, 'live');
    const given = [...(await Array.fromAsync(broken.catchUp())), ...(await Array.fromAsync(broken.events()))];
    assert.deepEqual(
      given.flat().map(({ type }) => type),
      [],
    );
    const { kind, resume } = await broken.ended;
    assert.equal(kind, 'broken');
    assert.ok(resume !== undefined);
    server.fault({ at: 'call', method: 'GET', path: /messages$/, times: 1, do: { type: 'rate_limit', retryAfter: 0.05 } });
    await using next = await connect(adapter, receiver, { resume });
    await read(next, receiver).until(() => listTexts(receiver).length >= 3);
    assert.deepEqual(listTexts(receiver), ['before', 'missed', 'live']);
  });

test('the very first start begins with now and says so', async () => {
  await using stage = await openBot();
  const { server, ann, channel, adapter } = stage;
  server.people.say(channel, ann, 'long ago');
  const receiver = createReceiver();
  await using connection = await connect(adapter, receiver);
  const batches = await Array.fromAsync(connection.catchUp());
  assert.deepEqual(
    batches.flat().map((event) => event.type === 'cursor' && event.cursor.scope),
    ['start', 'session'],
  );
});

test('a new process goes on with the session of the one before: a first word in private is not lost', async () => {
  await using stage = await openBot();
  const { server, ann, bot, direct, adapter, openAdapter } = stage;
  const { receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
  await adapter[Symbol.asyncDispose]();
  const ben = server.addUser('ben');
  server.people.say(server.direct(bot, ben), ben, 'I am new here');
  server.people.say(direct, ann, 'meanwhile');
  await using other = await openAdapter();
  await using connection = await connect(other, receiver);
  await read(connection, receiver).until(() => listTexts(receiver).length >= 3);
  assert.deepEqual(listTexts(receiver), ['before', 'meanwhile', 'I am new here']);
});

test('a session of another process that is over leads to a fresh login at once', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter, openAdapter } = stage;
  const { receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
  await adapter[Symbol.asyncDispose]();
  server.people.say(direct, ann, 'meanwhile');
  server.gateway.forget();
  await using other = await openAdapter();
  await using connection = await connect(other, receiver);
  await read(connection, receiver).until(() => listTexts(receiver).length >= 2);
  assert.deepEqual(listTexts(receiver), ['before', 'meanwhile']);
  assert.equal(server.gateway.openSockets(), 1);
});

test('the first word in private of somebody who is named is found after an absence, and their chat is opened once', async () => {
  await using stage = await openBot();
  const { server, bot, ann, direct, adapter, openAdapter } = stage;
  const [ben, cat] = [server.addUser('ben'), server.addUser('cat')];
  const people = [ann.id, ben.id, ben.id, cat.id, '111111111111111111', '42', 'U0SLACK'];
  const opens = () => server.log.calls.filter(({ path }) => path === '/users/@me/channels').length;
  const { receiver } = await receive(adapter, 1, { people, whenConnected: () => void server.people.say(direct, ann, 'before') });
  // Those three, and the one that Discord does not know.
  assert.equal(opens(), 4);
  await adapter[Symbol.asyncDispose]();
  server.gateway.forget();
  server.people.say(server.direct(bot, ben), ben, 'I am new here');
  server.people.say(direct, ann, 'meanwhile');
  const dora = server.addUser('dora');
  server.people.say(server.direct(bot, dora), dora, 'nobody knows me');
  await using other = await openAdapter();
  await using connection = await connect(other, receiver, { people: [...people, dora.id] });
  await read(connection, receiver).until(() => listTexts(receiver).length >= 4);
  assert.deepEqual(listTexts(receiver).toSorted(), ['I am new here', 'before', 'meanwhile', 'nobody knows me']);
  // Dora, and once more the unknown one.
  assert.equal(opens(), 6);
});

test('a chat that was opened is read although the process died before it was', async () => {
  await using stage = await openBot();
  const { server, bot, ann, direct, adapter, openAdapter } = stage;
  const { receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
  await adapter[Symbol.asyncDispose]();
  server.gateway.forget();
  const ben = server.addUser('ben');
  server.people.say(server.direct(bot, ben), ben, 'I am new here');
  {
    await using dying = await openAdapter();
    await using connection = await connect(dying, receiver, { people: [ben.id] });
    await read(connection, receiver).until(() => receiver.cursors.has(`person:${ben.id}`));
  }
  assert.deepEqual(listTexts(receiver), ['before']);
  server.gateway.forget();
  await using other = await openAdapter();
  await using connection = await connect(other, receiver, { people: [ben.id] });
  await read(connection, receiver).until(() => listTexts(receiver).length >= 2);
  assert.deepEqual(listTexts(receiver), ['before', 'I am new here']);
  assert.equal(server.log.calls.filter(({ path }) => path === '/users/@me/channels').length, 1);
});

test('private chats that cannot be opened now end the connection; where there are too many, the rest waits for the next login', async () => {
  await using stage = await openBot();
  const { server, bot, ann, direct, adapter, openAdapter } = stage;
  const { receiver } = await receive(adapter, 1, { whenConnected: () => void server.people.say(direct, ann, 'before') });
  await adapter[Symbol.asyncDispose]();
  const ben = server.addUser('ben');
  server.people.say(server.direct(bot, ben), ben, 'I am new here');
  const opening = { at: 'call', method: 'POST', path: /@me\/channels$/, times: 1 } as const;
  const next = async (): Promise<PlatformAdapter> => {
    server.gateway.forget();
    return openAdapter();
  };
  await using second = await next();
  server.fault({ ...opening, do: { type: 'status', status: 502 } });
  await using broken = await connect(second, receiver, { people: [ben.id] });
  await Array.fromAsync(broken.catchUp());
  assert.equal((await broken.ended).kind, 'broken');
  await using third = await next();
  server.fault({ ...opening, do: { type: 'rate_limit', retryAfter: 600 } });
  await using limited = await connect(third, receiver, { people: [ben.id] });
  server.people.say(direct, ann, 'live');
  await read(limited, receiver).until(() => listTexts(receiver).includes('live'));
  assert.deepEqual(listTexts(receiver), ['before', 'live']);
  await using fourth = await next();
  await using whole = await connect(fourth, receiver, { people: [ben.id] });
  await read(whole, receiver).until(() => listTexts(receiver).length === 3);
  assert.deepEqual(listTexts(receiver).at(-1), 'I am new here');
});

test('a thread without a cursor is read no further back than its cursor would have been kept; a channel from the start', () => {
  using rest = new DiscordRest({ token: '', apiUrl: 'http://127.0.0.1' });
  const channels = new ChannelBook(rest);
  const ago = (days: number) => idAtTime(Date.now() - days * 24 * 3_600_000);
  const [start, old, now] = [ago(200), ago(120), ago(0)];
  channels.note('GUILD_CREATE', {
    id: '1',
    channels: [{ id: '11', type: 0, last_message_id: old }],
    threads: [
      { id: '12', type: 11, parent_id: '11', last_message_id: old },
      { id: '13', type: 11, parent_id: '11', last_message_id: now },
    ],
  });
  const gate = readSettings({ secrets: {}, extra: {} }).listens;
  const plan = planCatchUp({ rest, channels, cursors: [{ scope: 'start', value: start }], gate }, true);
  assert.deepEqual(
    plan.map(({ channelId }) => channelId),
    ['11', '13'],
  );
  assert.equal(plan[0]?.after, start);
  assert.ok(isNewer(plan[1]?.after ?? '0', old) && isNewer(ago(89), plan[1]?.after ?? '0'));
});

test('a fresh login asks for private chats, for what is new, and for threads that were archived of late', () => {
  using rest = new DiscordRest({ token: '', apiUrl: 'http://127.0.0.1' });
  const channels = new ChannelBook(rest);
  const ago = (days: number) => idAtTime(Date.now() - days * 24 * 3_600_000);
  const [long, short, now] = [ago(30), ago(2), ago(0)];
  const rooms = [
    { id: '11', type: 0, last_message_id: now },
    { id: '12', type: 0, last_message_id: short },
    { id: '13', type: 0, last_message_id: now },
    { id: '14', type: 0, last_message_id: long },
    { id: '15', type: 15, last_message_id: now },
    { id: '66', type: 0, last_message_id: now },
  ];
  channels.note('GUILD_CREATE', { id: '1', joined_at: new Date(Date.now() - 3_600_000).toISOString(), channels: rooms });
  const cursors = [
    { scope: 'start', value: long },
    { scope: 'session', value: '{}' },
    { scope: '11', value: short },
    { scope: '12', value: short },
    { scope: '66', value: short },
    { scope: '21', value: long },
    { scope: '22', value: short },
    { scope: 'direct:31', value: long },
  ];
  const gate = readSettings({ secrets: {}, extra: { ignored_channels: ['66'] } }).listens;
  const plan = (isFresh: boolean) => planCatchUp({ rest, channels, cursors, gate }, isFresh);
  const asked = (isFresh: boolean) =>
    plan(isFresh)
      .map(({ channelId }) => channelId)
      .toSorted();
  assert.deepEqual(asked(true), ['11', '13', '22', '31']);
  assert.deepEqual(asked(false), ['11', '12', '21', '22', '31']);
  // What was said before we came into the guild is not ours.
  assert.ok(BigInt(plan(true).find(({ channelId }) => channelId === '13')?.after ?? 0) > BigInt(short));
});
