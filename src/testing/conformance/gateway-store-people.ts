import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { PairingLimits, PairingOffer } from '../../contracts/gateway-store.ts';
import { MINUTE, type StageStore } from './gateway-store-samples.ts';

const LIMITS: PairingLimits = { ttlMs: 60 * MINUTE, perPersonMs: 10 * MINUTE, maxPending: 3, maxFailures: 3, lockMs: 30 * MINUTE };
const offerOf = (userId: string, more: Partial<PairingOffer> = {}): PairingOffer => ({
  platform: 'telegram',
  userId,
  name: `User ${userId}`,
  hash: `hash ${userId}`,
  salt: 'salt',
  by: 'stranger',
  ...more,
});

/** Who may speak, how that is found out, and who holds which credential. */
export function testPeople(stage: StageStore): void {
  testPairing(stage);
  testLimits(stage);
}

function testPairing(stage: StageStore): void {
  test('a code is offered within the limits: one for a person at a time, a few for a platform, for an hour', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const first = await gateway.offerPairing(offerOf('1'), LIMITS);
    ok(first.type === 'offered');
    deepEqual(await gateway.offerPairing(offerOf('1'), LIMITS), { type: 'too_soon', waitMs: 10 * MINUTE });
    staged.advance(MINUTE);
    for (const id of ['2', '3']) equal((await gateway.offerPairing(offerOf(id), LIMITS)).type, 'offered');
    deepEqual(await gateway.offerPairing(offerOf('4'), LIMITS), { type: 'too_many', waitMs: 59 * MINUTE });
    equal((await gateway.offerPairing(offerOf('4', { platform: 'discord' }), LIMITS)).type, 'offered');
    equal((await gateway.offerPairing(offerOf('', { by: 'owner' }), LIMITS)).type, 'offered');
    const [pairing] = await gateway.pairings('telegram');
    deepEqual(pairing, { ...offerOf('1'), id: first.id, at: staged.now() - MINUTE, expiresInMs: 59 * MINUTE });
    staged.advance(59 * MINUTE);
    equal((await gateway.pairings('telegram')).length, 3);
    equal(await gateway.acceptPairing(first.id, { platform: 'telegram', userId: '1' }), false);
  });

  test('a new code of somebody takes the place of their last one', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    for (let tries = 0; tries < 5; tries++) {
      equal((await gateway.offerPairing(offerOf('1', { hash: `hash ${tries}` }), LIMITS)).type, 'offered');
      staged.advance(10 * MINUTE);
    }
    deepEqual(
      (await gateway.pairings()).map(({ hash }) => hash),
      ['hash 4'],
    );
  });

  test('a code is used up once, and whoever used it may speak until that is taken back', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const offered = await gateway.offerPairing(offerOf('1'), LIMITS);
    ok(offered.type === 'offered');
    const ada = { platform: 'telegram', userId: '1', name: 'Ada' };
    deepEqual([await gateway.acceptPairing(offered.id, ada), await gateway.acceptPairing(offered.id, ada)], [true, false]);
    deepEqual(await gateway.pairings(), []);
    const paired = { ...ada, at: staged.now() };
    deepEqual([await gateway.people(), await gateway.people('discord'), await gateway.findPerson(ada)], [[paired], [], paired]);
    equal(await gateway.findPerson({ platform: 'discord', userId: '1' }), undefined);
    deepEqual([await gateway.removePerson(ada), await gateway.removePerson(ada), await gateway.people()], [true, false, []]);
  });

  test('wrong codes lock a platform for a while, for every program and after a restart', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const fail = () => gateway.failPairing('telegram', LIMITS);
    deepEqual([await fail(), await fail(), await gateway.pairingLock('telegram')], [undefined, undefined, undefined]);
    const other = await staged.again();
    equal(await other.gateway.failPairing('telegram', LIMITS), 30 * MINUTE);
    staged.advance(MINUTE);
    deepEqual(
      [await gateway.pairingLock('telegram'), await fail(), await gateway.pairingLock('discord')],
      [29 * MINUTE, 29 * MINUTE, undefined],
    );
    deepEqual(await gateway.offerPairing(offerOf('1'), LIMITS), { type: 'locked', waitMs: 29 * MINUTE });
    staged.advance(29 * MINUTE);
    deepEqual([await gateway.pairingLock('telegram'), await fail()], [undefined, undefined]);
  });

  test('the right code ends the count of wrong ones', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    for (let tries = 0; tries < 2; tries++) await gateway.failPairing('telegram', LIMITS);
    const offered = await gateway.offerPairing(offerOf('1'), LIMITS);
    ok(offered.type === 'offered');
    await gateway.acceptPairing(offered.id, offerOf('1'));
    equal(await gateway.failPairing('telegram', LIMITS), undefined);
  });
}

function testLimits(stage: StageStore): void {
  test('limits outlive the program that counted', async () => {
    await using staged = await stage();
    const first = await staged.again();
    await first.gateway.offerPairing(offerOf('1'), LIMITS);
    for (let tries = 0; tries < 2; tries++) await first.gateway.failPairing('telegram', LIMITS);
    await first.gateway.count('stranger 1', MINUTE);
    await first[Symbol.asyncDispose]();
    const { gateway } = await staged.again();
    deepEqual(
      [
        await gateway.offerPairing(offerOf('1'), LIMITS),
        await gateway.failPairing('telegram', LIMITS),
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
    equal((await gateway.leaseCredential(lease)).ok, true);
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
