import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_TIMES, type LinkTimes } from '../../../../src/faces/gateway/link/contract.ts';
import { createSeededRandom, forAll, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { openScene, send, type LinkScene } from './link-scene.ts';

/** All times of a link at once, so that nothing changes but the scale. */
const SCALE = 1 / 1000;
const TIMES: LinkTimes = {
  ...LINK_TIMES,
  ...Object.fromEntries(
    Object.entries(LINK_TIMES).map(([name, ms]: [string, number | readonly number[]]) => [
      name,
      typeof ms === 'number' ? ms * SCALE : ms.map((wait) => wait * SCALE),
    ]),
  ),
};
/** 180 s. */
const MOST_DEAF = 180_000 * SCALE;
const MINUTE = 60_000 * SCALE;
const BROKEN = { kind: 'broken', why: 'It broke.' } as const;

/** Each breaks what is there, or what comes next. From then on the link has 180 s. */
const FAULTS: Readonly<Record<string, (scene: LinkScene, chance: SeededRandom) => void>> = {
  deafen: ({ service }) => service.deafen(),
  drop: ({ service }) => service.drop(BROKEN),
  drop_resumable: ({ service }) => service.drop({ ...BROKEN, resume: 'session' }),
  hang_at_close: ({ service }) => {
    for (const socket of service.sockets) socket.hangsAtClose = true;
    service.deafen();
  },
  black_hole_next: ({ service }) => {
    service.fates.splice(0, Infinity, 'black_holed');
    service.drop(BROKEN);
  },
  hang_next: ({ service }) => {
    service.fates.splice(0, Infinity, 'hangs');
    service.drop(BROKEN);
  },
  fail_next: ({ service }, chance) => {
    service.fates.splice(0, Infinity, ...chance.list(1, 2, () => BROKEN));
    service.drop(BROKEN);
  },
  crash: ({ service }) => service.crash('It crashed.'),
  fall_silent: ({ service }) => {
    service.isSilent = true;
    service.deafen();
  },
  sleep: ({ service, clock }) => {
    service.deafen();
    clock.jump(8 * 60 * MINUTE);
  },
  set_back: ({ clock }) => clock.jump(-8 * 60 * MINUTE),
};

test('whatever breaks, in whatever order: nothing is lost, nobody is deaf for more than 180 s, and one socket is left', async () => {
  let [faults, longest] = [0, 0];
  const runs = Number(process.env['HERMES_CHAOS_RUNS'] ?? 20);
  await forAll(runs, async (chance) => {
    const told = await survive(chance);
    faults += told.faults;
    longest = Math.max(longest, told.longest);
    assert.ok(told.longest <= MOST_DEAF, `deaf for ${told.longest / SCALE / 1000} s`);
  });
  assert.ok(longest > 90_000 * SCALE, 'no fault made it deaf: the test proves nothing');
  console.log(`${runs} runs, ${faults} faults: never deaf for more than ${(longest / SCALE / 1000).toFixed(1)} s.`);
});

async function survive(chance: SeededRandom): Promise<{ readonly faults: number; readonly longest: number }> {
  const spread = createSeededRandom(`${chance.seed}/spread`);
  await using scene = openScene({ times: TIMES, random: spread.next });
  const { clock, service, link } = scene;
  const begun: number[] = [clock.steady()];
  const saidAt: number[] = [];
  const names = chance.shuffled(Object.keys(FAULTS));
  for (const name of names) {
    FAULTS[name]?.(scene, chance);
    begun.push(clock.steady());
    for (let left = chance.int(0, 8) * MINUTE; left > 0; left -= MINUTE / 6) {
      service.say(`message ${saidAt.length}`);
      saidAt.push(clock.steady());
      assert.notEqual((await Promise.race([send(link, 'still sending'), clock.pass(MINUTE / 6)]))?.type, 'refused');
      await clock.pass(MINUTE / 6);
      if (link.state().type === 'connected') assert.ok(service.sockets.size === 1, `connected by ${service.sockets.size} sockets`);
    }
  }
  await clock.pass(MOST_DEAF);
  assert.equal(link.state().type, 'connected');
  assert.deepEqual([service.sockets.size, service.mostSockets], [1, 1]);
  assert.deepEqual(scene.texts(), service.said);
  // What arrived had waited since it was said, or since something last broke.
  const waited = scene.received.map(({ at }, index) => at - Math.max(saidAt[index] ?? 0, ...begun.filter((time) => time <= at)));
  return { faults: names.length, longest: Math.max(...waited) };
}
