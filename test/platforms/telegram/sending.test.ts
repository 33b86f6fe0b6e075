import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OutboundMedia, OutboundMessage, SendResult } from '../../../src/contracts/platform-adapter.ts';
import type { TelegramFaultKind } from '../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, until } from '../../testing/platforms/telegram/stage.ts';
import { openFor } from './scene.ts';

const never = new AbortController().signal;
const text = (chatId: number, markdown: string, more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  chatId: String(chatId),
  content: { type: 'text', markdown },
  key: 'k1',
  ...more,
});

test('an answer goes into its topic and replies; where that is gone, it goes out all the same', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann } = stage;
  const forum = server.people.openGroup('supergroup', 'Work', [bot, ann], { isForum: true });
  const topic = server.people.addTopic(forum, ann, 'Plans');
  const asked = server.people.say(forum, ann, { text: 'well?', topic });
  await using adapter = await openFor(stage);
  const threadId = String(topic);
  await adapter.send(text(forum.id, 'here', { threadId, replyTo: String(asked) }), never);
  await adapter.send(text(forum.id, 'what was that?', { threadId, replyTo: '4711' }), never);
  await adapter.send(text(forum.id, 'to all', { threadId: '1' }), never);
  await adapter.showTyping?.({ chatId: String(forum.id), threadId }, never);
  server.people.closeTopic(forum, topic);
  await adapter.send(text(forum.id, '**late**', { threadId }), never);
  assert.deepEqual(
    server.log
      .visible(forum)
      .slice(3)
      .map(({ text: words, topic: where, replyTo }) => [words, where, replyTo]),
    [
      ['here', topic, asked],
      ['what was that?', topic, undefined],
      ['to all', undefined, undefined],
      ['late', undefined, undefined],
    ],
  );
  assert.deepEqual(
    server.log.actions(forum).map(({ action, topic: where }) => [action, where]),
    [['typing', topic]],
  );
});

test('the plain words go out when Telegram does not take the look', async () => {
  await using stage = await telegramStage();
  const { server, dm } = stage;
  await using adapter = await openFor(stage);
  const description = "Bad Request: can't parse entities: Character '.' is reserved";
  server.inject({ fault: { type: 'status', status: 400, description }, methods: ['sendMessage', 'editMessageText'], times: 1 });
  const sent = await adapter.send(text(dm.id, '**bold** [link](https://e.org)'), never);
  assert.ok(sent.type === 'sent');
  server.inject({ fault: { type: 'status', status: 400, description }, methods: ['editMessageText'], times: 1 });
  const content = { type: 'text', markdown: '_other_' } as const;
  assert.deepEqual(await adapter.edit?.({ chatId: String(dm.id), messageId: sent.messageId, content }, never), sent);
  assert.deepEqual(
    server.log.visible(dm)[0]?.versions?.map(({ text: words }) => words),
    ['bold (https://e.org)'.replace('bold', 'bold link'), 'other'],
  );
});

test('a card has its buttons, loses them with an edit without any, and can be removed twice', async () => {
  await using stage = await telegramStage();
  const { server, dm } = stage;
  await using adapter = await openFor(stage);
  const buttons = ['Once', 'Always', 'No'].map((label) => ({ label, value: `q:${label}` }));
  const sent = await adapter.send({ ...text(dm.id, ''), content: { type: 'card', markdown: 'Run it?', buttons } }, never);
  assert.ok(sent.type === 'sent');
  assert.deepEqual(server.log.visible(dm)[0]?.buttons, [['Once', 'Always'], ['No']]);
  const at = { chatId: String(dm.id), messageId: sent.messageId };
  await adapter.edit?.({ ...at, content: { type: 'card', markdown: 'Run it? Yes.', buttons: [] } }, never);
  assert.deepEqual([server.log.visible(dm)[0]?.buttons, server.log.visible(dm)[0]?.text], [undefined, 'Run it? Yes.']);
  for (const _ of [1, 2]) assert.deepEqual(await adapter.remove?.(at, never), sent);
  assert.deepEqual(server.log.visible(dm), []);
});

test('a press is answered and a reaction shown and taken back', async () => {
  await using stage = await telegramStage();
  const { server, ann, dm } = stage;
  await using adapter = await openFor(stage);
  const buttons = [{ label: 'Go', value: 'go' }];
  const sent = await adapter.send({ ...text(dm.id, ''), content: { type: 'card', markdown: '?', buttons } }, never);
  assert.ok(sent.type === 'sent');
  const id = server.people.press(dm, ann, Number(sent.messageId), 'Go');
  await adapter.answerPress?.(id, 'Going.', never);
  assert.equal(server.log.presses[0]?.answer?.text, 'Going.');
  const at = { chatId: String(dm.id), messageId: sent.messageId };
  const shown: unknown[] = [];
  for (const reaction of ['seen', 'done', 'failed', 'none'] as const) {
    await adapter.react?.(at, reaction, never);
    shown.push(server.log.visible(dm)[0]?.reactions);
  }
  assert.deepEqual(shown, [['👀'], ['👍'], ['👎'], undefined]);
});

test('a file goes as what it is; one that Telegram does not show goes as a document', async () => {
  await using stage = await telegramStage();
  const { server, dm } = stage;
  await using adapter = await openFor(stage);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-telegram-'));
  const path = join(folder, 'file');
  writeFileSync(path, 'content');
  const send = (kind: OutboundMedia['kind'], mime: string, name = 'n"\r\nä.x'): Promise<SendResult> =>
    adapter.send({ ...text(dm.id, ''), content: { type: 'media', media: { kind, mime, name, path, bytes: 7 }, caption: '1. *x*' } }, never);
  for (const [kind, mime] of [
    ['image', 'image/png'],
    ['image', 'image/svg+xml'],
    ['voice', 'audio/ogg'],
    ['audio', 'audio/wav'],
    ['audio', 'audio/mpeg'],
    ['video', 'video/mp4'],
    ['document', 'text/plain'],
  ] as const)
    assert.equal((await send(kind, mime)).type, 'sent');
  const description = 'Bad Request: PHOTO_INVALID_DIMENSIONS';
  server.inject({ fault: { type: 'status', status: 400, description }, methods: ['sendPhoto'], times: 1 });
  assert.equal((await send('image', 'image/png', 'odd.png')).type, 'sent');
  assert.deepEqual(
    server.log.visible(dm).map(({ media, text: words }) => [media?.kind, media?.name, Buffer.from(media?.bytes ?? []).toString(), words]),
    [
      ...['photo', 'document', 'voice', 'document', 'audio', 'video', 'document'].map((kind) => [kind, 'n___ä.x', 'content', '1. x']),
      ['document', 'odd.png', 'content', '1. x'],
    ],
  );
  rmSync(path);
  assert.deepEqual(await send('document', 'text/plain', 'gone.txt'), { type: 'refused', why: 'the file could not be read' });
  rmSync(folder, { recursive: true });
});

test('what came of a send is told apart', async () => {
  const outcome = async (fault: TelegramFaultKind): Promise<readonly [string, number]> => {
    await using stage = await telegramStage();
    const { server, dm } = stage;
    await using adapter = await openFor(stage);
    server.inject({ fault, methods: ['send'] });
    return [(await adapter.send(text(dm.id, 'x'), never)).type, server.log.visible(dm).length];
  };
  const status = (code: number, description = 'Some words') => outcome({ type: 'status', status: code, description });
  assert.deepEqual(
    await Promise.all([
      outcome({ type: 'withhold', ending: 'cut' }),
      outcome({ type: 'cut' }),
      outcome({ type: 'rate_limit', retryAfter: 3 }),
      status(500),
      status(502),
      status(504),
      status(401),
      status(403),
      status(413),
      status(400),
      status(400, 'Bad Request: chat not found'),
      outcome({ type: 'page', status: 401 }),
      outcome({ type: 'page', status: 403 }),
      outcome({ type: 'page', status: 404 }),
      outcome({ type: 'page', status: 407 }),
      outcome({ type: 'page', status: 413 }),
      outcome({ type: 'page', status: 429 }),
      outcome({ type: 'page', status: 200 }),
      outcome({ type: 'page', status: 502 }),
    ]),
    [
      ['unknown', 1],
      ['unknown', 0],
      ['limited', 0],
      ['not_sent', 0],
      ['unknown', 0],
      ['unknown', 0],
      ['not_sent', 0],
      ['dead', 0],
      ['refused', 0],
      ['refused', 0],
      ['dead', 0],
      ...Array.from({ length: 4 }, () => ['not_sent', 0]),
      ['refused', 0],
      ['limited', 0],
      ['unknown', 0],
      ['unknown', 0],
    ],
  );
});

test('a group that moved says where; nobody who listens means surely not sent; a closed adapter ends what is under way', async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const group = server.people.openGroup('group', 'Old', [bot, ann]);
  const next = server.people.upgrade(group, ann);
  const adapter = await openFor(stage);
  assert.deepEqual(await adapter.send(text(group.id, 'x'), never), { type: 'moved', to: { chatId: String(next.id) }, isNewId: true });
  server.inject({ fault: { type: 'black_hole' }, methods: ['sendMessage'] });
  const hanging = adapter.send(text(dm.id, 'x'), never);
  await until(() => server.log.requests.some(({ fault }) => fault === 'black_hole'), 'the send is under way');
  await adapter[Symbol.asyncDispose]();
  assert.equal((await hanging).type, 'unknown');
  await server.refuse();
  await using other = await openFor(stage);
  const failed = await other.send(text(dm.id, 'x'), never);
  assert.ok(failed.type === 'not_sent' && !failed.why.includes(bot.token), JSON.stringify(failed));
});

test('the menu is written when it differs, and only then', async () => {
  await using stage = await telegramStage();
  const { server } = stage;
  await using adapter = await openFor(stage);
  const commands = [
    { name: 'new', summary: 'Start over' },
    { name: 'reload-mcp', summary: 'Load tools again' },
    { name: 'reload_mcp', summary: 'The same name there' },
    { name: 'Ünfit', summary: 'no name there' },
  ];
  for (const _ of [1, 2]) await adapter.publishCommands?.(commands, never);
  await adapter.publishCommands?.(commands.slice(0, 1), never);
  assert.deepEqual(
    server.log.requests.map(({ method, params }) => [method, params['commands']]),
    [
      ['getMyCommands', undefined],
      [
        'setMyCommands',
        [
          { command: 'new', description: 'Start over' },
          { command: 'reload_mcp', description: 'Load tools again' },
        ],
      ],
      ['getMyCommands', undefined],
      ['getMyCommands', undefined],
      ['setMyCommands', [{ command: 'new', description: 'Start over' }]],
    ],
  );
});

test('a connection that is kept for the next send does not gather listeners', async () => {
  await using stage = await telegramStage();
  const warnings: string[] = [];
  const hear = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', hear);
  await using adapter = await openFor(stage);
  for (let count = 0; count < 30; count++) await adapter.send(text(stage.dm.id, `number ${count}`), never);
  await new Promise((done) => setImmediate(done));
  process.off('warning', hear);
  assert.deepEqual([warnings, stage.server.sockets(stage.bot.token).open], [[], 1]);
});
