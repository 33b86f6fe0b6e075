import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayStore, PairingLimits, PairingOffer } from '../../contracts/gateway-store.ts';
import { ACCOUNT, createArrival, createDelivery, MINUTE, takeOne, type StageStore } from './gateway-store-samples.ts';

const LIMITS: PairingLimits = {
  ttlMs: 60 * MINUTE,
  perPersonMs: 10 * MINUTE,
  maxPending: 3,
  deliverMs: MINUTE,
  maxFailures: 3,
  lockMs: 30 * MINUTE,
};
const offerOf = (userId: string, more: Partial<PairingOffer> = {}): PairingOffer => ({
  ...ACCOUNT,
  userId,
  name: `User ${userId}`,
  hash: `hash ${userId}`,
  salt: 'salt',
  by: 'stranger',
  ...more,
});

/** A code that has reached its person; gives its id. */
async function offerConfirmed(gateway: GatewayStore, userId: string, more: Partial<PairingOffer> = {}): Promise<string> {
  const offered = await gateway.offerPairing(offerOf(userId, more), LIMITS);
  ok(offered.type === 'offered');
  await gateway.confirmPairing(offered.id, LIMITS);
  return offered.id;
}

/** Who may speak, how that is found out, and who holds which credential. */
export function testPeople(stage: StageStore): void {
  testPairing(stage);
  testRedemption(stage);
  testLimits(stage);
}

function testPairing(stage: StageStore): void {
  test('a code is offered within the limits: one for a person at a time, a few for an account, for an hour', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const first = await offerConfirmed(gateway, '1');
    deepEqual(await gateway.offerPairing(offerOf('1'), LIMITS), { type: 'too_soon', waitMs: 10 * MINUTE });
    staged.advance(MINUTE);
    for (const id of ['2', '3']) await offerConfirmed(gateway, id);
    deepEqual(await gateway.offerPairing(offerOf('4'), LIMITS), { type: 'too_many', waitMs: 59 * MINUTE });
    equal((await gateway.offerPairing(offerOf('4', { platform: 'discord' }), LIMITS)).type, 'offered');
    equal((await gateway.offerPairing(offerOf('1', { account: 'work' }), LIMITS)).type, 'offered');
    equal((await gateway.offerPairing(offerOf('', { by: 'owner' }), LIMITS)).type, 'offered');
    const [pairing] = await gateway.pairings(ACCOUNT);
    deepEqual(pairing, { ...offerOf('1'), id: first, at: staged.now() - MINUTE, expiresInMs: 59 * MINUTE });
    staged.advance(59 * MINUTE);
    equal((await gateway.pairings(ACCOUNT)).length, 3);
    equal(await gateway.acceptPairing(first, { ...ACCOUNT, userId: '1' }), false);
  });

  test('a new code of somebody takes the place of their last one', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    for (let tries = 0; tries < 5; tries++) {
      await offerConfirmed(gateway, '1', { hash: `hash ${tries}` });
      staged.advance(10 * MINUTE);
    }
    deepEqual(
      (await gateway.pairings()).map(({ hash }) => hash),
      ['hash 4'],
    );
  });

  test('a code that never reached its person keeps neither them nor others waiting', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    for (const hash of ['lost', 'lost too', 'there']) equal((await gateway.offerPairing(offerOf('1', { hash }), LIMITS)).type, 'offered');
    deepEqual(
      (await gateway.pairings()).map(({ hash }) => hash),
      ['there'],
    );
    for (const id of ['2', '3']) await gateway.offerPairing(offerOf(id), LIMITS);
    equal((await gateway.offerPairing(offerOf('4'), LIMITS)).type, 'too_many');
    staged.advance(MINUTE);
    const fourth = await gateway.offerPairing(offerOf('4'), LIMITS);
    ok(fourth.type === 'offered');
    // It may have arrived after all: it is good for as long as any other.
    equal((await gateway.pairings()).length, 4);
    await gateway.confirmPairing(fourth.id, LIMITS);
    staged.advance(MINUTE);
    await gateway.confirmPairing(fourth.id, LIMITS);
    deepEqual(await gateway.offerPairing(offerOf('4'), LIMITS), { type: 'too_soon', waitMs: 9 * MINUTE });
  });

  test('a code is used up once, and whoever used it may speak to that account until that is taken back', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const offered = await offerConfirmed(gateway, '1');
    const ada = { ...ACCOUNT, userId: '1', name: 'Ada' };
    const elsewhere = { ...ada, account: 'work' };
    const told = { key: 'let in', target: { ...ACCOUNT, chatId: '70' }, content: { type: 'text', markdown: 'hello' } } as const;
    deepEqual(
      [
        await gateway.acceptPairing(offered, elsewhere, [{ ...told, key: 'elsewhere' }]),
        await gateway.acceptPairing(offered, ada, [told]),
        await gateway.acceptPairing(offered, ada, [{ ...told, key: 'again' }]),
      ],
      [false, true, false],
    );
    deepEqual(
      (await gateway.deliveries({})).map(({ key, target }) => ({ key, target })),
      [{ key: told.key, target: told.target }],
    );
    deepEqual(await gateway.pairings(), []);
    const paired = { ...ada, at: staged.now() };
    deepEqual([await gateway.people(), await gateway.people(elsewhere), await gateway.findPerson(ada)], [[paired], [], paired]);
    deepEqual([await gateway.findPerson({ ...ada, platform: 'discord' }), await gateway.findPerson(elsewhere)], [undefined, undefined]);
    deepEqual([await gateway.removePerson(elsewhere), await gateway.removePerson(ada), await gateway.people()], [false, true, []]);
  });
}

function testRedemption(stage: StageStore): void {
  test('a message that was a code is over with it: the person may speak, is told, and nothing of it is left to do', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const invited = await gateway.offerPairing(offerOf('invited', { by: 'owner' }), LIMITS);
    ok(invited.type === 'offered');
    const typed = (userId: string) => ({
      ...createArrival(userId, 'CODE'),
      event: { type: 'stranger', chat: { chatId: userId, type: 'private' }, senderId: userId, sentAt: 5 } as const,
      redeems: { pairingId: invited.id, person: { ...ACCOUNT, userId }, deliveries: [createDelivery(userId, 'welcome')] },
    });
    deepEqual(await gateway.receive([typed('1')], []), { fresh: [] });
    deepEqual(await gateway.receive([typed('1'), createArrival('1', 'CODE')], []), { fresh: [] });
    const { fresh } = await gateway.receive([typed('2')], []);
    deepEqual(
      [
        (await gateway.people()).map(({ userId }) => userId),
        (await gateway.deliveries({})).map(({ key }) => key),
        (await gateway.arrivals({})).map(({ state, event, serialKey }) => [state, event.type, serialKey]),
      ],
      [
        ['1'],
        ['1/welcome'],
        [
          ['command', 'stranger', 'chat 1'],
          ['new', 'stranger', 'chat 2'],
        ],
      ],
    );
    // Somebody was faster: it is kept like any other message of a stranger.
    equal((await takeOne(gateway, 'arrival')).row.id, fresh[0]);
    await gateway.receive([createArrival('1', 'hello')], []);
    equal((await takeOne(gateway, 'arrival')).row.eventKey, '1:hello');
  });

  test('wrong codes lock an account for a while, for every program and after a restart', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const fail = () => gateway.failPairing(ACCOUNT, LIMITS);
    deepEqual([await fail(), await fail(), await gateway.pairingLock(ACCOUNT)], [undefined, undefined, undefined]);
    const other = await staged.again();
    equal(await other.gateway.failPairing(ACCOUNT, LIMITS), 30 * MINUTE);
    staged.advance(MINUTE);
    deepEqual(
      [
        await gateway.pairingLock(ACCOUNT),
        await fail(),
        await gateway.pairingLock({ ...ACCOUNT, platform: 'discord' }),
        await gateway.pairingLock({ ...ACCOUNT, account: 'work' }),
      ],
      [29 * MINUTE, 29 * MINUTE, undefined, undefined],
    );
    deepEqual(await gateway.offerPairing(offerOf('1'), LIMITS), { type: 'locked', waitMs: 29 * MINUTE });
    staged.advance(29 * MINUTE);
    deepEqual([await gateway.pairingLock(ACCOUNT), await fail()], [undefined, undefined]);
  });

  test('the right code ends the count of wrong ones', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    for (let tries = 0; tries < 2; tries++) await gateway.failPairing(ACCOUNT, LIMITS);
    const offered = await gateway.offerPairing(offerOf('1'), LIMITS);
    ok(offered.type === 'offered');
    await gateway.acceptPairing(offered.id, offerOf('1'));
    equal(await gateway.failPairing(ACCOUNT, LIMITS), undefined);
  });
}

function testLimits(stage: StageStore): void {
  test('limits outlive the program that counted', async () => {
    await using staged = await stage();
    const first = await staged.again();
    await offerConfirmed(first.gateway, '1');
    for (let tries = 0; tries < 2; tries++) await first.gateway.failPairing(ACCOUNT, LIMITS);
    await first.gateway.count('stranger 1', MINUTE);
    await first[Symbol.asyncDispose]();
    const { gateway } = await staged.again();
    deepEqual(
      [
        await gateway.offerPairing(offerOf('1'), LIMITS),
        await gateway.failPairing(ACCOUNT, LIMITS),
        await gateway.count('stranger 1', MINUTE),
      ],
      [{ type: 'too_soon', waitMs: 10 * MINUTE }, 30 * MINUTE, 2],
    );
  });

  test('something is counted within a window that begins with the first', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const count = () => gateway.count('stranger 1', MINUTE);
    deepEqual([await count(), await count(), await gateway.count('stranger 2', MINUTE)], [1, 2, 1]);
    staged.advance(MINUTE - 1);
    equal(await count(), 3);
    staged.advance(1);
    equal(await count(), 1);
  });

  test('a credential is in the hands of one connection, by lease and token', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const lease = { identity: 'hash of a token', holder: 'gateway of home A', leaseMs: MINUTE };
    const first = await gateway.leaseCredential(lease);
    ok(first.ok);
    const rival = { ...lease, holder: 'gateway of home B' };
    deepEqual(await gateway.leaseCredential(rival), { ok: false, holder: lease.holder });
    staged.advance(MINUTE - 1);
    deepEqual(await gateway.leaseCredential({ ...lease, token: first.token }), first);
    staged.advance(MINUTE - 1);
    deepEqual(await gateway.leaseCredential(rival), { ok: false, holder: lease.holder });
    staged.advance(1);
    const second = await gateway.leaseCredential(rival);
    ok(second.ok && second.token > first.token);
    deepEqual(await gateway.leaseCredential({ ...lease, token: first.token }), { ok: false, holder: rival.holder });
    await gateway.releaseCredential(lease.identity, first.token);
    equal((await gateway.leaseCredential(lease)).ok, false);
    await gateway.releaseCredential(lease.identity, second.token);
    const third = await gateway.leaseCredential(lease);
    ok(third.ok);
    const again = await gateway.leaseCredential(lease);
    ok(again.ok && again.token !== third.token);
    equal((await gateway.leaseCredential({ ...lease, token: third.token })).ok, false);
  });

  test('the credential of a dead process of this machine is free at once', async (t) => {
    await using staged = await stage();
    if (staged.dead === undefined) return t.skip('no way to stage a dead process');
    const lease = { identity: 'hash of a token', holder: 'the dead', leaseMs: MINUTE };
    const dead = await staged.dead();
    await dead.gateway.leaseCredential(lease);
    equal((await staged.gateway.leaseCredential({ ...lease, holder: 'the living' })).ok, true);
  });
}
