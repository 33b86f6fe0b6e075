import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { openScene, type GatewayScene } from '../scene.ts';

/** Waits of minutes are over at once. */
const clock = { ...systemClock, sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(Math.min(ms, 50), signal) };

async function openDown(isDown: () => boolean): Promise<GatewayScene> {
  return openScene({
    script: ({ messages }) =>
      isDown()
        ? { fails: { type: 'overloaded', status: 529, detail: 'overloaded' } }
        : { text: `Answer ${messages.filter(({ message }) => message.role === 'user').length}` },
    config: 'agent:\n  api_max_retries: 0\ndisplay:\n  busy_input_mode: queue\n',
    isUnlimited: true,
    overrides: { clock },
  });
}
const isTold = (text: string): boolean => text.startsWith('The model cannot be reached');

test('messages that wait for a model that is down are answered when it is back, and the chat is told once', async () => {
  let isDown = true;
  await using scene = await openDown(() => isDown);
  const { server, ann, dm } = scene.stage;
  for (const words of ['one', 'two', 'three']) server.people.say(dm, ann, words);
  await scene.until(() => scene.said().some(isTold));
  await scene.until(() => scene.gateway().waiting === 1);
  await scene.restart();
  await scene.until(() => scene.gateway().waiting === 1);
  assert.equal(scene.said().length, 1);
  isDown = false;
  await scene.until(() => scene.said().length === 4);
  assert.deepEqual(scene.said().slice(1), ['Answer 1', 'Answer 2', 'Answer 3']);
});

test('/stop ends what waits for a model that is down', async () => {
  await using scene = await openDown(() => true);
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'one');
  await scene.until(() => scene.gateway().waiting === 1);
  server.people.say(dm, ann, '/stop');
  await scene.until(() => scene.gateway().waiting + scene.gateway().running === 0);
  const [session] = await scene.host().store.list();
  assert.equal(await scene.host().store.turn(session?.id ?? ''), undefined);
});
