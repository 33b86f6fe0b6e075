import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreChange } from '../../contracts/gateway-store.ts';
import { createTextBlock } from '../../contracts/message.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { admitOne, createArrival, createDelivery, type StageStore } from './gateway-store-samples.ts';
import { beginSampleSession } from './session-store-samples.ts';

/** Hints that somebody should look. */
export function testChanges(stage: StageStore): void {
  test('whoever listens hears of work, messages, interrupts, ends and sessions that are free', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session, claim } = await beginSampleSession(store);
    const sessionId = session.id;
    const arrival: StoreChange = { type: 'work', kind: 'arrival' };
    const delivery: StoreChange = { type: 'work', kind: 'delivery' };
    const heard = async (work: () => Promise<unknown>, last: StoreChange) => listenUntil(store, last, work);
    deepEqual(await heard(() => gateway.receive([createArrival('7', 'a')], []), arrival), [arrival]);
    deepEqual(await heard(() => gateway.plan([createDelivery('7', 'a')]), delivery), [delivery]);
    const interrupt = { sessionId, content: [createTextBlock('stop', 'owner')], mode: 'interrupt' } as const;
    const inbox: StoreChange = { type: 'inbox', sessionId, mode: 'interrupt' };
    deepEqual(await heard(() => store.post(interrupt), inbox), [inbox]);
    const ended: StoreChange = { type: 'ended', sessionId, reason: 'reset' };
    deepEqual(await heard(() => store.commit(claim, { end: 'reset', deliveries: [createDelivery('7', 'b')] }), delivery), [
      ended,
      delivery,
    ]);
    const released: StoreChange = { type: 'released', sessionId };
    deepEqual(await heard(() => store.release(claim), released), [released]);
  });

  test('a message that is taken in is heard of by the session it belongs to', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'first');
    const inbox: StoreChange = { type: 'inbox', sessionId: session.id, mode: 'queue' };
    const heard = await listenUntil(store, inbox, () => admitOne(gateway, '7', 'second'));
    deepEqual(
      heard.filter(({ type }) => type === 'inbox'),
      [inbox],
    );
  });

  test('what another program changed is heard of, without saying what', async () => {
    await using staged = await stage();
    const other = await staged.again();
    const heard = await listenUntil(staged.store, { type: 'any' }, () => other.gateway.receive([createArrival('7', 'a')], []));
    deepEqual(heard, [{ type: 'any' }]);
  });

  test('whoever says what concerns it hears of nothing else', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session } = await beginSampleSession(store);
    const inbox: StoreChange = { type: 'inbox', sessionId: session.id, mode: 'steer' };
    const work = async (): Promise<void> => {
      await gateway.receive([createArrival('7', 'a')], []);
      await store.post({ sessionId: session.id, content: [createTextBlock('hello', 'owner')], mode: 'steer' });
    };
    deepEqual(await listenUntil(store, inbox, work, ({ type }) => type === 'inbox'), [inbox]);
  });

  test('listening ends with its signal, and with the store', async () => {
    await using staged = await stage();
    const stop = new AbortController();
    const first = collect(staged.store, stop.signal);
    stop.abort();
    deepEqual(await first, []);
    const other = await staged.again();
    const second = collect(other, new AbortController().signal);
    await other[Symbol.asyncDispose]();
    deepEqual(await second, []);
    equal((await collect(staged.store, AbortSignal.abort())).length, 0);
  });
}

async function collect(store: SessionStore, signal: AbortSignal): Promise<StoreChange[]> {
  const heard: StoreChange[] = [];
  for await (const change of store.changes(signal)) heard.push(change);
  return heard;
}

/** All that is heard while something is done, up to that change. */
async function listenUntil(
  store: SessionStore,
  last: StoreChange,
  work: () => Promise<unknown>,
  concerns?: (change: StoreChange) => boolean,
): Promise<StoreChange[]> {
  const stop = new AbortController();
  const heard: StoreChange[] = [];
  const listening = (async () => {
    for await (const change of store.changes(stop.signal, concerns)) {
      heard.push(change);
      if (JSON.stringify(change) === JSON.stringify(last)) break;
    }
  })();
  await work();
  await listening;
  return heard;
}
