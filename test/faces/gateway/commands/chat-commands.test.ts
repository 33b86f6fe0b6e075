import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene, type GatewayScene } from '../scene.ts';

const open = (script: Parameters<typeof openScene>[0]['script'] = () => ({ text: 'Hello.' })): Promise<GatewayScene> =>
  openScene({ script, isUnlimited: true });

async function ask(scene: GatewayScene, words: string): Promise<string> {
  const { server, ann, dm } = scene.stage;
  const before = scene.said().length;
  server.people.say(dm, ann, words);
  await scene.until(() => scene.said().length > before);
  return scene.said().slice(before).join('\n');
}

test('/start greets, /help is one message and /commands tells more', async () => {
  await using scene = await open();
  assert.match(await ask(scene, '/start'), /^I am your agent\..*\/help/);
  const before = scene.said().length;
  const help = await ask(scene, '/help');
  assert.match(help, /\/busy.*\n?[\s\S]*\/help NAME explains one/);
  await ask(scene, '/whoami');
  assert.equal(scene.said().length, before + 2, '/help needs one message');
  assert.match(await ask(scene, '/commands'), /\/resume \[session\]|\/new/);
});

test('/resume, /sessions and /model list what there is', async () => {
  await using scene = await open();
  await ask(scene, 'hello');
  const [session] = await scene.host().store.list();
  for (const command of ['/resume', '/sessions']) assert.ok((await ask(scene, command)).includes(session?.id ?? '?'), command);
  assert.match(await ask(scene, '/model'), /^The model is .*\n(?:It offers:|Its provider could not be asked)/);
  for (const command of ['/memory', '/tools']) assert.doesNotMatch(await ask(scene, command), /no command|is no command/, command);
});

test('/busy, /verbose and /reasoning hold for the chat, also after a restart, and /yolo for the session', async () => {
  await using scene = await open();
  await ask(scene, 'hello');
  assert.equal(await ask(scene, '/busy queue'), 'Messages during a turn in this chat: queue.');
  assert.equal(await ask(scene, '/verbose off'), 'Tool calls shown in this chat: off.');
  assert.equal(await ask(scene, '/reasoning loud'), '/reasoning takes show, hide.');
  await scene.restart();
  assert.match(await ask(scene, '/busy'), /^Messages during a turn: queue\./);
  assert.match(await ask(scene, '/yolo'), /no longer asks before risky commands/);
  assert.equal(await ask(scene, '/yolo off'), 'This session asks before risky commands.');
});

test('/stop says what still waits, and /stop all drops it', async () => {
  await using scene = await openScene({
    script: () => ({ text: 'word '.repeat(5_000), chunk: 5, paceMs: 50 }),
    config: 'display:\n  busy_input_mode: queue\nstreaming:\n  enabled: false\n',
    isUnlimited: true,
  });
  const { server, ann, dm } = scene.stage;
  const { store } = scene.host();
  server.people.say(dm, ann, 'one');
  await scene.until(() => scene.gateway().running === 1);
  for (const words of ['two', 'three', 'four']) server.people.say(dm, ann, words);
  const waiting = async () => (await store.waiting((await store.list())[0]?.id ?? '')).length;
  await scene.until(async () => (await waiting()) === 3);
  server.people.say(dm, ann, '/stop all');
  // What the stopped turn had said may come first.
  await scene.until(() => scene.said().includes('Stopped. 3 messages were waiting and dropped.'));
  assert.equal(await waiting(), 0);
});
