import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import type { ChatStage } from '../stages/contract.ts';
import { ALL_DEEDS, runIsolation } from './isolation.ts';

const PLATFORMS = sized<readonly ChatStage['platform'][]>(['telegram'], ['telegram', 'discord', 'slack']);
const DEEDS = sized(['throw from a timer'], ALL_DEEDS);

test('an adapter that breaks, blocks or leaks comes back, and people on the other platforms are answered all the while', async (context) => {
  const results = await runIsolation(PLATFORMS, DEEDS);
  context.diagnostic(JSON.stringify(results));
  assert.deepEqual(
    results.map(({ platform, deed, isBack }) => ({ platform, deed, isBack })),
    PLATFORMS.flatMap((platform) => DEEDS.map((deed) => ({ platform, deed, isBack: true }))),
  );
  for (const { meanwhile } of results) assert.ok(meanwhile.answers >= 16, `${meanwhile.answers} answers on the others`);
});
