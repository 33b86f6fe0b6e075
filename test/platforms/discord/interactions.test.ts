import assert from 'node:assert/strict';
import { test } from 'node:test';
import { never } from '../../../src/testing/conformance/platform-scene.ts';
import { textsIn, until } from '../../testing/platforms/discord/stage.ts';
import { messagesOf, openBot, outbound, receive } from './bot.ts';

const MENU = [
  { name: 'status', summary: 'What is going on' },
  { name: 'stop', summary: 'Stop the answer' },
];

type Bot = Awaited<ReturnType<typeof openBot>>;

/** Ann gives a command of the menu in the channel. */
async function commanded({ server, ann, bot, channel, adapter }: Bot) {
  await adapter.publishCommands?.(MENU, never);
  const { connection, receiver } = await receive(adapter, 1, {
    whenConnected: () => void server.people.slash(channel, ann, bot, 'status', { arguments: 'in full' }),
  });
  const [message] = messagesOf(receiver);
  assert.ok(message?.handle !== undefined);
  await until(() => server.log.interactions[0]?.answer !== undefined, 'the acknowledgement');
  return { connection, message, handle: message.handle };
}

test('a command of the menu is heard at once, and its answer ends the "thinking"', async () => {
  await using stage = await openBot();
  const { server, ann, channel, adapter } = stage;
  const { connection, message, handle } = await commanded(stage);
  await using _ = connection;
  const { type, text, isAddressed, isCommand, chat, sender } = message;
  assert.deepEqual(
    { type, text, isAddressed, isCommand, chat, sender },
    {
      type: 'message',
      text: '/status in full',
      isAddressed: true,
      isCommand: true,
      chat: { chatId: channel.id, type: 'channel', name: 'general', topic: 'Everything' },
      sender: { id: ann.id, name: 'ann', isBot: false },
    },
  );
  assert.deepEqual(
    server.log.interactions.map(({ name, answer }) => [name, answer?.type, answer?.isLate]),
    [['/status', 5, false]],
  );
  assert.deepEqual(textsIn(server, channel), []);
  const first = outbound(channel.id, 'All is **well**.', { handle, replyTo: message.messageId });
  const sent = await adapter.send(first, never);
  assert.deepEqual(await adapter.send(first, never), sent);
  await adapter.send(outbound(channel.id, 'And more.', { handle }), never);
  assert.deepEqual(textsIn(server, channel), ['hermes: All is **well**.', 'hermes: And more.']);
  const ends = () =>
    server.log.calls.filter(({ method, path }) => method === 'DELETE' && path.endsWith('@original')).map(({ status }) => status);
  await until(() => ends().includes(204), 'the end of the thinking');
  assert.deepEqual(ends(), [204]);
});

test('an answer to a command whose end is unknown is there once, after a restart too', async () => {
  await using stage = await openBot();
  const { server, channel, adapter } = stage;
  const { connection, handle } = await commanded(stage);
  await using _ = connection;
  server.fault({ at: 'call', method: 'POST', times: 1, do: { type: 'withhold' } });
  const message = outbound(channel.id, 'All is well.', { handle });
  assert.equal((await adapter.send(message, never)).type, 'unknown');
  await using other = await stage.openAdapter();
  assert.equal((await other.send(message, never)).type, 'sent');
  assert.deepEqual(textsIn(server, channel), ['hermes: All is well.']);
});

test('a command that is given where we may not write is answered all the same, unless it is too late for that', async () => {
  for (const [followUpMs, result] of [
    [60_000, 'sent'],
    [0, 'dead'],
  ] as const) {
    await using stage = await openBot({}, { followUpMs });
    const { server, channel, adapter } = stage;
    const { connection, handle } = await commanded(stage);
    await using _ = connection;
    const body = { message: 'Missing Access', code: 50001 };
    server.fault({ at: 'call', path: /channels\/\d+\/messages$/, do: { type: 'status', status: 403, body } });
    assert.equal((await adapter.send(outbound(channel.id, 'All is well.', { handle }), never)).type, result);
    assert.deepEqual(textsIn(server, channel), result === 'sent' ? ['hermes: All is well.'] : []);
  }
});

test('a press is heard at once; words for the presser are for their eyes alone, and the card changes', async () => {
  await using stage = await openBot();
  const { server, ann, direct, adapter } = stage;
  const buttons = Array.from({ length: 7 }, (_, index) => ({ label: `Choice ${index}`, value: `q:${index}` }));
  const card = await adapter.send(outbound(direct.id, '', { content: { type: 'card', markdown: 'Which?', buttons } }), never);
  assert.ok(card.type === 'sent', JSON.stringify(card));
  const { connection, receiver } = await receive(adapter, 1, {
    whenConnected: () => {
      const message = server.message(card.messageId);
      if (message !== undefined) server.people.press(message, ann, 'q:6');
    },
  });
  await using _ = connection;
  const [press] = receiver.events;
  assert.ok(press?.type === 'press' && press.handle !== undefined);
  assert.deepEqual([press.value, press.messageId, press.sender.id], ['q:6', card.messageId, ann.id]);
  await until(() => server.log.interactions[0]?.answer !== undefined, 'the acknowledgement');
  await adapter.answerPress?.(press.handle, 'Noted.', never);
  const content = { type: 'card', markdown: 'Chosen.', buttons: [] } as const;
  assert.equal((await adapter.edit?.({ chatId: direct.id, messageId: card.messageId, content }, never))?.type, 'sent');
  assert.deepEqual(
    server.visible(direct).map(({ content: text, ephemeralFor }) => [text, ephemeralFor]),
    [
      ['Chosen.', undefined],
      ['Noted.', ann.id],
    ],
  );
  assert.deepEqual(server.message(card.messageId)?.components, []);
  assert.deepEqual(server.log.interactions[0]?.answer?.type, 6);
});

test('the menu is written when it differs, and left alone when it does not', async () => {
  await using stage = await openBot();
  const { server, bot, adapter } = stage;
  const writes = () => server.log.calls.filter(({ method }) => method === 'PUT').length;
  await adapter.publishCommands?.(MENU, never);
  await adapter.publishCommands?.(MENU.toReversed(), never);
  assert.deepEqual([server.commandsOf(bot), writes()], [['status', 'stop'], 1]);
  await adapter.publishCommands?.([{ name: 'status', summary: 'Otherwise' }], never);
  assert.deepEqual([server.commandsOf(bot), writes()], [['status'], 2]);
  server.fault({ at: 'call', do: { type: 'status', status: 500 } });
  await adapter.publishCommands?.(MENU, never);
  assert.match(stage.logged.join('\n'), /menu of commands/);
});
