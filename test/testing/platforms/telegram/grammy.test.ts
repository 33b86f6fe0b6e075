import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { Bot, GrammyError, HttpError, InputFile, webhookCallback } from 'grammy';
import type { TelegramBotAccount, TelegramServer } from '../../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, until } from './stage.ts';

const client = (server: TelegramServer, { token }: TelegramBotAccount): Bot => new Bot(token, { client: { apiRoot: server.url } });

/** Starts polling; disposing it stops and waits for the end. */
function poll(bot: Bot, updates: readonly ('message_reaction' | 'message' | 'callback_query' | 'edited_message' | 'channel_post')[] = []) {
  bot.catch(({ error }) => {
    throw error;
  });
  const running = bot.start(updates.length > 0 ? { allowed_updates: updates } : {});
  return { [Symbol.asyncDispose]: () => bot.stop().then(() => running) };
}

const refusal =
  (code: number, description: string, parameters: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof GrammyError);
    assert.deepEqual([error.error_code, error.description, error.parameters], [code, description, parameters]);
    return true;
  };

test('grammY polls, answers, edits and hears edits; the server knows which request made what', async () => {
  await using stage = await telegramStage({ now: () => 1_700_000_000_500 });
  const { server, bot, ann, dm } = stage;
  const grammy = client(server, bot);
  grammy.on('message:text', async (context) => {
    const sent = await context.reply(`Hi ${context.from.first_name}`, { reply_parameters: { message_id: context.msg.message_id } });
    await context.api.editMessageText(context.chat.id, sent.message_id, '*Done*, 2 \\+ 2', { parse_mode: 'MarkdownV2' });
  });
  const edited: unknown[] = [];
  grammy.on('edited_message:text', (context) => void edited.push([context.msg.text, context.msg.edit_date]));
  await using _polling = poll(grammy);
  const asked = server.people.say(dm, ann, 'hello');
  await until(() => server.log.visible(dm).at(-1)?.versions?.length === 2, 'an edited answer');
  server.people.say(dm, ann, { text: 'hello again', edit: asked });
  await until(() => edited.length === 1, 'the edit was heard');
  assert.deepEqual(edited, [['hello again', 1_700_000_000]]);
  const requests = server.log.requests.filter(({ method }) => /message/i.test(method));
  const at = 1_700_000_000_500;
  const [send, edit] = requests.map(({ index }) => index);
  assert.deepEqual(server.log.visible(dm), [
    {
      id: 1,
      from: ann.id,
      text: 'hello again',
      versions: [
        { text: 'hello', at },
        { at, text: 'hello again' },
      ],
    },
    {
      id: 2,
      from: bot.id,
      text: 'Done, 2 + 2',
      replyTo: 1,
      request: send,
      versions: [
        { text: 'Hi Ann', at, request: send },
        { at, text: 'Done, 2 + 2', request: edit },
      ],
    },
  ]);
});

test('an update is taken when an offset behind it was asked for, and not before', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { api } = client(server, bot);
  for (const text of ['one', 'two', 'three']) server.people.say(dm, ann, text);
  const first = await api.getUpdates({ limit: 2 });
  const again = await api.getUpdates({ limit: 2 });
  assert.deepEqual(again, first);
  assert.deepEqual(
    first.map(({ message }) => [message?.text, message?.chat.id, message?.from?.id]),
    [
      ['one', ann.id, ann.id],
      ['two', ann.id, ann.id],
    ],
  );
  const rest = await api.getUpdates({ offset: (first[1]?.update_id ?? 0) + 1 });
  assert.deepEqual(
    rest.map(({ message }) => message?.text),
    ['three'],
  );
  assert.deepEqual(
    server.log.updates.map(({ handedOut, confirmedAt, message }) => [message, handedOut, confirmedAt !== undefined]),
    [
      [1, [0, 1], true],
      [2, [0, 1], true],
      [3, [2], false],
    ],
  );
});

test('a button is pressed, heard and answered; an edit takes it away', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const grammy = client(server, bot);
  grammy.callbackQuery('yes', async (context) => {
    await context.answerCallbackQuery({ text: 'Noted', show_alert: true });
    await context.editMessageText('Allowed');
  });
  await using _polling = poll(grammy);
  const inline_keyboard = [[{ text: 'Yes', callback_data: 'yes' }], [{ text: 'No', callback_data: 'no' }]];
  const { message_id } = await grammy.api.sendMessage(dm.id, 'Run it?', { reply_markup: { inline_keyboard } });
  assert.deepEqual(server.log.visible(dm)[0]?.buttons, [['Yes'], ['No']]);
  const press = server.people.press(dm, ann, message_id, 'Yes');
  await until(() => server.log.visible(dm)[0]?.text === 'Allowed', 'the card was edited');
  const { request = 0 } = server.log.presses[0]?.answer ?? {};
  assert.deepEqual(server.log.presses, [
    { id: press, bot: bot.id, chat: dm.id, message: 1, user: ann.id, data: 'yes', answer: { text: 'Noted', alert: true, request } },
  ]);
  assert.equal(server.log.visible(dm)[0]?.buttons, undefined);
  assert.throws(() => server.people.press(dm, ann, message_id, 'Yes'), /has no button "Yes"/);
  await assert.rejects(
    grammy.api.answerCallbackQuery('other'),
    refusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid'),
  );
  const long = { inline_keyboard: [[{ text: 'x', callback_data: 'x'.repeat(65) }]] };
  await assert.rejects(grammy.api.sendMessage(dm.id, 'x', { reply_markup: long }), refusal(400, 'Bad Request: BUTTON_DATA_INVALID'));
});

test('pictures, documents, voice and albums go both ways, byte by byte', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { api } = client(server, bot);
  const bytes = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7) % 256);
  await api.sendDocument(dm.id, new InputFile(bytes, 'räport.bin'), { caption: '_here_', parse_mode: 'MarkdownV2' });
  const photo = await api.sendPhoto(dm.id, new InputFile(bytes, 'p.jpg'));
  await api.sendVoice(dm.id, new InputFile(bytes, 'v.ogg'), { duration: 7 });
  await api.sendPhoto(dm.id, photo.photo.at(-1)?.file_id ?? '');
  await api.sendMediaGroup(dm.id, [
    { type: 'photo', media: new InputFile(bytes, 'a.jpg'), caption: 'both' },
    { type: 'video', media: new InputFile(bytes, 'b.mp4') },
  ]);
  assert.deepEqual(
    server.log
      .visible(dm)
      .map(({ text, media }) => [media?.kind, media?.name, text, Buffer.from(bytes).equals(media?.bytes ?? Buffer.of())]),
    [
      ['document', 'räport.bin', 'here', true],
      ['photo', 'p.jpg', '', true],
      ['voice', 'v.ogg', '', true],
      ['photo', 'p.jpg', '', true],
      ['photo', 'a.jpg', 'both', true],
      ['video', 'b.mp4', '', true],
    ],
  );
  server.people.say(dm, ann, { text: 'look', document: { bytes, name: 'in.pdf', mime: 'application/pdf' } });
  server.people.say(dm, ann, { voice: { bytes, duration: 3 } });
  server.people.say(dm, ann, { photo: { bytes } });
  const updates = await api.getUpdates();
  const [first, second, third] = updates.map(({ message }) => message);
  assert.deepEqual([first?.caption, first?.document?.file_name, first?.document?.mime_type], ['look', 'in.pdf', 'application/pdf']);
  const ids = [first?.document?.file_id, second?.voice?.file_id, third?.photo?.at(-1)?.file_id];
  for (const id of ids) {
    const { file_path = '', file_size } = await api.getFile(id ?? '');
    const got = await fetch(`${server.url}/file/bot${bot.token}/${file_path}`);
    assert.deepEqual([file_size, Buffer.from(await got.arrayBuffer()).equals(bytes)], [3000, true]);
  }
  await assert.rejects(api.getFile('nothing'), refusal(400, 'Bad Request: wrong file_id or the file is temporarily unavailable'));
});

test('reactions, typing, menus, members', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const grammy = client(server, bot);
  const heard: unknown[] = [];
  grammy.on('message_reaction', (context) => void heard.push(context.reactions().emojiAdded));
  await using _polling = poll(grammy, ['message', 'message_reaction']);
  const said = server.people.say(dm, ann, 'hi');
  await grammy.api.setMessageReaction(dm.id, said, [{ type: 'emoji', emoji: '👀' }]);
  await grammy.api.sendChatAction(dm.id, 'typing');
  await until(() => server.sockets(bot.token).polling === 1, 'a poll');
  server.people.react(dm, ann, said, ['👍']);
  await until(() => heard.length === 1, 'a reaction was heard');
  assert.deepEqual(heard, [['👍']]);
  assert.deepEqual(server.log.visible(dm)[0]?.reactions, ['👀', '👍']);
  assert.deepEqual(
    server.log.actions(dm).map(({ action }) => action),
    ['typing'],
  );
  const unknown = { type: 'emoji', emoji: '🧯' } as unknown as { type: 'emoji'; emoji: '👀' };
  await assert.rejects(grammy.api.setMessageReaction(dm.id, said, [unknown]), refusal(400, 'Bad Request: REACTION_INVALID'));
  await grammy.api.setMyCommands([{ command: 'new', description: 'Start over' }]);
  assert.deepEqual(await grammy.api.getMyCommands(), [{ command: 'new', description: 'Start over' }]);
  await assert.rejects(
    grammy.api.setMyCommands([{ command: 'New-One', description: 'x' }]),
    refusal(400, 'Bad Request: BOT_COMMAND_INVALID'),
  );
  const { first_name = '', type } = await grammy.api.getChat(dm.id);
  assert.deepEqual([type, first_name, (await grammy.api.getChatMember(dm.id, ann.id)).status], ['private', 'Ann', 'member']);
});

test('topics: named, answered in, closed', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann } = stage;
  const { api } = client(server, bot);
  const forum = server.people.openGroup('supergroup', 'Work', [bot, ann], { isForum: true });
  const topic = server.people.addTopic(forum, ann, 'Plans');
  server.people.say(forum, ann, { text: '/status@hermes_test_bot now', topic });
  const said = (await api.getUpdates()).at(-1)?.message;
  assert.deepEqual(
    [said?.message_thread_id, said?.is_topic_message, said?.chat.type, said?.chat.is_forum, said?.entities],
    [topic, true, 'supergroup', true, [{ type: 'bot_command', offset: 0, length: 23 }]],
  );
  await api.sendMessage(forum.id, 'there', { message_thread_id: topic });
  assert.deepEqual(server.log.visible(forum).at(-1)?.topic, topic);
  server.people.closeTopic(forum, topic);
  await assert.rejects(
    api.sendMessage(forum.id, 'there', { message_thread_id: topic }),
    refusal(400, 'Bad Request: message thread not found'),
  );
});

test('a webhook gets every update in order, again until it takes it, and with the secret', async () => {
  await using stage = await telegramStage({ webhookRetryMs: 1 });
  const { server, bot, ann, dm } = stage;
  const grammy = client(server, bot);
  const texts: string[] = [];
  grammy.on('message:text', (context) => void texts.push(context.msg.text));
  let failures = 2;
  const handle = webhookCallback(grammy, 'http', { secretToken: 'abc_123' });
  const listener = createServer((request, response) => {
    if (failures-- > 0) response.writeHead(500).end();
    else void handle(request, response);
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as { port: number };
  server.people.say(dm, ann, 'before');
  await grammy.api.setWebhook(`http://127.0.0.1:${port}/hook`, { secret_token: 'abc_123' });
  server.people.say(dm, ann, 'after');
  await until(() => texts.length === 2, 'both updates came');
  await until(() => server.log.updates.every(({ confirmedAt }) => confirmedAt !== undefined), 'both were taken');
  assert.deepEqual(texts, ['before', 'after']);
  assert.deepEqual(
    server.log.updates.map(({ handedOut }) => handedOut),
    [[1, 2, 3], [1]],
  );
  const info = await grammy.api.getWebhookInfo();
  assert.deepEqual([info.pending_update_count, info.last_error_message], [0, 'Wrong response from the webhook: 500 Internal Server Error']);
  await assert.rejects(
    grammy.api.getUpdates(),
    refusal(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"),
  );
  await grammy.api.deleteWebhook();
  assert.deepEqual(await grammy.api.getUpdates(), []);
  listener.close();
  listener.closeAllConnections();
});

test('the second poll ends the first', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { api } = client(server, bot);
  const older = assert.rejects(
    api.getUpdates({ timeout: 30 }),
    refusal(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'),
  );
  await until(() => server.sockets(bot.token).polling === 1, 'the first poll');
  const newer = api.getUpdates({ timeout: 30 });
  await older;
  server.people.say(dm, ann, 'for the second');
  assert.deepEqual(
    (await newer).map(({ message }) => message?.text),
    ['for the second'],
  );
});

test('what Telegram refuses is refused in its words', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { api } = client(server, bot);
  const group = server.people.openGroup('group', 'Old', [bot, ann]);
  const { id } = server.people.upgrade(group, ann);
  const { message_id } = await api.sendMessage(dm.id, 'same');
  const tries: readonly (readonly [() => Promise<unknown>, number, string, object?])[] = [
    [
      () => api.sendMessage(dm.id, 'a.b', { parse_mode: 'MarkdownV2' }),
      400,
      "can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    [
      () => api.sendMessage(dm.id, 'ä *b', { parse_mode: 'MarkdownV2' }),
      400,
      "can't parse entities: Can't find end of Bold entity at byte offset 3",
    ],
    [
      () => api.sendMessage(dm.id, '<b>x', { parse_mode: 'HTML' }),
      400,
      'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
    ],
    [
      () => api.sendMessage(dm.id, 'x <y>', { parse_mode: 'HTML' }),
      400,
      'can\'t parse entities: Unsupported start tag "y" at byte offset 2',
    ],
    [() => api.sendMessage(dm.id, '😀'.repeat(2049)), 400, 'message is too long'],
    [() => api.sendMessage(dm.id, '  '), 400, 'message text is empty'],
    [() => api.sendMessage(4711, 'x'), 400, 'chat not found'],
    [() => api.sendMessage(dm.id, 'x', { reply_parameters: { message_id: 99 } }), 400, 'message to be replied not found'],
    [() => api.editMessageText(dm.id, 99, 'x'), 400, 'message to edit not found'],
    [() => api.sendMessage(group.id, 'x'), 400, 'group chat was upgraded to a supergroup chat', { migrate_to_chat_id: id }],
  ];
  for (const [attempt, code, words, parameters] of tries)
    await assert.rejects(attempt(), refusal(code, `Bad Request: ${words}`, parameters));
  await assert.rejects(api.editMessageText(dm.id, message_id, 'same '), /message is not modified/);
  await api.sendMessage(dm.id, '😀'.repeat(2048));
  server.people.shutOut(dm, bot);
  await assert.rejects(api.sendMessage(dm.id, 'x'), refusal(403, 'Forbidden: bot was blocked by the user'));
  const stranger = new Bot('1:nobody', { client: { apiRoot: server.url } });
  await assert.rejects(stranger.api.getMe(), refusal(401, 'Unauthorized'));
  await assert.rejects(api.raw.getMyName({}), refusal(404, 'Not Found: method not found'));
});

test('faults: told, untold, cut, silent, refused; the log knows what was carried out', async () => {
  await using stage = await telegramStage();
  const { server, bot, dm } = stage;
  const { api } = client(server, bot);
  const send = (text: string, signal?: AbortSignal) => api.sendMessage(dm.id, text, {}, signal as Parameters<typeof api.sendMessage>[3]);
  server.inject({ fault: { type: 'rate_limit', retryAfter: 149 }, methods: ['send'], chat: dm.id, times: 1 });
  await assert.rejects(send('flood'), refusal(429, 'Too Many Requests: retry after 149', { retry_after: 149 }));
  server.inject({ fault: { type: 'status', status: 502, description: 'Bad Gateway' }, methods: ['sendMessage'], times: 1 });
  await assert.rejects(send('5xx'), refusal(502, 'Bad Gateway'));
  server.inject({ fault: { type: 'cut' }, methods: ['sendMessage'], times: 1 });
  await assert.rejects(send('cut before'), HttpError);
  server.inject({ fault: { type: 'withhold', ending: 'cut' }, methods: ['sendMessage'], times: 1 });
  await assert.rejects(send('cut after'), HttpError);
  const hole = server.inject({ fault: { type: 'black_hole' }, methods: ['sendMessage'] });
  await assert.rejects(send('silence', AbortSignal.timeout(50)));
  await api.getMe();
  assert.equal(hole.met, 1);
  hole[Symbol.dispose]();
  server.inject({ fault: { type: 'delay', ms: 5 }, methods: ['sendMessage'], times: 1 });
  await send('late');
  assert.deepEqual(
    server.log.visible(dm).map(({ text }) => text),
    ['cut after', 'late'],
  );
  assert.deepEqual(
    server.log.requests.filter(({ method }) => method === 'sendMessage').map(({ fault, performed, status }) => [fault, performed, status]),
    [
      ['rate_limit', false, 429],
      ['status', false, 502],
      ['cut', false, undefined],
      ['withhold', true, undefined],
      ['black_hole', false, undefined],
      ['delay', true, 200],
    ],
  );
  await server.refuse();
  await assert.rejects(send('nobody there'), HttpError);
  await server.accept();
  await send('back');
  assert.equal(server.log.visible(dm).at(-1)?.text, 'back');
});

test('sockets are counted per token while they are open', async () => {
  await using stage = await telegramStage();
  const { server, bot } = stage;
  const other = server.people.addBot();
  const stop = new AbortController();
  const polling = assert.rejects(client(server, bot).api.getUpdates({ timeout: 30 }, stop.signal as never));
  await until(() => server.sockets(bot.token).polling === 1, 'a poll');
  assert.deepEqual(
    [server.sockets(bot.token), server.sockets(other.token)],
    [
      { open: 1, polling: 1 },
      { open: 0, polling: 0 },
    ],
  );
  stop.abort();
  await polling;
  await until(() => server.sockets(bot.token).open === 0, 'the socket was closed');
});

test('in privacy mode a bot in a group is shown what is meant for it', async () => {
  await using stage = await telegramStage();
  const { server, ann } = stage;
  const shy = server.people.addBot({ username: 'shy_bot', privacy: true });
  const group = server.people.openGroup('group', 'Kitchen', [shy, ann]);
  const { api } = client(server, shy);
  const { message_id: replyTo } = await api.sendMessage(group.id, 'I am here');
  for (const said of ['aside', '/start', 'hey @shy_bot', { text: 'to you', replyTo }]) server.people.say(group, ann, said);
  assert.deepEqual(
    (await api.getUpdates()).map(({ message }) => message?.text),
    ['/start', 'hey @shy_bot', 'to you'],
  );
});

test('grammY reads where a forwarded message comes from, and which bot made one', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { people } = server;
  const eve = people.addUser('Eve');
  people.say(dm, ann, { text: 'one', forwarded: eve });
  people.say(dm, ann, { text: 'two', forwarded: 'Hidden Eve' });
  people.say(dm, ann, { text: 'three', forwarded: people.openGroup('channel', 'News', [eve]) });
  people.say(dm, ann, { text: 'four', forwarded: people.openGroup('supergroup', 'Team', [eve]) });
  people.say(dm, ann, { text: 'five', via: bot });
  const updates = await client(server, bot).api.getUpdates();
  const origins = updates.map(({ message }): string | undefined => {
    const { forward_origin: origin, via_bot: via } = message ?? {};
    if (origin === undefined) return via?.username;
    if (origin.type === 'user') return origin.sender_user.first_name;
    if (origin.type === 'hidden_user') return origin.sender_user_name;
    return origin.type === 'channel' ? origin.chat.title : 'title' in origin.sender_chat ? origin.sender_chat.title : undefined;
  });
  assert.deepEqual(origins, ['Eve', 'Hidden Eve', 'News', 'Team', bot.username]);
});
