import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryContent } from '../../contracts/gateway-store.ts';
import {
  admitOne,
  createDelivery,
  createTarget,
  findDelivery,
  MINUTE,
  takeOne,
  wordsOf,
  type StageStore,
} from './gateway-store-samples.ts';
import { assertRefused, beginSampleSession, createUserEntry } from './session-store-samples.ts';

const text = (markdown: string): DeliveryContent => ({ type: 'text', markdown });
const cut = (...texts: readonly string[]) => texts.map((markdown) => ({ content: text(markdown) }));

/** What goes out: planned with its outcome, cut once, sent part by part. */
export function testDeliveries(stage: StageStore): void {
  testPlanning(stage);
  testParts(stage);
  testTargets(stage);
}

function testPlanning(stage: StageStore): void {
  test('a delivery is as durable as the outcome it tells, and belongs to its session and turn', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session, claim } = await beginSampleSession(store);
    const change = { turnId: 't1', append: [createUserEntry('done')], deliveries: [createDelivery('7', 'The answer.', { replyTo: '3' })] };
    await assertRefused(store.commit({ ...claim, token: claim.token - 1 }, change), 'fenced');
    deepEqual(await gateway.deliveries({}), []);
    await store.commit(claim, change);
    await store.commit(claim, { append: [createUserEntry('once more')], deliveries: change.deliveries });
    const [delivery, ...more] = await gateway.deliveries({ sessionId: session.id });
    deepEqual(more, []);
    deepEqual(delivery, {
      ...createDelivery('7', 'The answer.', { replyTo: '3' }),
      id: delivery?.id,
      sessionId: session.id,
      turnId: 't1',
      at: staged.now(),
      state: 'pending',
      attempts: 0,
      expiresAt: staged.now() + 24 * 60 * MINUTE,
      ageMs: 0,
    });
  });

  test('what was planned under a key is never planned again, on whichever way', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const answer = createDelivery('7', 'the answer');
    const [id] = await gateway.plan([answer, answer]);
    deepEqual(await gateway.plan([{ ...answer, content: text('the same, told by a tool') }]), [id]);
    await admitOne(gateway, '7', 'hello', { deliveries: [answer] });
    const { claim } = await beginSampleSession(store);
    await store.commit(claim, { deliveries: [answer] });
    const { taken } = await takeOne(gateway, 'delivery');
    await gateway.finish(taken, 'sent');
    await gateway.plan([answer]);
    deepEqual(
      (await gateway.deliveries({})).map(({ id: each, state, content }) => [each, state, content]),
      [[id, 'sent', answer.content]],
    );
  });

  test('a delivery is cut once; its parts keep their keys, which are short and nobody else’s', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'long'), createDelivery('8', 'longer')]);
    const [one, two] = await gateway.take('delivery', { owner: 'one', leaseMs: MINUTE, limit: 2 });
    if (one === undefined || two === undefined) throw new Error('both can be taken');
    await assertRefused(gateway.beginPart(one.taken, 0), 'missing');
    const first = await gateway.beginPart(one.taken, 0, cut('lo', 'ng'));
    deepEqual(await gateway.beginPart(one.taken, 0, cut('l', 'o', 'n', 'g')), first);
    const other = await gateway.beginPart(two.taken, 0, cut('longer'));
    deepEqual(
      first.map(({ index, content, state, begunAt }) => [index, content, state, begunAt]),
      [
        [0, text('lo'), 'sending', staged.now()],
        [1, text('ng'), 'waiting', undefined],
      ],
    );
    const keys = [...first, ...other].map(({ key }) => key);
    equal(new Set(keys).size, 3);
    for (const key of keys) match(key, /^[a-z0-9]{1,25}$/u);
    await assertRefused(gateway.beginPart(one.taken, 2), 'missing');
  });
}

function testParts(stage: StageStore): void {
  test('parts are sent one after the other, and with the last one the delivery is over', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'long'), createDelivery('7', 'next')]);
    const { taken } = await takeOne(gateway, 'delivery');
    await gateway.beginPart(taken, 0, cut('a', 'b', 'c'));
    await gateway.endPart(taken, 0, { state: 'sent', messageId: 'm0' }, { andBegin: 1 });
    await gateway.endPart(taken, 1, { state: 'waiting' });
    await assertRefused(gateway.endPart(taken, 1, { state: 'sent', messageId: 'never begun' }), 'missing');
    await assertRefused(gateway.beginPart(taken, 0), 'taken');
    staged.advance(500);
    await gateway.beginPart(taken, 1);
    await gateway.endPart(taken, 1, { state: 'sent', messageId: 'm1', uncertain: true }, { andBegin: 2 });
    deepEqual((await findDelivery(gateway, '7/long')).state, 'pending');
    await gateway.endPart(taken, 2, { state: 'sent', messageId: 'm2' });
    const { state, parts } = await findDelivery(gateway, '7/long');
    deepEqual(
      [state, parts?.map((part) => [part.state, part.messageId, part.uncertain, part.begunAt])],
      [
        'sent',
        [
          ['sent', 'm0', undefined, staged.now() - 500],
          ['sent', 'm1', true, staged.now() - 500],
          ['sent', 'm2', undefined, staged.now()],
        ],
      ],
    );
    await assertRefused(gateway.finish(taken, 'failed'), 'fenced');
    deepEqual(wordsOf(await gateway.take('delivery', { owner: 'one', leaseMs: 1, limit: 9 })), ['7/next']);
  });

  test('whoever takes a delivery over sees which part may be there already', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'long')]);
    const before = await takeOne(gateway, 'delivery');
    await gateway.beginPart(before.taken, 0, cut('a', 'b'));
    staged.advance(MINUTE);
    const after = await takeOne(gateway, 'delivery', { owner: 'two' });
    deepEqual(
      after.row.parts?.map(({ state, begunAt }) => [state, begunAt]),
      [
        ['sending', staged.now() - MINUTE],
        ['waiting', undefined],
      ],
    );
    deepEqual([after.row.attempts, after.row.ageMs], [1, MINUTE]);
    await assertRefused(gateway.endPart(before.taken, 0, { state: 'sent', messageId: 'm' }), 'fenced');
    await assertRefused(gateway.beginPart(before.taken, 0), 'fenced');
    deepEqual((await findDelivery(gateway, '7/long')).parts, after.row.parts);
  });

  test('a delivery that failed says why, and what of it was sent stays known', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'long')]);
    const { taken } = await takeOne(gateway, 'delivery');
    await gateway.beginPart(taken, 0, cut('a', 'b'));
    await gateway.endPart(taken, 0, { state: 'sent', messageId: 'm0' }, { andBegin: 1 });
    await gateway.endPart(taken, 1, { state: 'failed', why: 'The file is too large.' });
    await gateway.finish(taken, 'failed');
    const { state, why, parts } = await findDelivery(gateway, '7/long');
    deepEqual([state, why, parts?.map((part) => part.state)], ['failed', 'The file is too large.', ['sent', 'failed']]);
    deepEqual(await gateway.take('delivery', { owner: 'one', leaseMs: 1, limit: 9 }), []);
  });
}

function testTargets(stage: StageStore): void {
  test('how old it is goes by the store’s clock, and one that is too old is given out to be told', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'short-lived', { maxAgeMs: 1000 })]);
    staged.advance(1500);
    const { row, taken } = await takeOne(gateway, 'delivery');
    deepEqual([row.ageMs, row.expiresAt], [1500, staged.now() - 500]);
    await gateway.finish(taken, 'expired', 'Nobody was connected.');
    const { state, why } = await findDelivery(gateway, '7/short-lived');
    deepEqual([state, why], ['expired', 'Nobody was connected.']);
  });

  test('a target is dead until something was sent there again', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const topic = { ...createTarget('7'), threadId: '2' };
    await gateway.markDead(createTarget('7'), 'blocked');
    await gateway.markDead(createTarget('7'), 'kicked');
    await gateway.markDead(topic, 'closed');
    const at = staged.now();
    deepEqual(await gateway.deadTargets(), [
      { ...createTarget('7'), at, why: 'kicked' },
      { ...topic, at, why: 'closed' },
    ]);
    await gateway.plan([createDelivery('7', 'back?')]);
    const { taken } = await takeOne(gateway, 'delivery');
    await gateway.beginPart(taken, 0, cut('back?'));
    equal((await gateway.deadTargets()).length, 2);
    await gateway.endPart(taken, 0, { state: 'sent', messageId: 'm' });
    deepEqual(await gateway.deadTargets(), [{ ...topic, at, why: 'closed' }]);
  });

  test('deliveries are listed by session, place, key and state', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const discord = { platform: 'discord', account: 'main', chatId: '9' };
    const ids = await gateway.plan([
      createDelivery('7', 'a', { sessionId: 's1' }),
      createDelivery('8', 'b', { sessionId: 's1' }),
      createDelivery('9', 'c', { sessionId: 's2', target: discord }),
    ]);
    notEqual(ids[0], ids[1]);
    const { taken } = await takeOne(gateway, 'delivery', { accounts: [discord] });
    await gateway.finish(taken, 'dead', 'gone');
    const keys = async (filter: Parameters<typeof gateway.deliveries>[0]) => (await gateway.deliveries(filter)).map(({ key }) => key);
    deepEqual(
      [
        await keys({ sessionId: 's1' }),
        await keys({ platform: 'discord' }),
        await keys({ states: ['dead', 'sent'] }),
        await keys({ states: ['pending'], limit: 1 }),
        await keys({ sessionId: 's2', key: '7/a' }),
      ],
      [['7/a', '8/b'], ['9/c'], ['9/c'], ['7/a'], []],
    );
  });
}
