import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPlatformAdapter } from '../../../src/app/gateway/platforms.ts';
import { LINK_TIMES, type LinkTimes, type PlatformLink } from '../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../src/faces/gateway/link/link.ts';
import {
  createMessage,
  createReceiver,
  listCursors,
  listTexts,
  never,
  type PlatformScene,
} from '../../../src/testing/conformance/platform-scene.ts';
import { SCENES } from './scenes.ts';

/** Short enough to wait for, and long enough for a busy machine. */
const TIMES: LinkTimes = { ...LINK_TIMES, connect: 10_000, first: 10_000, deaf: 2_000, look: 50, close: 2_000, waits: [50] };
const WORKER_TIMES = { startMs: 20_000, beatMs: 50, answerMs: 10_000 };

interface Story {
  readonly scene: PlatformScene;
  readonly link: PlatformLink;
  readonly texts: () => readonly string[];
}
async function tell(scene: PlatformScene, story: (story: Story) => Promise<void>): Promise<void> {
  const receiver = createReceiver();
  // A poll that is answered is a sign of life: here they must come quickly.
  const settings = { ...scene.settings, extra: { ...scene.settings.extra, poll_seconds: 1 } };
  await using link = openLink({
    account: { platform: scene.kind.id, account: 'main' },
    openAdapter: () => openPlatformAdapter({ platform: scene.kind.id, settings, log: () => {}, times: WORKER_TIMES, ...scene.offers }),
    receive: async (batch) => {
      receiver.events.push(...batch.filter((event) => event.type !== 'cursor'));
      for (const { cursor } of batch) if (cursor !== undefined) receiver.cursors.set(cursor.scope, cursor.value);
    },
    cursors: async () => listCursors(receiver),
    log: () => {},
    times: TIMES,
  });
  await until(() => link.state().type === 'connected');
  await story({ scene, link, texts: () => listTexts(receiver) });
}
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

describe('links to all platforms, in workers', { concurrency: true }, () => {
  for (const [id, open] of Object.entries(SCENES))
    test(`${id}: deaf while sends succeed, cut off, out of reach: each time it is heard again, by one socket`, async () => {
      await using scene = await open();
      await tell(scene, async ({ link, texts }) => {
        await scene.say('one');
        await until(() => texts().length === 1);

        scene.fault({ type: 'deaf' });
        const before = link.state().generation;
        await scene.say('two');
        assert.equal((await link.send(createMessage(scene, 'sends work'), never)).type, 'sent');
        await until(() => link.state().generation > before);
        scene.mend();
        await until(() => texts().length === 2);

        scene.fault({ type: 'drop' });
        await scene.say('three');
        await until(() => texts().length === 3);

        scene.fault({ type: 'unreachable' });
        scene.fault({ type: 'drop' });
        await until(() => link.state().type === 'waiting');
        await scene.say('four');
        scene.mend();
        await until(() => texts().length === 4);

        assert.deepEqual(texts(), ['one', 'two', 'three', 'four']);
        await until(() => link.state().type === 'connected' && scene.sockets() === 1);
      });
      await until(() => scene.sockets() === 0);
    });
});
