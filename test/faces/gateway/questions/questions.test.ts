import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import type { GatewayStore } from '../../../../src/contracts/gateway-store.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import type { ReplyAddress } from '../../../../src/faces/gateway/contract.ts';
import { createQuestions } from '../../../../src/faces/gateway/questions/questions.ts';
import { openPeopleStore } from '../access/people-store.ts';
import { openScene, type GatewayScene } from '../scene.ts';

/** Needs consent, and leaves a mark for each time it was run. */
const COMMAND = 'mkdir -p build && chmod -R 777 build && echo mark >> marks';

const findCard = ({ stage: { server, dm } }: GatewayScene) => server.log.visible(dm).find(({ buttons }) => (buttons?.length ?? 0) > 0);
const countMarks = ({ root }: GatewayScene): number =>
  globSync(join(root, 'workspaces', '*', 'marks')).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n')).length;

/** A chat in which the agent has asked whether it may run the command. */
async function openAsking(): Promise<GatewayScene> {
  const scene = await openScene({
    script: ({ messages }) =>
      messages.at(-1)?.message.role === 'tool'
        ? { text: 'Over.' }
        : { calls: [{ id: 'c1', name: 'terminal', input: { command: COMMAND } }] },
    config: 'terminal:\n  backend: local\n',
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'open it up');
  await scene.until(() => findCard(scene) !== undefined);
  return scene;
}
const isOver = (scene: GatewayScene) => () => scene.said().includes('Over.');
const press = (scene: GatewayScene, label: string): void => {
  const { server, ann, dm } = scene.stage;
  server.people.press(dm, ann, findCard(scene)?.id ?? 0, label);
};

for (const [label, marks] of [
  ['Yes, this once', 1],
  ['No', 0],
] as const)
  test(`a press on “${label}” decides, and the card says so and loses its buttons`, async () => {
    await using scene = await openAsking();
    press(scene, label);
    await scene.until(isOver(scene));
    assert.equal(countMarks(scene), marks);
    await scene.until(() => findCard(scene) === undefined);
    assert.ok(scene.said().some((text) => text.startsWith('Run this command?') && text.endsWith(label)));
  });

test('words decide as well', async () => {
  await using scene = await openAsking();
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'Yes');
  await scene.until(isOver(scene));
  assert.equal(countMarks(scene), 1);
  await scene.until(() => findCard(scene) === undefined);
});

test('a card outlives the gateway: it is not shown twice, and a press after the restart runs the command once', async () => {
  await using scene = await openAsking();
  await scene.restart();
  assert.equal(scene.said().filter((text) => text.startsWith('Run this command?')).length, 1);
  press(scene, 'Yes, this once');
  await scene.until(isOver(scene));
  assert.equal(countMarks(scene), 1);
  assert.equal(scene.said().filter((text) => text.startsWith('Run this command?')).length, 1);
});

test('a press while the gateway is away counts when it is back', async () => {
  await using scene = await openAsking();
  await scene.restart(() => press(scene, 'Yes, this once'));
  await scene.until(isOver(scene));
  assert.equal(countMarks(scene), 1);
});

for (const words of ['/approve', 'yes'])
  test(`“${words}” after a restart decides once, closes the card and is no message for the model`, async () => {
    await using scene = await openAsking();
    const { server, ann, dm } = scene.stage;
    await scene.restart(() => void server.people.say(dm, ann, words));
    await scene.until(isOver(scene));
    await scene.until(() => findCard(scene) === undefined);
    assert.equal(countMarks(scene), 1);
    assert.deepEqual(
      scene.said().filter((text) => !text.startsWith('Run this command?')),
      words === 'yes' ? ['Over.'] : scene.said().filter((text) => text === 'Approved.' || text === 'Over.'),
    );
  });

test('what a guest wants done is asked of the owner, in the owner’s chat; a guest’s press counts for nothing', async () => {
  await using scene = await openScene({
    script: ({ messages }) =>
      JSON.stringify(messages).includes('open it up') && !messages.some(({ message }) => message.role === 'tool')
        ? { calls: [{ id: 'c1', name: 'terminal', input: { command: COMMAND } }] }
        : { text: 'Over.' },
    allowed: (id) => `${id},${id + 1}`,
    config: ({ ann }) => `    owners: ['${ann.id}']\n    tools:\n      guests: [terminal]\nterminal:\n  backend: local\n`,
  });
  const { server, bot, ann, dm } = scene.stage;
  const bob = server.people.addUser('Bob', { username: 'bob' });
  const other = server.people.openPrivate(bot, bob);
  const said = () => server.log.visible(other).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
  server.people.say(dm, ann, 'hello');
  await scene.until(isOver(scene));
  server.people.say(other, bob, 'open it up');
  await scene.until(() => findCard(scene) !== undefined);
  assert.deepEqual(said(), []);
  server.people.say(other, bob, 'yes');
  press(scene, 'Yes, this once');
  await scene.until(() => said().includes('Over.'));
  assert.equal(countMarks(scene), 1);
});

test('words decide nothing while several questions wait in a chat, and none that was asked in another topic; a press does', async () => {
  await using scene = await openScene({
    isUnlimited: true,
    script: ({ messages }) =>
      messages.at(-1)?.message.role === 'tool'
        ? { text: 'Over.' }
        : { calls: [{ id: 'c1', name: 'terminal', input: { command: COMMAND } }] },
    config: ({ ann }) =>
      `    owners: ['${ann.id}']\n    allow_all_users: true\n    tools:\n      guests: [terminal]\nterminal:\n  backend: local\n`,
  });
  const { server, bot, ann, dm } = scene.stage;
  const forum = server.people.openGroup('supergroup', 'Forum', [ann, bot], { isForum: true });
  const [one, other] = ['One', 'Other'].map((name) => server.people.addTopic(forum, ann, name));
  const heard = () => server.log.visible(forum).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
  server.people.say(forum, ann, { text: 'open it up', topic: one ?? 0 });
  await scene.until(() => heard().some((text) => text.startsWith('Run this command?')));
  server.people.say(forum, ann, { text: '/approve', topic: other ?? 0 });
  await scene.until(() => heard().includes('Nothing is waiting for your approval in this chat.'));

  const bob = server.people.addUser('Bob', { username: 'bob' });
  server.people.say(dm, ann, 'open it up');
  await scene.until(() => cards(scene).length === 1);
  server.people.say(server.people.openPrivate(bot, bob), bob, 'open it up');
  await scene.until(() => cards(scene).length === 2);
  server.people.say(dm, ann, '/approve');
  await scene.until(() => scene.said().some((text) => text.startsWith('2 questions are waiting here')));
  assert.equal(countMarks(scene), 0);
  server.people.press(dm, ann, cards(scene)[0]?.id ?? 0, 'Yes, this once');
  await scene.until(isOver(scene));
  assert.deepEqual([countMarks(scene), cards(scene).length], [1, 1]);
});
const cards = ({ stage: { server, dm } }: GatewayScene) => server.log.visible(dm).filter(({ buttons }) => (buttons?.length ?? 0) > 0);

test('words that are handled again after a death mean the question they meant before, and none that was asked since', async () => {
  await using people = await openPeopleStore();
  const address: ReplyAddress = {
    routeKey: 'agent:main:telegram:private:7',
    target: { platform: 'telegram', account: 'main', chatId: '7' },
    senderId: '7',
    role: 'owner',
  };
  await admitFirst(people.store, address);
  const decided: string[] = [];
  const questions = createQuestions({
    store: people.store,
    sessions: { turn: async () => undefined },
    findAccount: () => undefined,
    findOwner: async () => address,
    wake: () => {},
    approvals: {
      list: async () => [{ id: 'q1', at: 0, state: 'used', tool: 'terminal', summary: 'one', reason: '' }],
      decide: async (id) => void decided.push(id),
      leave: async () => true,
    },
  });
  const { signal } = new AbortController();
  const ask = (id: string) => questions.ask({ question: 'Run it?', act: id, id, choices: ['Yes', 'No'] }, address, signal);
  const first = ask('q1');
  await people.store.deliveries({});
  assert.equal(await questions.decide('approve', '', { address, key: 'arrival:1' }), 'Approved.');
  assert.equal(await first, 'Yes');
  void ask('q2').catch(() => undefined);
  await people.store.deliveries({});
  assert.equal(await questions.decide('approve', '', { address, key: 'arrival:1' }), 'Approved.');
  assert.equal(await questions.answerByWords('hello', { address, key: 'arrival:2' }), undefined);
  assert.deepEqual([...new Set(decided)], ['q1']);
});

test('a question that is over before its card is planned ends whoever asked it, and nothing else', async () => {
  await using people = await openPeopleStore();
  const address: ReplyAddress = {
    routeKey: 'agent:main:telegram:private:7',
    target: { platform: 'telegram', account: 'main', chatId: '7' },
    senderId: '7',
    role: 'owner',
  };
  let planned = Promise.withResolvers<void>();
  const questions = createQuestions({
    sessions: { turn: async () => undefined },
    store: { ...people.store, plan: () => planned.promise.then(() => []) },
    findAccount: () => undefined,
    findOwner: async () => address,
    wake: () => {},
    approvals: { list: async () => [], decide: async () => {}, leave: async () => true },
  });
  for (const isLate of [false, true]) {
    planned = Promise.withResolvers();
    const stop = new AbortController();
    if (isLate) stop.abort();
    const asked = questions.ask({ question: 'Run it?', act: 'rm', id: 'q1', choices: ['Yes', 'No'] }, address, stop.signal);
    const ended = assert.rejects(asked, /Nobody answered in time/);
    stop.abort();
    // A rejection that nobody waits for yet would end the process here.
    await breathe();
    planned.resolve();
    await ended;
  }
});

test('what a guest wants done is asked of the owner ten times an hour at most, and a stopped question loses its buttons', async () => {
  await using people = await openPeopleStore();
  const at = (chatId: string, role: ReplyAddress['role']): ReplyAddress => ({
    routeKey: `agent:main:telegram:private:${chatId}`,
    target: { platform: 'telegram', account: 'main', chatId },
    senderId: chatId,
    role,
  });
  const questions = createQuestions({
    store: people.store,
    sessions: { turn: async () => undefined },
    findAccount: () => undefined,
    findOwner: async () => at('7', 'owner'),
    wake: () => {},
    approvals: { list: async () => [], decide: async () => {}, leave: async () => true },
  });
  const ask = async (id: string): Promise<string> => {
    const stop = new AbortController();
    const asked = questions.ask({ question: 'Run it?', act: 'rm', id, choices: ['Yes', 'No'] }, at('8', 'guest'), stop.signal);
    const ended = asked.then(String, (error: unknown) => String(error));
    while (
      (await people.store.deliveries({ key: `question:${id}` })).length === 0 &&
      (await Promise.race([ended, breathe()])) === undefined
    );
    stop.abort('interrupted');
    return ended;
  };
  const results: string[] = [];
  for (let count = 1; count <= 11; count++) results.push(await ask(`q${count}`));
  assert.match(results[9] ?? '', /Nobody answered in time/);
  assert.match(results[10] ?? '', /is not asked again before that is over/);
  const [closed] = await people.store.deliveries({ key: 'answered:q1' });
  assert.ok(closed?.content.type === 'edit' && closed.content.markdown.includes('No longer open.'));
});

/** The chat is known: somebody wrote there. */
async function admitFirst(store: GatewayStore, { routeKey, target, senderId }: ReplyAddress): Promise<void> {
  const chat = { chatId: target.chatId, type: 'private' } as const;
  const event = { type: 'message', key: '1', chat, sender: { id: senderId, isBot: false }, sentAt: 0, messageId: '1', text: 'hi' } as const;
  await store.receive([{ ...target, eventKey: '1', serialKey: routeKey, event: { ...event, isAddressed: true, media: [] } }], []);
  const [row] = await store.take('arrival', { owner: 'test', leaseMs: 60_000, limit: 1 });
  const session = { source: 'gateway', cwd: '/', model: '', provider: '' };
  const item = { content: [createTextBlock('hi', 'owner')], mode: 'queue', key: '1' } as const;
  await store.admit(row?.taken ?? assert.fail(), { routeKey, target, chat, session, item });
}
