import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBatch } from '../../../../src/contracts/platform-adapter.ts';
import { LINK_TIMES } from '../../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../../src/faces/gateway/link/link.ts';
import { telegram } from '../../../../src/platforms/telegram/index.ts';
import { openListener } from '../../../platforms/telegram/listener.ts';
import { settingsFor } from '../../../platforms/telegram/scene.ts';
import { telegramStage } from '../../../testing/platforms/telegram/stage.ts';
import { openInProcess } from '../in-process.ts';
import { speedTimeUp } from './fast-time.ts';

test('a webhook that Telegram cannot reach is not called connected while updates wait, and all of them come once the way is open', async () => {
  const { setTimeout: sleep } = globalThis;
  using _fast = speedTimeUp(25);
  await using stage = await telegramStage();
  const { server, ann, dm } = stage;
  await using listener = await openListener();
  const texts = new Map<string, string>();
  await using link = openLink({
    account: { platform: 'telegram', account: 'main' },
    openAdapter: () => openInProcess(telegram, settingsFor(stage, { webhook_url: listener.url }), () => {}, { listen: listener.listen }),
    receive: async (batch: EventBatch) => {
      for (const event of batch) if (event.type === 'message') texts.set(event.key, event.text);
    },
    cursors: async () => [],
    log: () => {},
    // A loaded machine is no computer that slept.
    times: { ...LINK_TIMES, jump: 400_000 },
  });
  const comesTo = async (isSo: () => boolean, what: string) => {
    for (let tries = 0; tries < 2000 && !isSo(); tries += 1) await new Promise((resolve) => void sleep(resolve, 10));
    assert.ok(isSo(), `${what}: ${JSON.stringify(link.state())}`);
  };
  await comesTo(() => link.state().type === 'connected', 'it is connected');
  listener.tunnel.isBroken = true;
  server.people.say(dm, ann, 'one');
  await comesTo(() => /does not reach the webhook.*502/.test(JSON.stringify(link.state())), 'it says why nothing is received');
  server.people.say(dm, ann, 'two');
  const generation = link.state().generation;
  const seen = new Set<string>();
  await comesTo(() => {
    seen.add(link.state().type);
    return link.state().generation > generation + 2;
  }, 'it tries again');
  assert.equal(seen.has('connected'), false);
  listener.tunnel.isBroken = false;
  await comesTo(() => texts.size === 2 && link.state().type === 'connected', 'it is connected again');
  assert.deepEqual([...texts.values()], ['one', 'two']);
});
