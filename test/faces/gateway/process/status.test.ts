import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readStatus } from '../../../../src/faces/gateway/process/status.ts';
import { createAdmission, createArrival, createTarget, takeOne } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';

const HOUR = 3_600_000;

test('a chat nobody is known by is called unreachable for a day, and one in which somebody wrote until something arrives there', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-status-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  await using staged = await stageGatewayStore();
  const { gateway } = staged;
  await gateway.receive([createArrival('known', 'hi')], []);
  const { taken } = await takeOne(gateway, 'arrival');
  await gateway.admit(taken, createAdmission('known', 'hi', { chat: { chatId: 'known', type: 'private' } }));
  await gateway.markDead(createTarget('known'), 'blocked');
  await gateway.markDead(createTarget('99999'), 'chat not found');
  const at = Math.max(...(await gateway.deadTargets()).map((target) => target.at));
  const listAt = async (now: number) => (await readStatus(root, gateway, now)).dead.map(({ chat, why }) => [chat, why]);
  const known = ['known', 'blocked'];
  assert.deepEqual(new Set(await listAt(at + 23 * HOUR)), new Set([['99999', 'chat not found'], known]));
  assert.deepEqual(await listAt(at + 25 * HOUR), [known]);
});
