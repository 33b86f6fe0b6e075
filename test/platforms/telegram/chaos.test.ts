import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBatch } from '../../../src/contracts/platform-adapter.ts';
import { LINK_TIMES, type AdapterHandle, type LinkTimes } from '../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../src/faces/gateway/link/link.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import type { TelegramFault } from '../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, until, type TelegramStage } from '../../testing/platforms/telegram/stage.ts';
import { sized } from '../../size.ts';
import { openFor } from './scene.ts';

/** Every time of the link and of the polls, scaled together: a second is 5 ms. */
const SCALE = 1 / 200;
const TIMES: LinkTimes = {
  ...LINK_TIMES,
  ...Object.fromEntries(
    Object.entries(LINK_TIMES).map(([name, ms]: [string, number | readonly number[]]) => [
      name,
      typeof ms === 'number' ? ms * SCALE : ms.map((wait) => wait * SCALE),
    ]),
  ),
  // What a loaded machine needs in real time.
  connect: 1_000,
  first: 1_000,
  jump: 10_000,
  close: 1_000,
};
const POLLS = { poll_seconds: 30 * SCALE, poll_grace_seconds: 60 * SCALE };
const RUNS = Number(process.env['HERMES_CHAOS_RUNS'] ?? sized(2, 4));

const CONFLICT = 'Conflict: terminated by other getUpdates request';
/** What goes wrong with receiving. Sends and logins go on, or not. */
const FAULTS: readonly [TelegramFault, ...TelegramFault[]] = [
  { fault: { type: 'black_hole' }, methods: ['getUpdates'] },
  { fault: { type: 'black_hole' } },
  { fault: { type: 'cut' }, methods: ['getUpdates'] },
  // Handed out, and never seen.
  { fault: { type: 'withhold', ending: 'cut' }, methods: ['getUpdates'] },
  { fault: { type: 'withhold', ending: 'silence' }, methods: ['getUpdates'], times: 1 },
  { fault: { type: 'status', status: 502, description: 'Bad Gateway' }, methods: ['getUpdates', 'getMe'] },
  { fault: { type: 'status', status: 409, description: CONFLICT }, methods: ['getUpdates'], times: 2 },
  { fault: { type: 'delay', ms: 100 } },
];

/** An adapter as the link has it, without a worker around it. */
async function openHandle(stage: TelegramStage): Promise<AdapterHandle> {
  const adapter = await openFor(stage, POLLS);
  return { adapter, failed: new Promise(() => {}), terminate: async () => await adapter[Symbol.asyncDispose]() };
}

async function breakThings({ server, bot, ann, dm }: TelegramStage, chance: SeededRandom): Promise<string[]> {
  const said: string[] = [];
  for (let round = 0; round < 6; round++) {
    const fault = server.inject(chance.pick(FAULTS));
    if (chance.hits(0.5)) server.hangUp(bot.token);
    const isAway = chance.hits(0.2);
    if (isAway) await server.refuse();
    for (let left = chance.int(1, 6); left > 0; left--) {
      said.push(`message ${said.length}`);
      server.people.say(dm, ann, said.at(-1) ?? '');
      await sleep(chance.int(0, 60));
    }
    if (isAway) await server.accept();
    fault[Symbol.dispose]();
    if (chance.hits(0.5)) await sleep(chance.int(0, 200));
  }
  return said;
}

test('whatever breaks between us and Telegram, everything arrives once and in order, and one poll is left', async () => {
  const first = Number(process.env['HERMES_SEED'] ?? 1);
  for (let seed = first; seed < first + RUNS; seed++) {
    const chance = createSeededRandom(`telegram/${seed}`);
    await using stage = await telegramStage();
    const { server, bot } = stage;
    /** As the store has it: each key once. */
    const arrived = new Map<string, string>();
    const receive = async (batch: EventBatch): Promise<void> => {
      for (const event of batch) if (event.type === 'message' && !arrived.has(event.key)) arrived.set(event.key, event.text);
    };
    const account = { platform: 'telegram', account: 'main' };
    const options = { account, receive, cursors: async () => [], log: () => {}, times: TIMES };
    await using _link = openLink({ ...options, openAdapter: () => openHandle(stage) });
    const said = await breakThings(stage, chance);
    await until(() => arrived.size >= said.length, `seed ${seed}: ${said.length} messages`);
    assert.deepEqual([...arrived.values()], said, `seed ${seed}`);
    await until(() => server.log.updates.every(({ confirmedAt }) => confirmedAt !== undefined), `seed ${seed}: all confirmed`);
    await until(() => server.sockets(bot.token).open === 1, `seed ${seed}: one socket`);
  }
});
