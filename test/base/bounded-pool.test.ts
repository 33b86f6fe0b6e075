import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedPool } from '../../src/base/bounded-pool.ts';

/** Things that note when they are opened and closed. */
function stage(max: number) {
  const log: string[] = [];
  const pool = boundedPool(max);
  const slot = (name: string) =>
    pool.slot(async () => {
      log.push(`open ${name}`);
      return { name, [Symbol.asyncDispose]: async () => void log.push(`close ${name}`) };
    });
  return { pool, slot, log };
}

test('the one that has been idle longest makes room, and is opened again by its next use', async () => {
  const { pool, slot, log } = stage(2);
  const [a, b, c] = [slot('a'), slot('b'), slot('c')];
  for (const each of [a, b]) {
    await each.acquire();
    each.release();
  }
  await a.acquire();
  a.release();
  await c.acquire();
  c.release();
  await b.acquire();
  b.release();
  assert.deepEqual(log, ['open a', 'open b', 'close b', 'open c', 'close a', 'open b']);
  assert.equal(pool.open, 2);
});

test('what is in use is never closed for another: whoever comes waits until somebody is done', async () => {
  const { slot, log } = stage(1);
  const [a, b] = [slot('a'), slot('b')];
  await a.acquire();
  const waiting = b.acquire().then(() => log.push('b in use'));
  await new Promise(setImmediate);
  assert.deepEqual(log, ['open a']);
  a.release();
  await waiting;
  assert.deepEqual(log, ['open a', 'close a', 'open b', 'b in use']);
});

test('one thing is opened once however many use it, and stays until the last is done', async () => {
  const { slot, log, pool } = stage(1);
  const a = slot('a');
  await Promise.all([a.acquire(), a.acquire()]);
  a.release();
  const b = slot('b');
  const waiting = b.acquire();
  await new Promise(setImmediate);
  assert.deepEqual(log, ['open a']);
  a.release();
  await waiting;
  b.release();
  await b[Symbol.asyncDispose]();
  assert.deepEqual([log, pool.open], [['open a', 'close a', 'open b', 'close b'], 0]);
});

test('what cannot be opened leaves its room to others and can be tried again', async () => {
  const pool = boundedPool(1);
  let fails = true;
  const shaky = pool.slot(async () => {
    if (fails) throw new Error('not now');
    return { [Symbol.asyncDispose]: async () => {} };
  });
  await assert.rejects(() => shaky.acquire(), /not now/);
  assert.equal(pool.open, 0);
  fails = false;
  await shaky.acquire();
  assert.equal(pool.open, 1);
});
