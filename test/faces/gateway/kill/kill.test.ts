import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { openKillStage, type KillRound } from './harness.ts';

/** Every how many moments the gateway is killed: all of them in full, by `npm run prove`. */
const STEP = Number(process.env['HERMES_GATEWAY_KILL_STEP'] ?? sized(24, 1));

/** What must not be, in words; empty when all is well. */
function findFaults({ at, died, messages, inOrder }: KillRound): string[] {
  const where = `killed at ${at} (${died ?? 'not reached'})`;
  return [
    ...messages.flatMap(({ nonce, answers, marked, elsewhere, effects }) => [
      ...(answers + marked === 0 ? [`${where}: ${nonce} was lost`] : []),
      ...(answers > 1 || marked > 1 ? [`${where}: ${nonce} was answered ${answers + marked} times`] : []),
      ...(elsewhere > 0 ? [`${where}: ${nonce} was told in another chat`] : []),
      ...(effects > 1 ? [`${where}: ${nonce} took effect ${effects} times`] : []),
    ]),
    ...(inOrder ? [] : [`${where}: answers came in another order than the messages`]),
  ];
}

test('a gateway that is killed at a commit or a request loses no message, repeats no effect and marks what may be there twice', async (context) => {
  await using stage = await openKillStage(2);
  const whole = await stage.round(0);
  assert.deepEqual(findFaults(whole), []);
  const moments = stage.moments();
  const rounds: KillRound[] = [];
  for (let at = 1 + (STEP >> 1); at <= moments.length; at += STEP) rounds.push(await stage.round(at));
  const marked = rounds.flatMap(({ messages }) => messages).filter((message) => message.marked > 0).length;
  context.diagnostic(
    `${moments.length} moments, ${rounds.length} kills, ${rounds.filter(({ died }) => died !== undefined).length} hit, ${marked} answers marked`,
  );
  assert.deepEqual(rounds.flatMap(findFaults), []);
});
