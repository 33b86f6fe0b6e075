import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWithTimeout, waitUnlessAborted, waitAtMost } from '../../src/base/waits.ts';

const never = new Promise<never>(() => {});
const late = new Error('too late');

test('work that comes is given, work that fails fails', async () => {
  const { signal } = new AbortController();
  assert.equal(await waitUnlessAborted(Promise.resolve(1), signal), 1);
  assert.equal(await waitAtMost(Promise.resolve(), 60_000), true);
  assert.equal(await runWithTimeout(async () => 2, 60_000, late), 2);
  await assert.rejects(waitUnlessAborted(Promise.reject(new Error('x')), signal), /x/);
  await assert.rejects(waitAtMost(Promise.reject(new Error('x')), 60_000), /x/);
  await assert.rejects(
    runWithTimeout(
      () => {
        throw new Error('at once');
      },
      60_000,
      late,
    ),
    /at once/,
  );
});

test('whoever was stopped waits no longer, before and while waiting', async () => {
  assert.equal(await waitUnlessAborted(never, AbortSignal.abort()), undefined);
  const stop = new AbortController();
  const waiting = waitUnlessAborted(never, stop.signal, 1);
  stop.abort();
  assert.equal(await waiting, undefined);
  assert.equal(await waitUnlessAborted(Promise.resolve('in its grace'), AbortSignal.abort(), 60_000), 'in its grace');
});

test('what does not come in time is told by false, or by the error, and the work hears of it', async () => {
  assert.equal(await waitAtMost(never, 1), false);
  let heard: unknown;
  const work = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (heard = signal.reason));
    return never;
  };
  await assert.rejects(runWithTimeout(work, 1, late), late);
  assert.equal(heard, late);
});
