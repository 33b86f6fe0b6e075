import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openScene, type GatewayScene } from './scene.ts';

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
