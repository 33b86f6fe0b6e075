import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAtroposApi } from '../../../../src/testing/atropos/server.ts';
import { runKillStory } from './kill-story.ts';

// In full, with the real API: npm run prove -- atropos.
test('a killed environment and a restarted API cost no accepted group', async () => {
  await using api = await startAtroposApi();
  const result = await runKillStory({
    api: { url: api.url, restart: async () => api.restart() },
    environments: 2,
    groups: 24,
    kills: 1,
    restarts: 1,
    isDrained: true,
    seed: 1,
  });
  assert.deepEqual([result.missing, result.wrong, result.madeTwice], [0, 0, 0]);
  assert.ok(result.accepted >= 20 && result.repeats <= result.counted, JSON.stringify(result));
});
