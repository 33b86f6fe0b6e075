import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedPool, type AcquireOptions } from '../../src/base/bounded-pool.ts';

/** Things that note when they are opened and closed. */
function stage(max: number) {
  const log: string[] = [];
  const pool = createBoundedPool(max);
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
  const pool = createBoundedPool(1);
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

test(
  "who stops waiting gets nothing and takes nobody's turn; who still waits is next, and is told that all are in use",
  { timeout: 5_000 },
  async () => {
    const { slot, log, pool } = stage(1);
    const [a, b, c] = [slot('a'), slot('b'), slot('c')];
    await a.acquire();
    const stop = new AbortController();
    const waits = (name: string): AcquireOptions => ({ signal: stop.signal, onFull: () => void log.push(`${name} waits`) });
    const left = Promise.all([b.acquire(waits('b')), b.acquire(waits('b too'))]);
    await new Promise(setImmediate);
    const stays = c.acquire();
    stop.abort();
    assert.deepEqual(await left, [undefined, undefined]);
    a.release();
    await stays;
    assert.deepEqual([log, pool.open], [['open a', 'b waits', 'b too waits', 'close a', 'open c'], 1]);
    const again = b.acquire();
    c.release();
    await again;
    b.release();
    await Promise.all([b, c].map((each) => each[Symbol.asyncDispose]()));
    assert.deepEqual([log.slice(5), pool.open], [['close c', 'open b', 'close b'], 0]);
  },
);

test('what opens for somebody who has left is idle, and waits for nobody when it is disposed', { timeout: 5_000 }, async () => {
  const pool = createBoundedPool(1);
  const opened = Promise.withResolvers<void>();
  const slow = pool.slot(async () => {
    await opened.promise;
    return { [Symbol.asyncDispose]: async () => {} };
  });
  const stop = new AbortController();
  const left = slow.acquire({ signal: stop.signal });
  stop.abort();
  assert.equal(await left, undefined);
  opened.resolve();
  const other = pool.slot(async () => ({ [Symbol.asyncDispose]: async () => {} }));
  await other.acquire();
  assert.equal(await slow.acquire({ signal: stop.signal }), undefined);
  await slow[Symbol.asyncDispose]();
  other.release();
  await other[Symbol.asyncDispose]();
  assert.equal(pool.open, 0);
});
