import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createCallExpectation } from '../../../src/parts/tools/expect-calls.ts';

/** What was made ready, in its order, with a clock that only the test moves. */
function stage(t: { after(work: () => void): void }, load: () => Promise<unknown> = async () => undefined) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const done: string[] = [];
  const expect = createCallExpectation(
    {
      prepare: async (expected) => void done.push(expected?.isCalled === true ? 'place and shell' : 'shell'),
    },
    async () => {
      done.push('code');
      await load();
    },
  );
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { done, expect, settle };
}

test('nothing is loaded for a model that answers at once', async (t) => {
  const { done, expect, settle } = stage(t);
  expect();
  mock.timers.tick(10);
  await settle();
  assert.deepEqual(done, []);
});

test('while the first answer is awaited the code is loaded and then a shell made ready; later ones need only the shell', async (t) => {
  const { done, expect, settle } = stage(t);
  expect();
  mock.timers.tick(25);
  await settle();
  assert.deepEqual(done, ['code', 'shell']);
  expect();
  await settle();
  assert.deepEqual(done, ['code', 'shell', 'shell']);
});

test('for a call that is on its way all of it begins at once, in the first answer as in later ones', async (t) => {
  const { done, expect, settle } = stage(t);
  expect({ isCalled: true });
  await settle();
  assert.deepEqual(done, ['code', 'place and shell']);
  expect({ isCalled: true });
  await settle();
  assert.deepEqual(done, ['code', 'place and shell', 'place and shell']);
});

test('trouble is left for the calls to tell', async (t) => {
  const { done, expect, settle } = stage(t, () => Promise.reject(new Error('no such file')));
  expect();
  mock.timers.tick(25);
  await settle();
  assert.deepEqual(done, ['code', 'shell']);
});
