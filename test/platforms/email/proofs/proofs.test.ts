import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noMailServers } from '../../../testing/mail/servers.ts';
import { sized } from '../../../size.ts';
import { MAX_QUICK, runMailLoops } from './loops.ts';
import { runMailStorm } from './storm.ts';

const skip = noMailServers ?? false;

test('mails are answered once whatever dies: the gateway, the line, the servers', { skip }, async (context) => {
  const { faults, ...counted } = await runMailStorm({
    seed: process.env['HERMES_SEED'] ?? 'mail/1',
    people: sized(4, 20),
    mails: sized(12, 200),
    perSecond: 8,
    kills: sized(2, 50),
    lifeMs: 3_000,
    drops: sized(1, 20),
    restarts: sized(1, 10),
  });
  context.diagnostic(JSON.stringify(counted));
  assert.deepEqual(faults, []);
});

test('programs that answer every mail get one answer, and those that hide what they are a few', { skip }, async () => {
  const [vacation, polite, rude] = await runMailLoops();
  assert.deepEqual(vacation, { who: 'vacation', answers: 1, automatic: 1 });
  assert.deepEqual(polite, { who: 'polite', answers: 1, automatic: 1 });
  assert.deepEqual(rude, { who: 'rude', answers: MAX_QUICK + 1, automatic: MAX_QUICK + 1 });
});
