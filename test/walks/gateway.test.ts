import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage } from './gateway-stage.ts';
import { stage } from './stage.ts';

test('the program answers a message, refuses a second gateway of its home, and ends when it is told to', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) });
  const program = await scene.start();
  scene.say('hi');
  await until(() => scene.said().join() === 'Hello Ann.', 'answered');
  const second = await scene.place.run(['gateway', 'run'], { env: scene.env });
  assert.equal(second.code, 1);
  assert.match(second.err, new RegExp(`the gateway of .* is running already, as process ${program.pid}\\.`));
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null });
  assert.match(program.err(), /telegram: connected as .*\n.*Gateway running with 1 platform\n/);
});

for (const signal of ['SIGTERM', 'SIGKILL', 'SIGUSR1'] as const)
  test(`a turn that ${signal} cut off goes on after the next start, and is answered once`, async () => {
    let calls = 0;
    const answer = () => (++calls === 1 ? { text: 'never said to the end', paceMs: 60_000 } : { text: 'Here I am again.' });
    await using scene = await gatewayStage({ answer }, { gateway: { restart_drain_timeout: 0 }, streaming: { enabled: false } });
    const first = await scene.start();
    scene.say('begin');
    await until(() => calls === 1, 'asked');
    first.kill(signal);
    const expected = { SIGTERM: { code: 0, signal: null }, SIGUSR1: { code: 75, signal: null }, SIGKILL: { code: null, signal } };
    assert.deepEqual(await first.ended, expected[signal], first.err());
    const again = await scene.start();
    await until(() => scene.said().length > 0, 'answered');
    assert.deepEqual(scene.said(), ['Here I am again.'], again.err());
  });

test('a home without a platform ends with 78 and says what to set', async () => {
  const { code, err } = await stage().run(['gateway', 'run']);
  assert.equal(code, 78);
  assert.match(err, /No chat platform is set up.*hermes gateway setup.*TELEGRAM_BOT_TOKEN/s);
});
