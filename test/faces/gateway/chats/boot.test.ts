import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import { openScene } from '../scene.ts';

const FILES = { 'BOOT.md': 'Look after the plants.\n' };
const wordsOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

test('BOOT.md is worked through once for each start, and its result goes to the home channel', async () => {
  const requests: ModelRequest[] = [];
  await using scene = await openScene({
    script: (request, index) => {
      requests.push(request);
      return { text: index === 0 ? 'The plants are fine.' : '[SILENT]' };
    },
    files: FILES,
    env: ({ dm }) => ({ TELEGRAM_HOME_CHANNEL: String(dm.id) }),
  });
  await scene.until(() => scene.said().length === 1);
  await scene.restart();
  const { store } = scene.host();
  const settled = async () => (await store.list()).filter(({ lastExitReason }) => lastExitReason !== undefined);
  await scene.until(async () => (await settled()).length === 2);
  assert.deepEqual(scene.said(), ['The plants are fine.']);
  assert.match(wordsOf(requests[0] ?? assert.fail()), /start-up checklist of your owner.*Look after the plants\./);
  assert.ok(!JSON.stringify(requests[0]?.tools).includes('"memory"'));
  const [entry] = (await store.entries((await settled())[0]?.id ?? '')).filter(({ type }) => type === 'message');
  assert.equal(entry?.origin, 'hook');
});

test('a start-up turn that was cut off is gone on with, and no second one begins', async () => {
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  await using scene = await openScene({
    script: () => {
      if (++calls > 1) return { text: `Done at call ${calls}.` };
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
    files: FILES,
    env: ({ dm }) => ({ TELEGRAM_HOME_CHANNEL: String(dm.id) }),
  });
  await asked.promise;
  await scene.restart();
  await scene.until(() => scene.said().length === 1);
  assert.deepEqual(scene.said(), ['Done at call 2.']);
  assert.equal((await scene.host().store.list()).length, 1);
});
