import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReservations, resolveBudgetOwner } from '../../src/agent/budget-reservations.ts';
import type { LineageKind, SessionStore } from '../../src/contracts/session-store.ts';
import { createCallRecord, SESSION } from '../../src/testing/conformance/session-store-samples.ts';
import { scriptedProvider } from '../../src/testing/index.ts';
import { play, setup } from './setup.ts';

test('what the others of a family have set aside is not free; what another family has is nobody’s business', () => {
  const reservations = openReservations();
  reservations.hold('one', 'one', { tokens: 10, usd: 1 });
  reservations.hold('one', 'child', { tokens: 5, usd: 2 });
  reservations.hold('two', 'two', { tokens: 100, usd: 100 });
  assert.deepEqual(reservations.besides('one', 'one'), { tokens: 5, usd: 2 });
  reservations.hold('one', 'child', { tokens: 7, usd: 0 });
  assert.deepEqual(
    [reservations.besides('one', 'one'), reservations.besides('one', 'new')],
    [
      { tokens: 7, usd: 0 },
      { tokens: 17, usd: 1 },
    ],
  );
  reservations.release('child');
  assert.deepEqual(
    [reservations.besides('one', 'one'), reservations.holds('child'), reservations.holds('one')],
    [{ tokens: 0, usd: 0 }, false, true],
  );
});

test('one family is counted by one at a time, and one that fails keeps nobody waiting', async () => {
  const reservations = openReservations();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = reservations.alone('one', async () => {
    await gate.promise;
    seen.push('first');
    throw new Error('broken');
  });
  const second = reservations.alone('one', async () => seen.push('second'));
  await reservations.alone('two', async () => seen.push('other'));
  gate.resolve();
  await assert.rejects(first, /broken/);
  await second;
  assert.deepEqual(seen, ['other', 'first', 'second']);
});

const derive = (store: SessionStore, sessionId: string, kind: LineageKind) => store.create({ ...SESSION, parent: { sessionId, kind } });

test('a child is paid for by the session it works for, a branch pays for itself', async () => {
  const { store, session } = await setup(scriptedProvider([]));
  const child = await derive(store, session.id, 'child');
  const grandchild = await derive(store, child.id, 'child');
  const branch = await derive(store, session.id, 'branch');
  const owners = await Promise.all([session, child, grandchild, branch].map(({ id }) => resolveBudgetOwner(id, store)));
  assert.deepEqual(owners, [session.id, session.id, session.id, branch.id]);
  await store.remove(session.id);
  assert.equal(await resolveBudgetOwner(grandchild.id, store), child.id, 'who has nobody above pays');
});

/** What a child has cost, and how the next turn of its parent ends. */
const PAID: readonly (readonly [price: number, kind: LineageKind, exit: string])[] = [
  [0.9, 'child', 'money_budget'],
  [0.1, 'child', 'answered'],
  [0.9, 'branch', 'answered'],
];
for (const [price, kind, exit] of PAID)
  test(`a money budget counts what was paid for a ${kind}: ${price} of 1 ends the turn as ${exit}`, async () => {
    const provider = scriptedProvider((request) => ({ text: request.toolUse === 'forbidden' ? 'Closing.' : 'Answer.' }));
    const scene = await setup(provider, { settings: { 'agent.budget_usd': 1 } });
    const other = await derive(scene.store, scene.session.id, kind);
    const claim = await scene.store.claim(other.id);
    await scene.store.commit(claim, { calls: [createCallRecord(other.id, 'c_1', { price })] });
    const { outcome } = await play({ ...scene, deps: { ...scene.deps, price: () => 0.1 } }, 'go');
    assert.equal(outcome?.exitReason, exit);
  });
