import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { openKillStage, type KillRound, type KillStageOptions } from './harness.ts';

/** Every how many moments the gateway is killed: all of them in full, by `npm run prove -- gateway`. */
const STEP = Number(process.env['HERMES_GATEWAY_KILL_STEP'] ?? sized(48, 1));

const describeRounds = (rounds: readonly KillRound[]): string => {
  const messages = rounds.flatMap((round) => round.messages);
  const kills = rounds.reduce((sum, round) => sum + round.kills, 0);
  const givenUp = rounds.reduce((sum, round) => sum + round.givenUp, 0);
  return `${kills} kills, ${messages.length} messages, ${messages.filter(({ marked }) => marked > 0).length} answers marked, ${givenUp} given up`;
};

async function killEverywhere(options: KillStageOptions, step: number): Promise<{ readonly words: string; readonly faults: string[] }> {
  await using stage = await openKillStage(options);
  const rounds = [await stage.round(0)];
  const moments = stage.moments();
  for (let at = 1 + (step >> 1); at <= moments.length; at += step) rounds.push(await stage.round(at));
  return { words: `${moments.length} moments, ${describeRounds(rounds)}`, faults: rounds.flatMap(({ faults }) => faults) };
}

test('a gateway that is killed at a commit or a request loses no message, repeats no effect and marks what may be there twice', async (context) => {
  const { words, faults } = await killEverywhere({ platform: 'telegram', chats: 2 }, STEP);
  context.diagnostic(words);
  assert.deepEqual(faults, []);
});

test('a gateway that is killed at any time while people write, consent, send files and pair loses nothing', async (context) => {
  await using stage = await openKillStage({ platform: 'telegram', chats: 6, strangers: 2 });
  const round = await stage.storm({
    seed: process.env['HERMES_SEED'] ?? 'telegram/1',
    messages: 20,
    perSecond: 20,
    kills: 3,
    lifeMs: 1_500,
  });
  context.diagnostic(describeRounds([round]));
  assert.deepEqual(round.faults, []);
});
