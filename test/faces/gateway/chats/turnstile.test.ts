import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurnstile } from '../../../../src/faces/gateway/chats/turnstile.ts';

const { signal } = new AbortController();

test('so many are inside at once, and the others follow in their order', async () => {
  const turnstile = createTurnstile(2);
  const inside: string[] = [];
  const come = async (name: string): Promise<void> => {
    await turnstile.enter(signal);
    inside.push(name);
  };
  const all = ['a', 'b', 'c', 'd'].map(come);
  await Promise.all(all.slice(0, 2));
  assert.deepEqual(inside, ['a', 'b']);
  turnstile.leave();
  await all[2];
  turnstile.leave();
  await all[3];
  assert.deepEqual(inside, ['a', 'b', 'c', 'd']);
});

test('one that waits for a person makes room, and comes back without waiting', async () => {
  const turnstile = createTurnstile(1);
  await turnstile.enter(signal);
  const answered = Promise.withResolvers<string>();
  const asking = turnstile.outside(() => answered.promise);
  await turnstile.enter(signal);
  answered.resolve('yes');
  assert.equal(await asking, 'yes');
  const later = turnstile.enter(signal).then(() => 'inside');
  turnstile.leave();
  assert.equal(await Promise.race([later, Promise.resolve('waits')]), 'waits');
  turnstile.leave();
  assert.equal(await later, 'inside');
});

test('one that is told to stop waits no longer', async () => {
  const turnstile = createTurnstile(1);
  await turnstile.enter(signal);
  const stop = new AbortController();
  const stopped = turnstile.enter(stop.signal);
  stop.abort();
  await stopped;
});
