import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { keepHolder } from '../../../src/parts/terminals/sandbox/kept-holder.ts';

test('several that ask at once have one holder between them, and none is left over', async () => {
  let started = 0;
  const { get } = keepHolder({
    isStale: async () => {
      await setImmediate();
      return false;
    },
    start: async () => ({ number: (started += 1), alive: () => true }),
    end: () => {},
  });
  const holders = await Promise.all([get(), get(), get()]);
  assert.deepEqual(
    holders.map(({ number }) => number),
    [1, 1, 1],
  );
  assert.equal(started, 1);
});
