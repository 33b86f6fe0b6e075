import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepBlocks } from '../../../../src/faces/gateway/send/kept-blocks.ts';
import { createRates } from '../../../../src/faces/gateway/send/rates.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';
import { openScene } from '../scene.ts';

const traits = { rates: [] };
const chat = (chatId: string, account = 'main') => ({ platform: 'telegram', account, chatId });

test('a new process waits as long as the service asked the one before, and not longer when the clock was set back', async () => {
  await using staged = await stageGatewayStore();
  let steady = 0;
  let wall = staged.now();
  const pass = (ms: number): void => {
    steady += ms;
    wall += ms;
  };
  const open = () =>
    keepBlocks(
      createRates(() => steady),
      { store: staged.store, clock: { now: () => wall } },
    );
  const first = open();
  await first.recall();
  first.block(chat('1'), 60_000, 'chat');
  first.block(chat('2', 'work'), 90_000, 'account');
  first.block(chat('3'), 1_000, 'chat');
  first.block(chat('4'), 10_000, 'chat');
  pass(20_000);
  const second = open();
  await second.recall();
  const waits = (rates: ReturnType<typeof open>) =>
    [chat('1'), chat('other', 'work'), chat('3'), chat('4'), chat('other')].map((target) => rates.take({ target, traits }));
  assert.deepEqual(waits(second), [40_000, 70_000, 0, 0, 0]);
  // What is known from before is kept beside what comes anew.
  second.block(chat('5'), 30_000, 'chat');
  wall -= 3_600_000;
  const third = open();
  await third.recall();
  assert.deepEqual(waits(third), [60_000, 90_000, 0, 0, 0]);
  assert.equal(third.take({ target: chat('5'), traits }), 30_000);
});

test('a chat whose service asked to wait gets nothing after a restart either, no typing sign and no answer', async () => {
  let asked = 0;
  await using scene = await openScene({ script: async () => ({ text: `answer ${(asked += 1)}` }) });
  const { server, ann, dm } = scene.stage;
  server.inject({ fault: { type: 'rate_limit', retryAfter: 600 }, methods: ['sendMessage'], times: 1 });
  server.people.say(dm, ann, 'hello');
  const pending = async () => (await scene.host().store.gateway.deliveries({ states: ['pending'] })).length;
  await scene.until(() => server.log.requests.some(({ fault }) => fault === 'rate_limit'));
  await scene.until(async () => (await pending()) === 1 && (await scene.host().store.fact('gateway sends blocked')) !== undefined);
  await scene.restart();
  const before = server.log.requests.length;
  server.people.say(dm, ann, 'are you there?');
  await scene.until(async () => asked === 2 && scene.gateway().running === 0 && (await pending()) === 2);
  const calls = server.log.requests.slice(before).filter(({ params }) => JSON.stringify(params['chat_id'] ?? '').includes(String(dm.id)));
  assert.deepEqual(
    calls.map(({ method }) => method),
    [],
  );
});
