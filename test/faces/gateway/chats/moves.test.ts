import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TelegramChat, TelegramPerson } from '../../../../src/testing/platforms/telegram/index.ts';
import { findTarget } from '../../../../src/faces/gateway/send/sends.ts';
import { openScene, type GatewayScene } from '../scene.ts';

const ACCOUNT = { platform: 'telegram', account: 'main' } as const;

/** A group that the settings name wherever a chat can be named, and somebody who may speak there and nowhere else. */
async function openFamily() {
  const tools: (readonly string[])[] = [];
  const world: { group?: TelegramChat; bob?: TelegramPerson } = {};
  const scene = await openScene({
    isUnlimited: true,
    script: (request) => {
      tools.push((request.tools ?? []).map(({ name }) => name).toSorted());
      return { text: `Answer ${tools.length}.` };
    },
    config: ({ server, ann, bot }) => {
      const bob = (world.bob = server.people.addUser('Bob'));
      const group = (world.group = server.people.openGroup('group', 'Family', [ann, bob, bot]));
      const id = `"${group.id}"`;
      return `      allowed_chats: [${id}]
      require_mention: true
      free_response_chats: ${id}
    group_allowed_chats: [${id}]
    tools:
      chats:
        ${id}: [todo]
    home_channel: ${id}
streaming:
  enabled: false
`;
    },
  });
  const { group, bob } = world;
  if (group === undefined || bob === undefined) return assert.fail('there is no group');
  writeFileSync(join(scene.root, 'channel_aliases.json'), JSON.stringify({ telegram: { family: String(group.id) } }));
  return { scene, group, bob, tools, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

const saidIn = ({ stage: { server, bot } }: GatewayScene, chat: TelegramChat): readonly string[] =>
  server.log.visible(chat).flatMap(({ from, text }) => (from === bot.id ? [text] : []));

/** Where what is sent to a target goes. */
async function placeOfTarget(scene: GatewayScene, wanted: string): Promise<string> {
  const account = scene.gateway().config(ACCOUNT);
  const found = await findTarget(wanted, { store: scene.host().store, accounts: account === undefined ? [] : [account], root: scene.root });
  return found.ok ? found.chat.target.chatId : found.why;
}

test('what is set for a group holds when it gets another id: at once, after a restart, and after a second move', async () => {
  await using family = await openFamily();
  const { scene, group, bob, tools } = family;
  const { server, ann, dm } = scene.stage;
  // The owner wrote before, so that there is a chat to be told in.
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().length === 1);
  server.people.say(group, bob, 'hello');
  await scene.until(() => saidIn(scene, group).length === 1);
  const session = async () => (await scene.host().store.gateway.routes({})).find(({ chat }) => chat.type === 'group')?.sessionId;
  const before = await session();

  const moved = server.people.upgrade(group, ann);
  server.people.say(moved, bob, 'are you still there?');
  await scene.until(() => saidIn(scene, moved).length === 1);
  assert.deepEqual([await session(), saidIn(scene, moved)], [before, ['Answer 3.']]);
  await scene.until(() => scene.said().length === 2);
  const told = scene.said()[1] ?? '';
  const at = ['extra.allowed_chats', 'extra.free_response_chats', 'group_allowed_chats', `tools.chats.${group.id}`, 'home_channel'];
  assert.equal(
    told,
    `The group “Family” has a new id on Telegram: ${moved.id} instead of ${group.id}. I go on with what you set for the old one. To keep it that way, replace ${group.id} with ${moved.id} in ${at.map((key) => `platforms.telegram.${key}`).join(', ')}, channel_aliases.json: telegram.family.`,
  );

  const isQuiet = async () => (await scene.host().store.gateway.deliveries({ states: ['pending'] })).length === 0;
  await scene.until(isQuiet);
  await scene.restart();
  server.people.say(moved, bob, '/new');
  await scene.until(() => saidIn(scene, moved).length === 2);
  server.people.say(moved, bob, 'and now?');
  await scene.until(() => saidIn(scene, moved).length === 3);
  assert.deepEqual([tools.at(-1), tools.at(-1)?.includes('todo'), tools[0]?.length === tools[1]?.length], [tools[1], true, false]);
  assert.deepEqual(
    [await placeOfTarget(scene, 'telegram'), await placeOfTarget(scene, 'telegram:#family')],
    [String(moved.id), String(moved.id)],
  );

  const again = server.people.upgrade(moved, ann);
  server.people.say(again, bob, 'and here?');
  await scene.until(async () => saidIn(scene, again).length === 1 && (await isQuiet()));
  await scene.restart();
  server.people.say(again, bob, 'and after that?');
  await scene.until(() => saidIn(scene, again).length === 2);
  assert.equal(await placeOfTarget(scene, 'telegram'), String(again.id));
  assert.deepEqual(
    scene.said().map((words) => /: (-\d+) instead of (-\d+)/.exec(words)?.slice(1).map(Number) ?? []),
    [[], [moved.id, group.id], [again.id, group.id]],
  );
});

test('a group that moves while nobody is connected is followed before what was said in it is looked at', async () => {
  await using family = await openFamily();
  const { scene, group, bob } = family;
  const { server, ann } = scene.stage;
  let moved = group;
  await scene.restart(() => {
    moved = server.people.upgrade(group, ann);
    server.people.say(moved, bob, 'hello');
  });
  await scene.until(() => saidIn(scene, moved).length === 1);
  // Nobody is the owner of a chat to be told in, so it is in the log.
  await scene.until(() => scene.log.some((words) => words.includes('has a new id')));
});

test('a group that nobody told of is as closed after its move as it was before', async () => {
  await using family = await openFamily();
  const { scene, bob } = family;
  const { server, ann, bot } = scene.stage;
  const other = server.people.openGroup('group', 'Others', [ann, bob, bot]);
  const moved = server.people.upgrade(other, ann);
  server.people.say(moved, bob, '@hermes_test_bot hello');
  const { gateway } = scene.host().store;
  await scene.until(async () => (await gateway.movedChats(ACCOUNT)).length === 1);
  server.people.say(family.group, bob, 'hello');
  await scene.until(() => saidIn(scene, family.group).length === 1);
  assert.deepEqual([saidIn(scene, moved), scene.log.filter((words) => words.includes('has a new id'))], [[], []]);
});

for (const isRestarted of [false, true])
  test(`a question that was asked before its group moved is answered in the group as it is now${isRestarted ? ', after a restart too' : ''}`, async () => {
    const world: { group?: TelegramChat } = {};
    await using scene = await openScene({
      isUnlimited: true,
      script: ({ messages }) =>
        messages.at(-1)?.message.role === 'tool'
          ? { text: 'Over.' }
          : { calls: [{ id: 'c1', name: 'terminal', input: { command: 'mkdir -p build && chmod -R 777 build' } }] },
      config: ({ server, ann, bot }) => {
        world.group = server.people.openGroup('group', 'Family', [ann, bot]);
        return `      free_response_chats: "${world.group.id}"\n    group_allowed_chats: ["${world.group.id}"]\n    tools:\n      chats:\n        "${world.group.id}": [terminal]\nterminal:\n  backend: local\n`;
      },
    });
    const { group } = world;
    if (group === undefined) return assert.fail('there is no group');
    const { server, ann } = scene.stage;
    server.people.say(group, ann, 'open it up');
    await scene.until(() => server.log.visible(group).some(({ buttons = [] }) => buttons.length > 0));
    const moved = server.people.upgrade(group, ann);
    await scene.until(async () => (await scene.host().store.gateway.movedChats(ACCOUNT)).length === 1);
    if (isRestarted) await scene.restart();
    server.people.say(moved, ann, '/approve');
    await scene.until(() => saidIn(scene, moved).includes('Over.'));
    assert.deepEqual(saidIn(scene, moved).toSorted(), ['Approved.', 'Over.']);
  });
