import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import { connect, createReceiver, listTexts, read } from '../../../src/testing/conformance/platform-scene.ts';
import { telegramStage, until } from '../../testing/platforms/telegram/stage.ts';
import { openListener } from './listener.ts';
import { openFor, settingsFor } from './scene.ts';

const never = new AbortController().signal;
const end = async (adapter: PlatformAdapter) => {
  const connection = await connect(adapter, createReceiver());
  const { kind, retryAfterMs } = await connection.ended;
  return [kind, retryAfterMs];
};

test('an offset goes out after the commit, once, and never from an earlier life', async () => {
  await using stage = await telegramStage();
  const { server, ann, dm } = stage;
  await using adapter = await openFor(stage, { poll_seconds: 0.02 });
  const receiver = createReceiver();
  server.people.say(dm, ann, 'one');
  await using connection = await connect(adapter, receiver);
  const reader = read(connection, receiver);
  await reader.until(() => receiver.events.length === 1);
  const offsets = () => server.log.requests.filter(({ method }) => method === 'getUpdates').map(({ params }) => params['offset']);
  assert.deepEqual([offsets(), server.log.updates[0]?.confirmedAt], [[undefined], undefined]);
  await reader.settle();
  await until(() => offsets().length > 3, 'more polls');
  const { id = 0 } = server.log.updates[0] ?? {};
  assert.deepEqual(offsets().slice(0, 4), [undefined, id + 1, undefined, undefined]);
  assert.deepEqual(
    server.log.requests
      .filter(({ method }) => method === 'getUpdates')
      .slice(0, 3)
      .map(({ params }) => params['timeout']),
    [0, 0.02, 0.02],
  );
});

test('two adapters with one token: the newer poll ends the older', async () => {
  await using stage = await telegramStage();
  await using first = await openFor(stage);
  await using second = await openFor(stage);
  const older = await connect(first, createReceiver());
  await until(() => stage.server.sockets(stage.bot.token).polling === 1, 'the older one polls');
  await using _newer = await connect(second, createReceiver());
  assert.equal((await older.ended).kind, 'busy');
});

test('a token that Telegram does not know, too many logins, a server that fails', async () => {
  await using stage = await telegramStage();
  const { server } = stage;
  const unknown = { ...settingsFor(stage), secrets: { token: '1:nobody' } };
  await using stranger = await telegram.open({ settings: unknown, log: () => {} });
  const refused = await stranger.connect({ cursors: [], signal: never });
  assert.ok(refused.type === 'failed' && refused.kind === 'refused' && /TELEGRAM_BOT_TOKEN/.test(refused.why), JSON.stringify(refused));
  await using adapter = await openFor(stage);
  server.inject({ fault: { type: 'rate_limit', retryAfter: 9 }, methods: ['getMe'], times: 1 });
  const limited = await adapter.connect({ cursors: [], signal: never });
  assert.ok(limited.type === 'failed' && limited.kind === 'broken' && limited.retryAfterMs === 9_000, JSON.stringify(limited));
  server.inject({ fault: { type: 'status', status: 502 }, methods: ['getUpdates'], times: 1 });
  assert.deepEqual(await end(adapter), ['broken', undefined]);
});

test('a page of a proxy is not the word of Telegram: neither a login nor a poll is refused by it', async () => {
  await using stage = await telegramStage();
  const { server } = stage;
  await using adapter = await openFor(stage);
  for (const status of [401, 403, 404, 407]) {
    server.inject({ fault: { type: 'page', status }, methods: ['getMe'], times: 1 });
    const failed = await adapter.connect({ cursors: [], signal: never });
    assert.ok(failed.type === 'failed' && failed.kind === 'broken' && !/TELEGRAM_BOT_TOKEN/.test(failed.why), JSON.stringify(failed));
    server.inject({ fault: { type: 'page', status }, methods: ['getUpdates'], times: 1 });
    assert.deepEqual(await end(adapter), ['broken', undefined]);
  }
});

test('a poll that nobody answers ends the connection by itself, and the next one goes on', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  await using adapter = await openFor(stage, { poll_seconds: 0.05, poll_grace_seconds: 0.05 });
  const hole = server.inject({ fault: { type: 'black_hole' }, methods: ['getUpdates'] });
  assert.deepEqual(await end(adapter), ['broken', undefined]);
  await until(() => server.sockets(bot.token).polling === 0, 'no poll is left');
  hole[Symbol.dispose]();
  server.people.say(dm, ann, 'meanwhile');
  const receiver = createReceiver();
  await using next = await openFor(stage);
  await using connection = await connect(next, receiver);
  await read(connection, receiver).until(() => receiver.events.length === 1);
  assert.deepEqual(listTexts(receiver), ['meanwhile']);
});

test('progress begins with the first poll that is answered, not with the login, and moves with every one, also with nothing', async () => {
  await using stage = await telegramStage();
  await using adapter = await openFor(stage, { poll_seconds: 0.05 });
  const hole = stage.server.inject({ fault: { type: 'delay', ms: 50 }, methods: ['getUpdates'], times: 1 });
  await using connection = await connect(adapter, createReceiver());
  assert.equal(connection.progress(), 0);
  await until(() => connection.progress() > 0, 'the first poll counts');
  assert.equal(hole.met, 1);
  const before = connection.progress();
  await until(() => connection.progress() > before, 'an empty poll counts');
});

test('a second connect closes the first; aborting its signal ends one', async () => {
  await using stage = await telegramStage();
  const { server, bot } = stage;
  await using adapter = await openFor(stage);
  const first = await connect(adapter, createReceiver());
  const stop = new AbortController();
  const second = await connect(adapter, createReceiver(), { signal: stop.signal });
  assert.equal((await first.ended).kind, 'closed');
  await until(() => server.sockets(bot.token).polling === 1, 'one poll');
  stop.abort();
  assert.equal((await second.ended).kind, 'closed');
  await until(() => server.sockets(bot.token).open === 0, 'no socket');
});

test('by webhook: an update is acknowledged when it is committed, comes again else, and strangers are turned away', async () => {
  await using stage = await telegramStage({ webhookRetryMs: 5 });
  const { server, ann, dm } = stage;
  await using listener = await openListener();
  await using adapter = await openFor(stage, { webhook_url: listener.url, poll_seconds: 0.05 }, { listen: listener.listen });
  const lost = createReceiver();
  server.people.say(dm, ann, 'one');
  {
    await using connection = await connect(adapter, lost);
    await read(connection, lost).until(() => lost.events.length === 1);
    assert.equal(server.log.updates[0]?.confirmedAt, undefined);
  }
  const receiver = createReceiver();
  await using connection = await connect(adapter, receiver);
  const reader = read(connection, receiver);
  await reader.until(() => receiver.events.length === 1);
  assert.deepEqual(receiver.events, lost.events);
  server.people.say(dm, ann, 'two');
  // Setting a webhook may cut a call that is under way: then the first comes once more, with the same key.
  await reader.until(() => listTexts(receiver).length === 2);
  await reader.settle();
  await until(() => server.log.updates.every(({ confirmedAt }) => confirmedAt !== undefined), 'both were acknowledged');
  assert.deepEqual(
    [listTexts(receiver), server.log.updates.map(({ confirmedAt }) => confirmedAt !== undefined)],
    [
      ['one', 'two'],
      [true, true],
    ],
  );
  const before = connection.progress();
  await until(() => connection.progress() > before, 'silence is no death: Telegram is asked');
  const post = async (headers: Record<string, string>, body = '{}', method = 'POST') =>
    (await fetch(listener.url, { method, headers, ...(method === 'POST' && { body }) })).status;
  const secret = { 'x-telegram-bot-api-secret-token': 'hook_secret' };
  assert.deepEqual(
    await Promise.all([
      post({}),
      post({ 'x-telegram-bot-api-secret-token': 'guess' }),
      post(secret, 'no json'),
      post(secret, '', 'GET'),
      post(secret),
    ]),
    [401, 401, 400, 405, 200],
  );
});

test('by webhook: another program that takes it ends the connection as busy; polling takes it back', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  await using listener = await openListener();
  await using adapter = await openFor(stage, { webhook_url: listener.url, poll_seconds: 0.02 }, { listen: listener.listen });
  const connection = await connect(adapter, createReceiver());
  await until(() => server.log.requests.some(({ method }) => method === 'getWebhookInfo'), 'the webhook is set');
  await fetch(`${server.baseUrl}${bot.token}/setWebhook?url=http://127.0.0.1:9/other`);
  assert.equal((await connection.ended).kind, 'busy');
  await using polling = await openFor(stage);
  const receiver = createReceiver();
  await using next = await connect(polling, receiver);
  server.people.say(dm, ann, 'by poll');
  await read(next, receiver).until(() => receiver.events.length === 1);
  assert.deepEqual(listTexts(receiver), ['by poll']);
});

test('by webhook: a tunnel that does not let Telegram through ends the connection, and what waited comes when it does', async () => {
  await using stage = await telegramStage({ webhookRetryMs: 5 });
  const { server, ann, dm } = stage;
  await using listener = await openListener();
  await using adapter = await openFor(stage, { webhook_url: listener.url, poll_seconds: 0.02 }, { listen: listener.listen });
  const connection = await connect(adapter, createReceiver());
  await until(() => connection.progress() > 0, 'Telegram reaches us');
  listener.tunnel.isBroken = true;
  server.people.say(dm, ann, 'is anybody there?');
  const { kind, why, retryWithinMs } = await connection.ended;
  assert.deepEqual([kind, retryWithinMs], ['broken', 10_000]);
  assert.match(why, /502 Bad Gateway.*updates that wait: 1/);
  listener.tunnel.isBroken = false;
  const receiver = createReceiver();
  await using next = await connect(adapter, receiver);
  const reader = read(next, receiver);
  await reader.until(() => receiver.events.length === 1);
  assert.deepEqual(listTexts(receiver), ['is anybody there?']);
  await reader.settle();
  const before = next.progress();
  await until(() => next.progress() > before, 'an error that is over counts no longer');
});

test('by webhook: a connection that Telegram does not reach from the beginning stays open for longer, and is caught up with nothing', async () => {
  await using stage = await telegramStage({ webhookRetryMs: 5 });
  const { server, ann, dm } = stage;
  await using listener = await openListener();
  await using adapter = await openFor(stage, { webhook_url: listener.url, poll_seconds: 0.02 }, { listen: listener.listen });
  const connection = await connect(adapter, createReceiver());
  await until(() => connection.progress() > 0, 'Telegram reaches us');
  listener.tunnel.isBroken = true;
  server.people.say(dm, ann, 'is anybody there?');
  await connection.ended;
  const looks = () => server.log.requests.filter(({ method }) => method === 'getWebhookInfo').length;
  const before = looks();
  const next = await connect(adapter, createReceiver());
  let isOver = false;
  void next.ended.then(() => (isOver = true));
  for await (const _batch of next.catchUp()) assert.fail('nothing came');
  assert.deepEqual([isOver, looks() - before, next.progress()], [true, 10, 0]);
});

test('an update that makes no sense does not stop those behind it', async () => {
  const updates = [
    { update_id: 1, message: { message_id: 1, chat: 7, text: { no: 'text' }, entities: [null, 3] } },
    { update_id: 2, callback_query: { id: 'x' } },
    { update_id: 3 },
    'what?',
    { update_id: 4, message: { message_id: 2, date: 5, chat: { id: 1, type: 'private' }, from: { id: 1 }, text: 'fine' } },
  ];
  let given = 0;
  const server = createServer((request, response) => {
    const isPoll = request.url?.endsWith('getUpdates') === true;
    const result = isPoll ? (given++ === 0 ? updates : []) : { id: 5, username: 'b_bot' };
    request.resume().once('end', () => response.end(JSON.stringify({ ok: true, result })));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const settings = { secrets: { token: '5:x' }, extra: { base_url: `http://127.0.0.1:${port}/bot` } };
  await using adapter = await telegram.open({ settings, log: () => {} });
  const receiver = createReceiver();
  {
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => receiver.events.length > 0);
  }
  assert.deepEqual(listTexts(receiver), ['fine']);
  server.close();
  server.closeAllConnections();
});

test('settings that cannot work say what to set', () => {
  const check = (secrets: Record<string, string>, extra = {}) => telegram.check({ secrets, extra });
  assert.deepEqual(
    [check({ token: '1:x' }), check({ token: '1:x', webhook_secret: 's' }, { webhook_url: 'https://e.org/t' })],
    [undefined, undefined],
  );
  assert.match(check({}) ?? '', /TELEGRAM_BOT_TOKEN/);
  assert.match(check({ token: '1:x /y' }) ?? '', /TELEGRAM_BOT_TOKEN/);
  assert.match(check({ token: '1:x' }, { base_url: 'nowhere' }) ?? '', /base_url/);
  assert.match(check({ token: '1:x' }, { webhook_url: 'https://e.org/t' }) ?? '', /TELEGRAM_WEBHOOK_SECRET/);
  assert.deepEqual(telegram.credentials({ secrets: { token: '1:x' }, extra: {} }), { 'bot token': '1:x' });
});
