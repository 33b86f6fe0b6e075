import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killOnStop } from '../../../src/plugins/process/kill-on-stop.ts';

/** Counts how often the process was ended. */
function stageChild() {
  const stage = { kills: 0, kill: () => void stage.kills++ };
  return stage;
}
const forever = (): Promise<never> => new Promise(() => {});

test('work on a new process that never ends keeps nobody who closes it waiting, and the process is ended', async () => {
  const [during, before] = [stageChild(), stageChild()];
  const stop = new AbortController();
  const working = killOnStop(during, stop.signal, forever);
  assert.equal(during.kills, 0);
  stop.abort();
  await working;
  await killOnStop(before, stop.signal, forever);
  assert.deepEqual([during.kills, before.kills], [1, 1]);
});

test('a process is ended when work on it fails, and left alone by whoever closes after it is done', async () => {
  const [failed, done] = [stageChild(), stageChild()];
  const stop = new AbortController();
  await assert.rejects(
    killOnStop(failed, stop.signal, async () => {
      throw new Error('no way in');
    }),
    /no way in/,
  );
  await killOnStop(done, stop.signal, async () => {});
  stop.abort();
  assert.deepEqual([failed.kills, done.kills], [1, 0]);
});
