import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Fate } from '../../contracts/session-store.ts';
import type { Open } from './session-store.ts';
import { begun, current, preparing, refused, said } from './session-store-samples.ts';

/** The turn cell and the inbox. */
export function cellTests(open: Open): void {
  test('the turn cell holds the last state until it is cleared', async () => {
    await using store = await open();
    const { session, claim } = await begun(store);
    equal(await store.turn(session.id), undefined);
    const state = preparing(session.id, 't1');
    await store.commit(claim, { turn: state });
    await store.commit(claim, { append: [said('the cell stays')] });
    deepEqual([await store.turn(session.id), (await current(store, session.id)).unfinished], [state, true]);
    const later = { ...state, steps: 1, phase: 'sample' as const };
    await store.commit(claim, { turn: later });
    deepEqual(await store.turn(session.id), later);
    await store.commit(claim, { turn: null });
    deepEqual([await store.turn(session.id), (await current(store, session.id)).unfinished], [undefined, false]);
  });

  test('a text waits in the inbox until it has its fate', async () => {
    await using store = await open();
    const { session, claim } = await begun(store);
    const [one, two] = [
      await store.post({ sessionId: session.id, text: 'first', mode: 'queue' }),
      await store.post({ sessionId: session.id, text: 'second', mode: 'steer', key: 'k2' }),
    ];
    deepEqual(await store.waiting(session.id), [one, two]);
    await store.commit(claim, { fates: [{ id: one.id, fate: 'turn' }] });
    deepEqual(await store.waiting(session.id), [two]);
    deepEqual(await store.inbox(session.id), [{ ...one, fate: 'turn' }, two]);
  });

  test('every fate is given exactly once', async () => {
    await using store = await open();
    const { session, claim } = await begun(store);
    for (const fate of ['steered', 'turn', 'interrupted'] satisfies Fate[]) {
      const item = await store.post({ sessionId: session.id, text: fate, mode: 'interrupt' });
      await store.commit(claim, { fates: [{ id: item.id, fate }] });
      await refused(store.commit(claim, { append: [said('twice')], fates: [{ id: item.id, fate }] }), 'taken');
      await refused(store.commit(claim, { fates: [{ id: item.id, fate: 'turn' }] }), 'taken');
    }
    deepEqual(
      (await store.inbox(session.id)).map((item) => item.fate),
      ['steered', 'turn', 'interrupted'],
    );
    deepEqual(await store.entries(session.id), []);
  });

  test('a text with a key is taken once per session, whatever became of it', async () => {
    await using store = await open();
    const { session, claim } = await begun(store);
    const other = await begun(store);
    const item = await store.post({ sessionId: session.id, text: 'hello', mode: 'queue', key: 'telegram:7' });
    deepEqual(await store.post({ sessionId: session.id, text: 'hello again', mode: 'steer', key: 'telegram:7' }), item);
    await store.commit(claim, { fates: [{ id: item.id, fate: 'turn' }] });
    deepEqual(await store.post({ sessionId: session.id, text: 'hello', mode: 'queue', key: 'telegram:7' }), { ...item, fate: 'turn' });
    await store.post({ sessionId: other.session.id, text: 'hello', mode: 'queue', key: 'telegram:7' });
    deepEqual([(await store.inbox(session.id)).length, (await store.inbox(other.session.id)).length], [1, 1]);
  });

  test('a fate reaches only the texts of its own session', async () => {
    await using store = await open();
    const [mine, other] = [await begun(store), await begun(store)];
    const item = await store.post({ sessionId: other.session.id, text: 'not yours', mode: 'queue' });
    await refused(store.commit(mine.claim, { fates: [{ id: item.id, fate: 'turn' }] }), 'missing');
    await refused(store.post({ sessionId: 'no-such-session', text: 'x', mode: 'queue' }), 'missing');
    deepEqual(await store.waiting(other.session.id), [item]);
  });
}
