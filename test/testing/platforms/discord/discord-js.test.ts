import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  Client,
  Events,
  GatewayIntentBits,
  MessageReferenceType,
  Partials,
  type ClientOptions,
  type Message,
  type TextChannel,
} from 'discord.js';
import { openStage, sayElsewhere, textsIn, until } from './stage.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
];

/** The official client, logged in. */
async function login({ server, bot }: Stage, options: Partial<ClientOptions> = {}) {
  const api = server.apiUrl.replace('/v10', '');
  const client = new Client({
    intents: INTENTS,
    partials: [Partials.Channel, Partials.Message],
    ...options,
    rest: { api, ...options.rest },
  });
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
  await client.login(bot.token);
  await ready;
  return { client, [Symbol.asyncDispose]: () => client.destroy() };
}

const channelOf = async (client: Client, id: string): Promise<TextChannel> => (await client.channels.fetch(id)) as TextChannel;

const next = (client: Client): Promise<Message> => new Promise((resolve) => client.once(Events.MessageCreate, resolve));

test('discord.js logs in, sees the guild, and hears what is said in a channel and in private', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { client } = session;
  assert.deepEqual([client.user?.username, client.guilds.cache.map(({ name }) => name)], ['hermes', ['Workshop']]);
  const heard = next(client);
  stage.server.people.say(stage.channel, stage.ann, { text: 'hello', mention: stage.bot });
  const message = await heard;
  assert.deepEqual(
    [message.cleanContent, message.author.username, message.mentions.has(client.user ?? ''), message.channelId],
    ['@hermes hello', 'ann', true, stage.channel.id],
  );
  const whispered = next(client);
  stage.server.people.say(stage.direct, stage.ann, 'in private');
  const secret = await whispered;
  assert.deepEqual([secret.content, (await secret.channel.fetch()).type], ['in private', ChannelType.DM]);
  assert.equal(stage.server.gateway.openSockets(stage.bot.token), 1);
});

test('discord.js finds what was said in private while nobody listened, once it opens that chat by the person', async () => {
  await using stage = await openStage();
  const { server, bot } = stage;
  const ben = server.addUser('ben');
  const said = server.people.say(server.direct(bot, ben), ben, 'is anybody there?');
  await using session = await login(stage);
  assert.equal(session.client.channels.cache.has(said.channelId), false);
  const opened = await session.client.users.createDM(ben.id);
  const missed = await opened.messages.fetch({ after: '0' });
  assert.deepEqual(
    [opened.id, opened.lastMessageId, missed.map(({ content }) => content)],
    [said.channelId, said.id, ['is anybody there?']],
  );
  assert.equal((await session.client.users.createDM(ben.id, { force: true })).id, said.channelId);
  await assert.rejects(session.client.users.createDM('111111111111111111'), { status: 400 });
});

test('discord.js sends, replies, edits, reacts and deletes; the log knows which request did what', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, channel } = stage;
  const question = server.people.say(channel, ann, 'what is it?');
  const there = await channelOf(session.client, channel.id);
  const sent = await there.send('one');
  await (await there.messages.fetch(question.id)).reply('two');
  await sent.edit('one, and better');
  await sent.react('👀');
  const gone = await there.send('three');
  await gone.delete();
  await there.sendTyping();
  assert.deepEqual(textsIn(server, channel), ['ann: what is it?', 'hermes: one, and better', 'hermes: two']);
  const [, one, two] = server.visible(channel);
  const requests = one?.versions.map(({ content, request }) => [content, server.log.calls[request ?? -1]?.method]);
  assert.deepEqual(requests, [
    ['one', 'POST'],
    ['one, and better', 'PATCH'],
  ]);
  assert.deepEqual([one?.reactions, two?.replyTo], [{ '👀': [stage.bot.id] }, question.id]);
  assert.deepEqual(server.log.calls.filter(({ path }) => path.endsWith('/typing')).length, 1);
});

test('discord.js hears of edits, deletions and reactions of people', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, channel } = stage;
  const seen: string[] = [];
  session.client.on(Events.MessageUpdate, (_, after) => void seen.push(`edited: ${after.content}`));
  session.client.on(Events.MessageReactionAdd, ({ emoji }) => void seen.push(`reacted: ${emoji.name}`));
  session.client.on(Events.MessageDelete, ({ id }) => void seen.push(`deleted: ${id}`));
  const message = server.people.say(channel, ann, 'frist');
  server.people.edit(message, 'first');
  server.people.react(message, ann, '👍');
  server.people.remove(message);
  await until(() => seen.length === 3, 'three events');
  assert.deepEqual(seen, ['edited: first', 'reacted: 👍', `deleted: ${message.id}`]);
});

test('files go both ways through discord.js', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, channel } = stage;
  const heard = next(session.client);
  server.people.say(channel, ann, {
    text: 'look',
    attachments: [{ filename: 'a b.txt', contentType: 'text/plain', bytes: Buffer.from('from ann') }],
  });
  const [attachment] = (await heard).attachments.values();
  assert.deepEqual([attachment?.name, attachment?.size, attachment?.contentType], ['a b.txt', 8, 'text/plain']);
  assert.equal(await (await fetch(attachment?.url ?? '')).text(), 'from ann');
  const there = await channelOf(session.client, channel.id);
  await there.send({ content: 'yours', files: [new AttachmentBuilder(Buffer.from('from hermes'), { name: 'back.txt' })] });
  const files = server.visible(channel).at(-1)?.attachments;
  assert.deepEqual(files, [{ filename: 'back.txt', bytes: Buffer.from('from hermes') }]);
});

test('discord.js starts a thread on a message, and hears of one that a person starts', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, channel } = stage;
  const first = next(session.client);
  server.people.say(channel, ann, 'a long story');
  const thread = await (await first).startThread({ name: 'Story' });
  await thread.send('Once upon a time');
  assert.deepEqual([textsIn(server, thread), server.channel(thread.id)?.parentId], [['hermes: Once upon a time'], channel.id]);
  const created = new Promise<string>((resolve) => session.client.once(Events.ThreadCreate, ({ name }) => resolve(name)));
  const message = server.people.say(channel, ann, { text: 'mine', thread: 'Other' });
  assert.equal(await created, 'Other');
  const inside = next(session.client);
  const other = server.channel(message.id);
  assert.ok(other !== undefined);
  server.people.say(other, ann, 'inside');
  assert.deepEqual([(await inside).channel.isThread(), (await inside).content], [true, 'inside']);
});

test('a slash command and a button are answered by discord.js in time', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, bot, channel } = stage;
  session.client.on(Events.InteractionCreate, (interaction) => {
    void (async () => {
      if (interaction.isButton()) return interaction.update({ content: `chosen: ${interaction.customId}`, components: [] });
      if (!interaction.isChatInputCommand()) return undefined;
      await interaction.deferReply();
      const yes = new ButtonBuilder({ customId: 'q:yes', label: 'Yes', style: ButtonStyle.Success });
      const row = new ActionRowBuilder<ButtonBuilder>({ components: [yes] });
      await interaction.editReply({ content: `about ${interaction.options.getString('what')}`, components: [row] });
      return interaction.followUp('and more');
    })();
  });
  const what = { name: 'what', description: 'What about', type: 3, required: true };
  await session.client.application?.commands.set([{ name: 'status', description: 'How it is', options: [what] }]);
  assert.deepEqual(server.commandsOf(bot), ['status']);
  server.people.slash(channel, ann, bot, 'status', { what: 'weather' });
  await until(() => server.visible(channel).length === 2, 'an answer and more');
  assert.deepEqual(textsIn(server, channel), ['hermes: about weather', 'hermes: and more']);
  const card = server.message(server.visible(channel)[0]?.id ?? '');
  assert.ok(card !== undefined);
  server.people.press(card, ann, 'q:yes');
  await until(() => textsIn(server, channel)[0] === 'hermes: chosen: q:yes', 'the card says what was chosen');
  const answers = server.log.interactions.map(({ name, answer }) => [name, answer?.type, answer?.isLate]);
  assert.deepEqual(answers, [
    ['/status', 5, false],
    ['q:yes', 7, false],
  ]);
});

test('discord.js waits out a rate limit and sends then', async () => {
  await using stage = await openStage({ buckets: { limit: 2, windowMs: 300 } });
  await using session = await login(stage);
  const there = await channelOf(session.client, stage.channel.id);
  stage.server.fault({ at: 'call', method: 'POST', path: /messages$/, times: 1, do: { type: 'rate_limit', retryAfter: 0.2 } });
  for (const text of ['one', 'two', 'three']) await there.send(text);
  assert.deepEqual(textsIn(stage.server, stage.channel), ['hermes: one', 'hermes: two', 'hermes: three']);
  const statuses = stage.server.log.calls.filter(({ method }) => method === 'POST').map(({ status }) => status);
  assert.deepEqual(statuses, [429, 200, 200, 200]);
});

test('discord.js resumes after a dropped socket and after a request to reconnect, and misses nothing', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, bot, channel } = stage;
  const heard: string[] = [];
  session.client.on(Events.MessageCreate, ({ content }) => void heard.push(content));
  for (const [index, interrupt] of [() => server.gateway.drop(bot.token), () => server.gateway.reconnect(bot.token)].entries()) {
    interrupt();
    server.people.say(channel, ann, `meanwhile ${index}`);
    await until(() => heard.includes(`meanwhile ${index}`), 'the message of meanwhile');
    await until(() => server.log.sockets.filter(({ step }) => step === 'resume').length === index + 1, 'a resume');
  }
  assert.deepEqual(heard, ['meanwhile 0', 'meanwhile 1']);
  const logins = server.log.sockets.filter(({ step }) => step === 'identify' || step === 'resume').map(({ step }) => step);
  assert.deepEqual([logins, server.gateway.openSockets()], [['identify', 'resume', 'resume'], 1]);
});

test('discord.js reads history in pages, and errors carry the codes of Discord', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, bot, channel } = stage;
  const said = Array.from({ length: 7 }, (_, index) => server.people.say(channel, ann, `message ${index}`));
  const there = await channelOf(session.client, channel.id);
  const list = async (query: object) =>
    (await there.messages.fetch({ limit: 3, cache: false, ...query })).map(({ content }) => content.slice(-1)).join('');
  const pages = [
    await list({}),
    await list({ after: said[1]?.id }),
    await list({ before: said[3]?.id }),
    await list({ around: said[3]?.id }),
  ];
  assert.deepEqual(pages, ['654', '432', '210', '432']);
  const hidden = server.addChannel(stage.guild, 'secret', { hiddenFrom: [bot.id] });
  const closed = server.addUser('eve', { closedDms: true });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code: unknown }) => error.code,
    );
  const codes = [
    await codeOf(session.client.rest.get(`/channels/1/messages`)),
    await codeOf(session.client.rest.get(`/channels/${hidden.id}/messages`)),
    await codeOf(there.send('x'.repeat(2001))),
    await codeOf(there.send(' ')),
    await codeOf(session.client.users.fetch(closed.id).then((user) => user.send('hello'))),
    await codeOf(there.messages.edit(said[0]?.id ?? '', 'mine now')),
  ];
  assert.deepEqual(codes, [10003, 50001, 50035, 50006, 50007, 50005]);
});

test('a nonce that is enforced makes one message, also when the first answer was withheld', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const there = await channelOf(session.client, stage.channel.id);
  stage.server.fault({ at: 'call', method: 'POST', times: 1, do: { type: 'withhold' } });
  const send = () => there.send({ content: 'once', nonce: 'abc', enforceNonce: true });
  await assert.rejects(send(), /other side closed/);
  const [sent, again] = [await send(), await send()];
  assert.deepEqual([again.id, textsIn(stage.server, stage.channel)], [sent.id, ['hermes: once']]);
});

test('a wrong token and a privileged intent that nobody granted are refused', async () => {
  await using stage = await openStage();
  const poor = stage.server.addBot('poor', { isPrivileged: false });
  await assert.rejects(login({ ...stage, bot: { ...stage.bot, token: 'wrong' } }), /token/i);
  await assert.rejects(login({ ...stage, bot: poor }), /intents/i);
  assert.deepEqual(
    stage.server.log.sockets.flatMap(({ step, code }) => (step === 'refuse' ? [code] : [])),
    [4014],
  );
});

test('discord.js sees a forwarded message as a snapshot, without its author', async () => {
  await using stage = await openStage();
  await using session = await login(stage);
  const { server, ann, channel } = stage;
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('x') }];
  const heard = next(session.client);
  server.people.say(channel, ann, { forward: sayElsewhere(server, { text: 'from elsewhere', attachments }) });
  const message = await heard;
  const [snapshot] = message.messageSnapshots.values();
  assert.deepEqual([message.content, message.reference?.type], ['', MessageReferenceType.Forward]);
  assert.deepEqual(
    [snapshot?.content, snapshot?.author, snapshot?.attachments.map(({ name }) => name)],
    ['from elsewhere', null, ['a.txt']],
  );
});
