import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../../src/base/json.ts';
import type { RecordedRequest, Reply } from '../../../../src/testing/wire-server/index.ts';
import { sized } from '../../../size.ts';
import { openGatewayHome } from '../kill/home.ts';
import { openScene, type GatewayScene } from '../scene.ts';
import type { StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';

const CHOICES = ['Blue', 'Green'];
const COMMAND = 'touch x && chmod 777 x && echo mark >> effects.txt';

/** Asks what it is told to ask, and ends with what it heard. */
function answerAsking({ text, body }: RecordedRequest): Reply {
  if (!isObject(body) || body['tools'] === undefined) return { text: 'A summary.' };
  if (text.includes('"role":"tool"'))
    return { text: text.includes('"Green"') || text.includes('"content":"Green') ? 'done Green' : 'done' };
  return text.includes('ask me')
    ? { calls: [{ name: 'clarify', arguments: { question: 'Which color?', choices: CHOICES } }] }
    : { calls: [{ name: 'terminal', arguments: { command: COMMAND } }] };
}

const RESTARTS = sized(6, 20);

test(`a question survives ${RESTARTS} kills with one card, and its answer then counts once`, async () => {
  await using stage = await STAGES.telegram({ chats: 2 });
  await using home = await openGatewayHome({ stages: [stage], answer: answerAsking });
  const [asked, consenting] = stage.chats;
  assert.ok(asked !== undefined && consenting !== undefined);
  const cards = (chat: StageChat) => stage.ours(chat).filter(({ hasButtons }) => hasButtons);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(20);
  };
  let gateway = home.start();
  await gateway.ready;
  stage.say(asked, { text: 'ask me' });
  stage.say(consenting, { text: 'run it' });
  await until(() => cards(asked).length > 0 && cards(consenting).length > 0);
  // A card whose receipt was not written yet may come again, as any message: here both have theirs.
  await sleep(2_000);
  for (let restart = 0; restart < RESTARTS; restart++) {
    await gateway.kill();
    gateway = home.start();
    await gateway.ready;
    // Long enough for the turns to be gone on with, in most rounds.
    await sleep(restart % 2 === 0 ? 400 : 0);
  }
  await sleep(1_000);
  for (const chat of [asked, consenting]) assert.deepEqual([cards(chat).length, stage.ours(chat).length], [1, 1]);
  stage.press(asked, cards(asked)[0]?.id ?? '', 1);
  stage.press(consenting, cards(consenting)[0]?.id ?? '');
  await until(() => [asked, consenting].every((chat) => stage.ours(chat).some(({ text }) => text.startsWith('done'))));
  assert.equal(stage.ours(asked).at(-1)?.text, 'done Green');
  assert.deepEqual(home.effects(), ['mark']);
  await gateway.stop();
});

const findCard = ({ stage: { server, dm } }: GatewayScene) => server.log.visible(dm).find(({ buttons }) => (buttons?.length ?? 0) > 0);

async function openAsking(): Promise<GatewayScene> {
  const scene = await openScene({
    script: ({ messages }) => {
      const last = messages.at(-1)?.message;
      if (last?.role === 'tool') return { text: `Heard: ${JSON.stringify(last.content).includes('Green') ? 'Green' : 'other'}` };
      return { calls: [{ id: 'c1', name: 'clarify', input: { question: 'Which color?', choices: CHOICES } }] };
    },
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'ask me');
  await scene.until(() => findCard(scene) !== undefined);
  return scene;
}

test('a turn that only waits for a person is not waited for when the gateway stops', async () => {
  await using scene = await openAsking();
  await scene.until(() => scene.gateway().waiting === 1);
  assert.equal(scene.gateway().running, 0);
  let isDrained = false;
  const drained = scene.gateway().drain(600_000);
  void drained.then(() => (isDrained = true));
  await scene.until(() => isDrained);
  assert.equal(scene.gateway().waiting, 1);
});

test('a choice that is pressed, or typed, while the gateway is away is the answer when it is back', async () => {
  for (const answer of ['press', 'words']) {
    await using scene = await openAsking();
    const { server, ann, dm } = scene.stage;
    const card = findCard(scene)?.id ?? 0;
    await scene.restart(() => (answer === 'press' ? server.people.press(dm, ann, card, 'Green') : server.people.say(dm, ann, 'Green')));
    await scene.until(() => scene.said().includes('Heard: Green'));
    await scene.until(() => findCard(scene) === undefined);
    assert.deepEqual(
      scene.said().filter((text) => text.startsWith('Which color?')),
      scene.said().slice(0, 1),
    );
  }
});

test('a question whose turn is stopped loses its buttons', async () => {
  await using scene = await openAsking();
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, '/stop');
  await scene.until(() => findCard(scene) === undefined);
  assert.match(scene.said()[0] ?? '', /No longer open\.$/);
});
