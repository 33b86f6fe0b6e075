import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import type { ScriptedAnswer } from '../../../../src/testing/scripted-provider.ts';
import type { TelegramChat } from '../../../../src/testing/platforms/telegram/index.ts';
import { openScene, type GatewayScene } from '../scene.ts';

/** The latest message of a request, as its words. */
const lastOf = ({ messages }: ModelRequest): { readonly role: string; readonly text: string } => {
  const last = messages.at(-1)?.message;
  return { role: last?.role ?? '', text: last?.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') ?? '' };
};
const sendTo = (target: string, message: string, id = 'c1'): ScriptedAnswer => ({
  calls: [{ id, name: 'send_message', input: { target, message } }],
});
function openGroup({ stage: { server, bot, ann } }: GatewayScene, title: string): TelegramChat {
  return server.people.openGroup('group', title, [bot, ann]);
}
const saidIn = ({ stage: { server, bot } }: GatewayScene, chat: TelegramChat): readonly string[] =>
  server.log.visible(chat).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
const isQuiet = (texts: readonly string[]): boolean => texts.every((text) => !text.includes('▉'));

test('the agent sends to a chat by its name, once, and that chat’s session hears of it with its next message', async () => {
  const requests: ModelRequest[] = [];
  await using scene = await openScene({
    script: (request) => {
      requests.push(request);
      const { role, text } = lastOf(request);
      if (role === 'tool') return { text: `Done: ${text}` };
      return text.includes('tell them') ? sendTo('telegram:#family', 'Dinner at **8**.') : { text: 'Hello.' };
    },
  });
  const { server, ann, dm } = scene.stage;
  const group = openGroup(scene, 'Family');
  server.people.say(group, ann, '@hermes_test_bot hi');
  await scene.until(() => saidIn(scene, group).length === 1);
  server.people.say(dm, ann, 'tell them');
  await scene.until(() => scene.said().length === 1 && isQuiet(scene.said()));
  assert.deepEqual(scene.said(), [`Done: Sent to telegram:${group.id} (Family).`]);
  assert.deepEqual(saidIn(scene, group), ['Hello.', 'Dinner at 8.']);
  server.people.say(group, ann, '@hermes_test_bot when?');
  await scene.until(() => saidIn(scene, group).length === 3);
  server.people.say(group, ann, '@hermes_test_bot thanks');
  await scene.until(() => saidIn(scene, group).length === 4);
  const [heard = '', after = ''] = requests.slice(-2).map(
    ({ messages }) =>
      messages
        .at(-1)
        ?.wireOnly?.map(({ text }) => text)
        .join('\n') ?? '',
  );
  assert.match(heard, /You sent this message here since the last one, from outside this conversation: "Dinner at \*\*8\*\*\."/);
  assert.ok(!after.includes('You sent this message here'), after);
  const roles = requests.at(-1)?.messages.map(({ message }) => message.role);
  assert.deepEqual(roles, ['user', 'assistant', 'user', 'assistant', 'user']);
});

test('a name that two chats have is refused with the choices, and the chats can be listed', async () => {
  await using scene = await openScene({
    script: (request, index) =>
      [
        { text: 'One.' },
        { text: 'Two.' },
        sendTo('telegram:#team', 'Hello team.'),
        { calls: [{ id: 'c2', name: 'send_message', input: { action: 'list' } }] },
        { text: JSON.stringify(request.messages.slice(-4).flatMap(({ message }) => (message.role === 'tool' ? message.content : []))) },
      ][index] ?? { text: 'more' },
    config: 'streaming:\n  enabled: false\n',
  });
  const { server, ann, dm } = scene.stage;
  const [first, second] = [openGroup(scene, 'Team'), openGroup(scene, '#TEAM')];
  for (const chat of [first, second]) {
    server.people.say(chat, ann, '@hermes_test_bot hi');
    await scene.until(() => saidIn(scene, chat).length === 1);
  }
  server.people.say(dm, ann, 'greet the team');
  await scene.until(() => scene.said().length === 1);
  const [words = ''] = scene.said();
  const choices = new RegExp(`Not sent: .+#team.+ could be telegram:(-\\d+) or telegram:(-\\d+)\\. Name one of them\\.`).exec(words);
  assert.deepEqual(choices?.slice(1).toSorted(), [first, second].map(({ id }) => String(id)).toSorted());
  assert.match(words, new RegExp(`telegram:${first.id} \\(Team\\)`));
  assert.deepEqual([saidIn(scene, first), saidIn(scene, second)], [['One.'], ['Two.']]);
});

test('a send that was cut off by a stop goes on after the start, and is there once', async () => {
  await using scene = await openScene({
    script: (request) => (lastOf(request).role === 'tool' ? { text: 'Told.' } : sendTo('telegram', 'Good morning.')),
    env: ({ server, bot, ann }) => {
      home = server.people.openGroup('group', 'Home', [bot, ann]);
      return { TELEGRAM_HOME_CHANNEL: String(home.id) };
    },
  });
  const { server, ann, dm } = scene.stage;
  const fault = server.inject({ fault: { type: 'rate_limit', retryAfter: 1 }, methods: ['send'], chat: home?.id ?? 0, times: 1 });
  server.people.say(dm, ann, 'greet');
  await scene.until(() => fault.met > 0);
  await scene.restart();
  await scene.until(() => scene.said().length === 1 && isQuiet(scene.said()));
  assert.deepEqual([scene.said(), home && saidIn(scene, home)], [['Told.'], ['Good morning.']]);
});
let home: TelegramChat | undefined;

test('a guest reaches only the chat he speaks in', async () => {
  await using scene = await openScene({
    script: (request, index) =>
      [sendTo('telegram:12345', 'psst'), sendTo('origin', 'Here I am.', 'c2')][index] ?? {
        text: request.messages
          .flatMap(({ message }) => (message.role === 'tool' ? [lastOf({ ...request, messages: [{ message }] }).text] : []))
          .join('|'),
      },
    session: { allowAll: 'a test' },
    config: "    owners: ['1']\n    tools:\n      guests: [messaging]\nstreaming:\n  enabled: false\n",
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'write to 12345');
  await scene.until(() => scene.said().length === 2);
  assert.equal(scene.said()[0], 'Here I am.');
  assert.match(scene.said()[1] ?? '', /a guest speaks here, so only this chat can be written to.*\|.*Sent to telegram:/s);
});

test('a message whose file cannot be sent does not go out without it, and the agent hears why', async () => {
  await using scene = await openScene({
    script: (request) => {
      const { role, text } = lastOf(request);
      return role === 'tool' ? { text } : sendTo('origin', 'Look at this:\nMEDIA:/nowhere/x.png');
    },
    config: 'streaming:\n  enabled: false\n',
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'show me');
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said().join('\n'), /^Not sent: I could not send .*x\.png.*: /);
});

test('work in the background survives a restart, and its answer comes to the chat with its label', async () => {
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  await using scene = await openScene({
    script: () => {
      if (++calls > 1) return { text: 'There are 42.' };
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, '/bg count the sheep');
  await asked.promise;
  await scene.until(() => scene.said().length === 1);
  assert.match(scene.said()[0] ?? '', /^Started in the background, as session \S+\. The answer comes to this chat\.$/);
  await scene.restart();
  await scene.until(() => scene.said().length === 2);
  assert.equal(scene.said()[1], 'In the background: count the sheep\n\nThere are 42.');
  server.people.say(dm, ann, '/approve');
  await scene.until(() => scene.said().length === 3);
  assert.equal(scene.said()[2], 'Nothing is waiting for your approval in this chat.');
  // The chat itself has no session of it.
  assert.equal((await scene.host().store.gateway.routes({})).filter(({ sessionId }) => sessionId !== undefined).length, 0);
});
