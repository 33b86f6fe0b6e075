import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemoryScope } from '../../contracts/memory-provider.ts';
import { isStoreError, type EndReason, type SessionStore } from '../../contracts/session-store.ts';
import { MINUTE, type StageStore } from './gateway-store-samples.ts';
import { SESSION } from './session-store-samples.ts';

const TAKE = { limit: 10, leaseMs: MINUTE };
const fenced = (error: unknown): boolean => isStoreError(error, 'fenced');

/** Every promise of `MemoryCursorStore`, checked. */
export function testMemoryCursorConformance(name: string, stage: StageStore): void {
  describe(`${name} keeps the promises of a store of memory cursors`, () => {
    test('a session that is followed is taken once it has more than was there, and with an end that was not told', async () => {
      await using staged = await stage();
      const { store, now } = staged;
      const [id, scope] = await begin(store);
      deepEqual(await store.memory.take('notes', TAKE), []);
      await append(store, id);
      const first = { provider: 'notes', subject: id, token: 1, told: 1, endSeq: 1, attempts: 0, scope };
      deepEqual(await store.memory.take('notes', TAKE), [first]);
      deepEqual(await store.memory.take('notes', TAKE), []);
      await store.memory.move(first, { told: 2, seen: 2 });
      await store.memory.release(first);
      deepEqual(await store.memory.take('notes', TAKE), []);
      await append(store, id, 'reset');
      const [second] = await store.memory.take('notes', TAKE);
      deepEqual(second, { ...first, token: 2, told: 2, ended: { at: now(), reason: 'reset' } });
      await store.memory.move({ ...first, token: 2 }, { told: 3, seen: 3, end: { at: now(), seq: 3 } });
      await store.memory.release({ ...first, token: 2 });
      deepEqual([await store.memory.take('notes', TAKE), await store.memory.backlog('notes')], [[], { sessions: 0 }]);
    });

    test('a session that is over is told of again once it is followed again, from where it was left', async () => {
      await using staged = await stage();
      const { store } = staged;
      const [id, scope] = await begin(store);
      await append(store, id, 'exit');
      const [taken] = await store.memory.take('notes', TAKE);
      if (taken === undefined) throw new Error('it was behind');
      await store.memory.move(taken, { told: 2, seen: 2, end: { at: staged.now(), seq: 2 } });
      await store.memory.release(taken);
      await append(store, id);
      deepEqual(await store.memory.take('notes', TAKE), []);
      await store.memory.follow({ provider: 'notes', subject: id, from: 3, scope });
      deepEqual(
        (await store.memory.take('notes', TAKE)).map(({ told, endSeq }) => [told, endSeq]),
        [[2, 2]],
      );
    });

    testTroubleAndOwners(stage);
  });
}

function testTroubleAndOwners(stage: StageStore): void {
  test('what went wrong is due later, is remembered until it goes well, and holds up no other session', async () => {
    await using staged = await stage();
    const { store, now } = staged;
    const [one] = await begin(store);
    const [other] = await begin(store);
    await append(store, one);
    const [taken] = await store.memory.take('notes', TAKE);
    if (taken === undefined) throw new Error('it was behind');
    await store.memory.release(taken, { delayMs: 5_000, why: 'no answer' });
    await append(store, other);
    deepEqual(
      (await store.memory.take('notes', TAKE)).map(({ subject }) => subject),
      [other],
    );
    const lastTrouble = { subject: one, at: now(), why: 'no answer', attempts: 1 };
    deepEqual(await store.memory.backlog('notes'), { sessions: 2, lastTrouble });
    equal(await store.memory.nextDue('notes'), 0);
    staged.advance(5_000);
    const [again] = await store.memory.take('notes', TAKE);
    equal(again?.attempts, 1);
    if (again !== undefined) await store.memory.release(again);
    equal((await store.memory.backlog('notes')).lastTrouble, undefined);
  });

  test('one pair of hands at a time: whoever lost a cursor is refused', async (context) => {
    await using staged = await stage();
    if (staged.dead === undefined) return context.skip('this store has no processes of its own machine');
    const { store } = staged;
    const [id] = await begin(store);
    await append(store, id);
    const dead = (await staged.dead()).memory;
    const [lost] = await dead.take('notes', TAKE);
    const [taken] = await store.memory.take('notes', TAKE);
    if (lost === undefined || taken === undefined) throw new Error('it was behind');
    equal(taken.token, lost.token + 1);
    await rejects(dead.move(lost, { told: 2, seen: 2 }), fenced);
    await rejects(dead.release(lost), fenced);
    await store.memory.move(taken, { told: 2, seen: 2 });
  });

  test('a cursor of something else than a session is taken by its name, and goes by its own positions', async () => {
    await using staged = await stage();
    const { memory } = staged.store;
    await memory.follow({ provider: 'notes', subject: 'writes', from: 40 });
    deepEqual(await memory.take('notes', TAKE), []);
    const [taken] = await memory.take('notes', { ...TAKE, subject: 'writes' });
    deepEqual(taken, { provider: 'notes', subject: 'writes', token: 1, told: 40, endSeq: 40, attempts: 0 });
    deepEqual(await memory.take('other', { ...TAKE, subject: 'writes' }), []);
  });

  test('it goes with its session', async () => {
    await using staged = await stage();
    const { store } = staged;
    const [id] = await begin(store);
    await append(store, id);
    await store.remove(id);
    deepEqual(await store.memory.take('notes', { ...TAKE, subject: id }), []);
  });
}

async function begin(store: SessionStore): Promise<[id: string, scope: MemoryScope]> {
  const { id } = await store.create(SESSION);
  await append(store, id);
  const scope: MemoryScope = { sessionId: id, platform: 'cli', isOwner: true };
  await store.memory.follow({ provider: 'notes', subject: id, from: 1, scope });
  return [id, scope];
}

async function append(store: SessionStore, id: string, end?: EndReason): Promise<void> {
  const claim = await store.claim(id);
  await store.commit(claim, { append: [{ type: 'note', origin: 'system', text: 'more' }], ...(end !== undefined && { end }) });
  await store.release(claim);
}
