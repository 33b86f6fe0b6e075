import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../contracts/message.ts';
import {
  beginSampleSession,
  assertRefused,
  createUserEntry,
  SESSION,
  type OpenStore,
  type StoreConformanceOptions,
} from './session-store-samples.ts';

/** One writer at a time. */
export function testClaims(open: OpenStore, { again, orphan }: StoreConformanceOptions): void {
  test('a session that is being written is refused to a second writer', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await assertRefused(store.claim(session.id), 'busy');
    await store.commit(claim, { append: [createUserEntry('still mine')] });
    await assertRefused(store.claim('no-such-session'), 'missing');
  });

  test('a claim that was given back is free, and its old token is refused', async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.release(claim);
    await assertRefused(store.commit(claim, { append: [createUserEntry('too late')] }), 'fenced');
    const next = await store.claim(session.id);
    ok(next.token > claim.token, 'the token grows');
    await assertRefused(store.commit(claim, { append: [createUserEntry('much too late')] }), 'fenced');
    await store.release(claim); // an old claim gives nothing back
    await store.commit(next, { append: [createUserEntry('in time')] });
    equal((await store.entries(session.id)).length, 1);
  });

  test('sessions are claimed one by one', async () => {
    await using store = await open();
    const [one, two] = [await beginSampleSession(store), await beginSampleSession(store)];
    await store.commit(one.claim, { append: [createUserEntry('in one')] });
    await store.commit(two.claim, { append: [createUserEntry('in two')] });
    deepEqual([(await store.entries(one.session.id)).length, (await store.entries(two.session.id)).length], [1, 1]);
  });

  test(
    'a process that died is taken over at once, and fenced should it come back',
    { skip: orphan === undefined && 'no way to stage a dead process' },
    async () => {
      await using store = await open();
      const session = await store.create(SESSION);
      const dead = await orphan?.(store, session.id);
      ok(dead !== undefined);
      const claim = await store.claim(session.id);
      ok(claim.token > dead.token, 'the token grows');
      await store.commit(claim, { append: [createUserEntry('from the heir')] });
      await assertRefused(store.commit(dead, { append: [createUserEntry('from the grave')] }), 'fenced');
      deepEqual((await store.entries(session.id)).length, 1);
    },
  );

  test('two programs on one store see the same, and respect each other', { skip: again === undefined && 'no second handle' }, async () => {
    await using store = await open();
    const { session, claim } = await beginSampleSession(store);
    await store.commit(claim, { append: [createUserEntry('hello from the first')] });
    const other = await again?.(store);
    ok(other !== undefined);
    deepEqual(await other.entries(session.id), await store.entries(session.id));
    await assertRefused(other.claim(session.id), 'busy');
    await other.post({ sessionId: session.id, content: [createTextBlock('from the second', 'owner')], mode: 'steer' });
    equal((await store.waiting(session.id)).length, 1);
    await store.release(claim);
    await other.release(await other.claim(session.id));
    await other[Symbol.asyncDispose]();
  });

  test('a closed store lets its claims go', { skip: again === undefined && 'no second handle' }, async () => {
    await using store = await open();
    const other = await again?.(store);
    ok(other !== undefined);
    const { session } = await beginSampleSession(other);
    await other[Symbol.asyncDispose]();
    await store.release(await store.claim(session.id));
  });
}
