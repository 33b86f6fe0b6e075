/* oxlint-disable unicorn/require-post-message-target-origin -- a method of Slack's client, not of a window */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SocketModeClient } from '@slack/socket-mode';
import { ErrorCode, WebClient } from '@slack/web-api';
import { readPath, readStringAt } from '../../../src/base/json.ts';
import type { SlackBot } from '../../../src/testing/platforms/slack/world.ts';
import { openPlace, until } from './place.ts';

const silent = () => undefined;
const logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLevel: silent,
  setName: silent,
  getLevel: () => 'error' as never,
};

const openWeb = (apiUrl: string, bot: SlackBot) =>
  new WebClient(bot.botToken, { slackApiUrl: apiUrl, logger, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true });

async function openSocket(apiUrl: string, bot: SlackBot) {
  const client = new SocketModeClient({
    appToken: bot.app.appToken,
    logger,
    clientPingTimeout: 300,
    clientOptions: { slackApiUrl: apiUrl },
  });
  const events: { type: string; body: unknown; retry: number | undefined; ack: (response?: object) => Promise<void> }[] = [];
  client.on('slack_event', ({ type, body, retry_num: retry, ack }) => void events.push({ type, body, retry, ack }));
  await client.start();
  // Not `once` of node:events: it fails with the error that a dropped socket also is.
  const connected = () => new Promise<void>((resolve) => void client.once('connected', () => resolve()));
  return { connected, events, [Symbol.asyncDispose]: () => client.disconnect() };
}

describe('the Slack server, seen by the official JavaScript clients', () => {
  it('brings a message and its mention, takes the acknowledgements and shows an answer in the thread', async () => {
    await using place = await openPlace();
    const { server, bot, ann, general } = place;
    const web = openWeb(server.apiUrl, bot);
    await using socket = await openSocket(server.apiUrl, bot);
    assert.deepEqual((await web.auth.test()).user_id, bot.userId);

    const said = server.say(general, ann, { text: 'what time is it?', mention: bot });
    await until(() => socket.events.length === 2);
    assert.deepEqual(
      socket.events.map(({ type, body }) => [
        type,
        ...['type', 'channel', 'ts', 'text', 'channel_type'].map((name) => readPath(body, 'event', name)),
      ]),
      [
        ['events_api', 'message', general.id, said.ts, `<@${bot.userId}> what time is it?`, 'channel'],
        ['events_api', 'app_mention', general.id, said.ts, `<@${bot.userId}> what time is it?`, undefined],
      ],
    );
    for (const { ack } of socket.events) await ack();
    const metadata = { event_type: 'hermes', event_payload: { key: 'k1' } };
    const posted = await web.chat.postMessage({ channel: general.id, text: 'noon', thread_ts: said.ts, metadata });
    await web.chat.update({ channel: general.id, ts: String(posted.ts), text: '12:00' });
    await web.reactions.add({ channel: general.id, timestamp: said.ts, name: 'eyes' });

    const { messages } = await web.conversations.replies({ channel: general.id, ts: said.ts, include_all_metadata: true });
    assert.deepEqual(
      messages?.map(({ text, thread_ts: thread, metadata: found, reactions }) => ({ text, thread, found, reactions })),
      [
        {
          text: said.text,
          thread: said.ts,
          found: undefined,
          reactions: [{ name: 'eyes', users: [bot.userId], count: 1 }],
        },
        { text: '12:00', thread: said.ts, found: metadata, reactions: undefined },
      ],
    );
    await until(() => server.log.filter(({ type }) => type === 'acked').length === 2);
    const requests = server.log.flatMap((entry) => (entry.type === 'request' ? [[entry.method, entry.outcome, entry.id] as const] : []));
    const idOf = (wanted: string) => requests.find(([method]) => method === wanted)?.[2];
    assert.deepEqual(
      server.visible(general).map(({ history }) => history.map(({ text, request }) => [text, request])),
      [
        [[said.text, undefined]],
        [
          ['noon', idOf('chat.postMessage')],
          ['12:00', idOf('chat.update')],
        ],
      ],
    );
  });

  it('shows a shared message as an attachment of the one that shares it, live and in the history', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, ben, direct } = place;
    await using socket = await openSocket(server.apiUrl, bot);
    const elsewhere = server.addChannel(workspace, { name: 'elsewhere', members: [ann, ben] });
    const message = server.say(elsewhere, ben, { text: 'from elsewhere', files: [{ name: 'a.txt', bytes: Buffer.from('x') }] });
    server.say(direct, ann, { text: 'look', share: { message, author: ben } });
    await until(() => socket.events.length === 1);
    const live = readPath(socket.events[0]?.body, 'event', 'attachments', 0);
    const { messages } = await openWeb(server.apiUrl, bot).conversations.history({ channel: direct.id });
    const [kept] = messages?.[0]?.attachments ?? [];
    assert.deepEqual(
      [kept?.is_msg_unfurl, kept?.author_name, kept?.text, kept?.channel_id, kept?.ts, kept?.files?.map(({ name }) => name)],
      [true, 'ben', 'from elsewhere', elsewhere.id, message.ts, ['a.txt']],
    );
    assert.deepEqual(live, kept);
  });

  it('carries a button to the app and back, and a slash command with its answer', async () => {
    await using place = await openPlace();
    const { server, bot, ann, direct } = place;
    const web = openWeb(server.apiUrl, bot);
    await using socket = await openSocket(server.apiUrl, bot);
    const button = { type: 'button' as const, action_id: 'yes', value: '42', text: { type: 'plain_text' as const, text: 'Yes' } };
    const blocks = [{ type: 'actions' as const, block_id: 'ask', elements: [button] }];
    const { ts } = await web.chat.postMessage({ channel: ann.id, text: 'Sure?', blocks });
    const pressed = server.press(direct, ann, { ts: String(ts), actionId: 'yes' });
    const isPress = ({ type }: { type: string }) => type === 'interactive';
    await until(() => socket.events.some(isPress));
    const press = socket.events.find(isPress);
    await press?.ack();
    assert.equal(await pressed, true);
    const read = (...path: (string | number)[]) => readPath(press?.body, ...path);
    assert.deepEqual(
      [read('user', 'id'), read('actions', 0, 'value'), read('actions', 0, 'block_id'), read('container', 'message_ts')],
      [ann.id, '42', 'ask', ts],
    );

    const typed = server.slash(direct, ann, { bot, command: '/hermes', text: 'status' });
    const isSlash = ({ type }: { type: string }) => type === 'slash_commands';
    await until(() => socket.events.some(isSlash));
    const slash = socket.events.find(isSlash);
    assert.deepEqual(
      ['command', 'text', 'channel_id'].map((name) => readPath(slash?.body, name)),
      ['/hermes', 'status', direct.id],
    );
    await slash?.ack({ text: 'All is well.' });
    assert.equal(await typed, true);
    await fetch(readStringAt(slash?.body, 'response_url') ?? '', {
      method: 'POST',
      body: JSON.stringify({ text: 'Really.' }),
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual(
      server.visible(direct).map(({ text, onlyFor }) => [text, onlyFor]),
      [
        ['Sure?', undefined],
        ['All is well.', ann.id],
        ['Really.', ann.id],
      ],
    );
  });

  it('takes files and hands them over to whoever has the token', async () => {
    await using place = await openPlace();
    const { server, bot, ann, direct } = place;
    const web = openWeb(server.apiUrl, bot);
    await using socket = await openSocket(server.apiUrl, bot);
    const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
    await web.filesUploadV2({ channel_id: direct.id, file: bytes, filename: 'out.png', initial_comment: 'a picture' });
    const [sent] = server.visible(direct);
    assert.deepEqual([sent?.text, sent?.files[0]?.name, sent?.files[0]?.bytes], ['a picture', 'out.png', bytes]);

    const isAnns = ({ body }: { body: unknown }) => readPath(body, 'event', 'user') === ann.id;
    server.say(direct, ann, { text: 'and mine', files: [{ name: 'in.pdf', bytes }] });
    await until(() => socket.events.some(isAnns));
    const event = readPath(socket.events.find(isAnns)?.body, 'event');
    const read = (name: string) => readPath(event, 'files', 0, name);
    assert.deepEqual(
      [readPath(event, 'subtype'), ...['name', 'mimetype', 'size'].map(read)],
      ['file_share', 'in.pdf', 'application/pdf', 6],
    );
    const load = async (headers: Record<string, string>) =>
      Buffer.from(await (await fetch(readStringAt(event, 'files', 0, 'url_private_download') ?? '', { headers })).arrayBuffer());
    assert.deepEqual(await load({ authorization: `Bearer ${bot.botToken}` }), bytes);
    assert.match((await load({})).toString(), /Sign in/u);
  });

  it('pages through history, threads, channels and members', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, ben, general } = place;
    const web = openWeb(server.apiUrl, bot);
    const said = ['1', '2', '3', '4', '5'].map((text) => server.say(general, ann, { text }));
    const [first, second, , fourth] = said;
    assert.ok(first && second && fourth);
    for (const text of ['a', 'b', 'c']) server.say(general, ben, { text, thread: first });
    const read = async (method: string, options: object, key: string, field = 'text') => {
      const items: unknown[] = [];
      for await (const page of web.paginate(method, { channel: general.id, ...options })) {
        const list = readPath(page, key);
        items.push(Array.isArray(list) && list.map((item) => readPath(item, field) ?? item));
      }
      return items;
    };
    assert.deepEqual(await read('conversations.history', { limit: 2 }, 'messages'), [['5', '4'], ['3', '2'], ['1']]);
    assert.deepEqual(await read('conversations.history', { oldest: second.ts, latest: fourth.ts }, 'messages'), [['3']]);
    assert.deepEqual(await read('conversations.history', { oldest: second.ts, latest: fourth.ts, inclusive: true }, 'messages'), [
      ['4', '3', '2'],
    ]);
    assert.deepEqual(await read('conversations.replies', { ts: first.ts, limit: 2 }, 'messages'), [
      ['1', 'a'],
      ['b', 'c'],
    ]);
    assert.deepEqual(await read('conversations.members', { limit: 2 }, 'members'), [[bot.userId, ann.id], [ben.id]]);
    server.addChannel(workspace, { name: 'secret', kind: 'private', members: [ann] });
    server.addChannel(workspace, { name: 'other', members: [ann] });
    const types = 'public_channel,private_channel,im';
    assert.deepEqual(await read('conversations.list', { types, limit: 2 }, 'channels', 'name'), [
      ['general', (await web.conversations.list({ types: 'im' })).channels?.[0]],
      ['other'],
    ]);
    assert.deepEqual(await read('users.conversations', {}, 'channels', 'name'), [['general']]);
    assert.equal((await web.users.info({ user: ann.id })).user?.name, 'ann');
    assert.equal((await web.conversations.info({ channel: general.id })).channel?.name, 'general');
    assert.equal((await web.conversations.open({ users: `${ann.id},${ben.id}`, return_im: true })).ok, true);
  });

  it('says no as Slack does', async () => {
    await using place = await openPlace();
    const { server, workspace, bot, ann, general } = place;
    const web = openWeb(server.apiUrl, bot);
    const other = server.addChannel(workspace, { name: 'other', members: [ann] });
    const hidden = server.addChannel(workspace, { name: 'hidden', kind: 'private', members: [ann] });
    const old = server.addChannel(workspace, { name: 'old', members: [bot] });
    old.isArchived = true;
    const said = server.say(general, ann, { text: 'mine' });
    const channel = general.id;
    const errorOf = (call: Promise<unknown>) =>
      call.then(
        () => 'ok',
        (error: unknown) => readPath(error, 'data', 'error') ?? String(error),
      );
    const stranger = new WebClient('xoxb-none', { slackApiUrl: server.apiUrl, logger });
    const app = new WebClient(bot.app.appToken, { slackApiUrl: server.apiUrl, logger });
    const longSection = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } };
    const answers = {
      msg_too_long: web.chat.postMessage({ channel, text: 'x'.repeat(40_001) }),
      no_text: web.chat.postMessage({ channel, text: '' }),
      invalid_blocks: web.chat.postMessage({ channel, text: 'x', blocks: [longSection] }),
      channel_not_found: web.chat.postMessage({ channel: hidden.id, text: 'x' }),
      not_in_channel: web.chat.postMessage({ channel: other.id, text: 'x' }),
      is_archived: web.chat.postMessage({ channel: old.id, text: 'x' }),
      thread_not_found: web.chat.postMessage({ channel, text: 'x', thread_ts: '1.000000' }),
      message_not_found: web.chat.update({ channel, ts: '1.000000', text: 'x' }),
      cant_update_message: web.chat.update({ channel, ts: said.ts, text: 'x' }),
      cant_delete_message: web.chat.delete({ channel, ts: said.ts }),
      no_reaction: web.reactions.remove({ channel, timestamp: said.ts, name: 'eyes' }),
      user_not_found: web.users.info({ user: 'U9' }),
      invalid_cursor: web.conversations.history({ channel, cursor: 'nonsense' }),
      file_not_found: web.files.completeUploadExternal({ files: [{ id: 'F9' }] }),
      unknown_method: web.apiCall('nothing.here'),
      invalid_auth: stranger.auth.test(),
      not_allowed_token_type: app.auth.test(),
    };
    const found = await Promise.all(Object.entries(answers).map(async ([name, call]) => [name, await errorOf(call)]));
    assert.deepEqual(
      found,
      Object.keys(answers).map((name) => [name, name]),
    );
    server.addFault({ method: 'chat.postMessage', times: 1, fault: { type: 'status', status: 429, retryAfter: 7 } });
    await assert.rejects(web.chat.postMessage({ channel, text: 'x' }), { code: ErrorCode.RateLimitedError, retryAfter: 7 });
    assert.equal(await errorOf(web.chat.postMessage({ channel, text: 'x' })), 'ok');
  });

  it('asks a client to connect again, and redelivers what nobody acknowledged', async () => {
    await using place = await openPlace();
    const { server, bot, ann, direct } = place;
    await using socket = await openSocket(server.apiUrl, bot);
    const again = socket.connected();
    server.sockets.disconnect(bot.app, 'warning');
    await again;
    await until(() => server.sockets.count(bot.app) === 1);
    server.say(direct, ann, { text: 'first' });
    await until(() => socket.events.length === 1);
    const third = socket.connected();
    server.sockets.drop(bot.app);
    server.say(direct, ann, { text: 'while nobody is there' });
    await third;
    await until(() => socket.events.length === 2);
    const [before, after] = socket.events;
    assert.deepEqual([before?.retry, after?.retry, after?.body], [0, 1, before?.body]);
    await after?.ack();
    server.say(direct, ann, { text: 'last' });
    await until(() => socket.events.length === 3);
    assert.deepEqual(
      [
        readPath(socket.events[2]?.body, 'event', 'text'),
        server.log.flatMap((entry) => (entry.type === 'lost' ? [readPath(entry.payload, 'event', 'text')] : [])),
      ],
      ['last', ['while nobody is there']],
    );
  });
});
