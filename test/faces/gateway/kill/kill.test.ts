import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import type { ChatStage } from '../stages/contract.ts';
import { openKillStage, type KillRound } from './harness.ts';
import type { ScriptName } from './stories.ts';

/** Which script is played, and the commit or request at which the gateway dies. */
type Moment = readonly [ScriptName, number];

const SCRIPTS: readonly ScriptName[] = ['words', 'consent', 'files', 'edits', 'tidying', 'queues', 'undo', 'new', 'passing'];
const everywhere = SCRIPTS.flatMap((script): Moment[] => [20, 45, 70, 95].map((at) => [script, at]));
/** All moments of all scripts by `npm run prove -- gateway`. */
const MOMENTS: Readonly<Record<ChatStage['platform'], readonly Moment[]>> = {
  telegram: sized(
    [
      ['words', 60],
      ['consent', 83],
      ['new', 59],
      ['passing', 55],
    ],
    everywhere,
  ),
  discord: sized([['edits', 50]], everywhere),
  slack: sized([['files', 60]], everywhere),
};

const describeRounds = (rounds: readonly KillRound[]): string =>
  rounds.map(({ how, counts }) => `${how}: ${JSON.stringify(counts)}`).join('\n');

for (const platform of ['telegram', 'discord', 'slack'] as const)
  test(`killed at a commit or a request on ${platform}, a gateway loses nothing, does nothing twice and marks what may be a repeat`, async (context) => {
    await using stage = await openKillStage({ platform, chats: 2 });
    const rounds: KillRound[] = [];
    for (const [script, at] of MOMENTS[platform]) rounds.push(await stage.round(script, at));
    context.diagnostic(describeRounds(rounds));
    assert.deepEqual([...rounds.flatMap(({ faults }) => faults), ...(await stage.receipts())], []);
  });

test('killed at any time while people write, consent, send files and give commands, a gateway loses nothing', async (context) => {
  await using stage = await openKillStage({ platform: 'telegram', chats: sized(6, 12) });
  const seed = process.env['HERMES_SEED'] ?? 'telegram/1';
  const round = await stage.storm({ seed, messages: sized(16, 60), perSecond: 20, kills: sized(3, 10), lifeMs: 1_500 });
  context.diagnostic(describeRounds([round]));
  assert.deepEqual([...round.faults, ...(await stage.receipts())], []);
});
