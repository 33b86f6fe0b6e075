import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayStore, PairingLimits, Taken } from '../../../../src/contracts/gateway-store.ts';
import { createRedactingGateway } from '../../../../src/parts/safety/secrets/gateway-store.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';
import {
  ACCOUNT,
  createAdmission,
  createArrival,
  createDelivery,
  TAKE,
} from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { freshPath } from '../../store/places.ts';
import { secretsWith } from './setup.ts';
import { undecided } from './undecided.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });
const LIMITS: PairingLimits = { ttlMs: 1000, perPersonMs: 1, maxPending: 9, deliverMs: 1, maxFailures: 9, lockMs: 1000 };
const OFFER = { ...ACCOUNT, userId: '1', name: VALUE, hash: 'h', salt: 's', by: 'stranger' } as const;
const HANDLE = { token: VALUE };
const TARGET = { ...ACCOUNT, chatId: `hook/${VALUE}` };

const message = createArrival('7', `said ${VALUE}`);
const ARRIVAL = { ...message, event: { ...message.event, handle: HANDLE } };

interface Scene {
  readonly store: GatewayStore;
  readonly arrival: Taken;
  readonly delivery: Taken;
}
/** A use of every method, with the secret wherever a text goes in. A method without a row does not compile. */
const USES: { readonly [Method in keyof Required<GatewayStore>]: (scene: Scene) => Promise<unknown> } = {
  receive: ({ store }) => store.receive([createArrival('8', VALUE)], [{ ...ACCOUNT, scope: 'updates', value: VALUE }]),
  renew: ({ store, arrival }) => store.renew([arrival], 1000),
  arrivals: ({ store }) => store.arrivals({}).then((rows) => rows.map(({ event }) => ('text' in event ? event.text : ''))),
  admit: ({ store, arrival }) =>
    store.admit(arrival, createAdmission('7', VALUE, { deliveries: [createDelivery('9', VALUE)], routeKey: `agent:${VALUE}` })),
  settle: async ({ store }) => {
    const [row] = await store.take('arrival', TAKE);
    if (row !== undefined) await store.settle(row.taken, { state: 'command', why: VALUE, deliveries: [createDelivery('9', VALUE)] });
  },
  take: ({ store }) => store.take('arrival', { ...TAKE, owner: VALUE }),
  plan: ({ store }) => store.plan([createDelivery('9', `once more ${VALUE}`)]),
  beginPart: ({ store, delivery }) => store.beginPart(delivery, 0, [{ content: { type: 'text', markdown: VALUE } }]),
  endPart: ({ store, delivery }) => store.endPart(delivery, 0, { state: 'failed', why: VALUE }),
  defer: async ({ store }) => {
    const [row] = await store.take('delivery', TAKE);
    if (row !== undefined) await store.defer(row.taken, { delayMs: 0, why: VALUE, counts: true });
  },
  finish: ({ store, delivery }) => store.finish(delivery, 'failed', VALUE),
  nextDue: ({ store }) => store.nextDue('arrival'),
  backlog: ({ store }) => store.backlog('arrival'),
  deliveries: ({ store }) => store.deliveries({}).then((rows) => rows.map(({ content, parts, why }) => [content, parts, why])),
  route: ({ store }) => store.route('agent:main'),
  routes: ({ store }) => store.routes({ platform: 'discord' }),
  reroute: ({ store }) => store.reroute(VALUE, undefined, null),
  remember: ({ store }) => store.remember(VALUE, { [VALUE]: VALUE }),
  cursors: ({ store }) => store.cursors({ ...ACCOUNT, account: VALUE }),
  moveChat: ({ store }) => store.moveChat(ACCOUNT, { chatId: VALUE }, { chatId: VALUE }, { from: VALUE, to: VALUE, isNewId: true }),
  movedChats: ({ store }) => store.movedChats({ ...ACCOUNT, account: VALUE }).then((moved) => moved.length),
  markDead: ({ store }) => store.markDead({ ...ACCOUNT, chatId: '66' }, `blocked by ${VALUE}`).then(() => ''),
  deadTargets: ({ store }) => store.deadTargets().then((targets) => targets.length),
  offerPairing: ({ store }) => store.offerPairing(OFFER, LIMITS),
  confirmPairing: ({ store }) => store.confirmPairing('p', LIMITS),
  pairings: ({ store }) => store.pairings({ ...ACCOUNT, account: VALUE }),
  acceptPairing: ({ store }) => store.acceptPairing('p', OFFER),
  failPairing: ({ store }) => store.failPairing({ ...ACCOUNT, account: VALUE }, LIMITS),
  pairingLock: ({ store }) => store.pairingLock({ ...ACCOUNT, account: VALUE }),
  people: ({ store }) => store.people({ ...ACCOUNT, account: VALUE }),
  findPerson: ({ store }) => store.findPerson({ platform: VALUE, account: VALUE, userId: VALUE }),
  removePerson: ({ store }) => store.removePerson({ platform: VALUE, account: VALUE, userId: VALUE }),
  count: ({ store }) => store.count(VALUE, 1000),
  leaseCredential: ({ store }) => store.leaseCredential({ identity: VALUE, holder: VALUE, leaseMs: 1 }),
  releaseCredential: ({ store }) => store.releaseCredential(VALUE, 1),
};

test('redaction has decided on every method a gateway has', async () => {
  await using store = await openSqliteStore({ path: freshPath() });
  assert.deepEqual(undecided(store.gateway, createRedactingGateway(store.gateway, SECRETS)), []);
});

test('whatever a gateway asks of it, a store is told no secret and tells none, not even one it was told too early', async () => {
  await using inner = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const heard: string[] = [];
  const listening: GatewayStore = new Proxy(inner.gateway, {
    get: (target, key, receiver) => {
      const method: unknown = Reflect.get(target, key, receiver);
      return typeof method === 'function'
        ? (...args: unknown[]): unknown => (heard.push(JSON.stringify(args)), Reflect.apply(method, target, args))
        : method;
    },
  });
  const store = createRedactingGateway(listening, SECRETS);
  await inner.gateway.receive([message], []);
  await inner.gateway.plan([createDelivery('7', VALUE)]);
  const [[arrival], [delivery]] = [await store.take('arrival', TAKE), await store.take('delivery', TAKE)];
  assert.ok(arrival !== undefined && delivery !== undefined);
  assert.ok(!JSON.stringify([arrival, delivery]).includes(VALUE));
  const scene = { store, arrival: arrival.taken, delivery: delivery.taken };
  for (const use of Object.values(USES)) assert.ok(!JSON.stringify((await use(scene)) ?? '').includes(VALUE), String(use));
  assert.deepEqual(
    heard.filter((args) => args.includes(VALUE)),
    [],
  );
  assert.ok(heard.length >= Object.keys(USES).length, 'every method was asked for something');
});

test('what leads somewhere is kept without its secret and leads there again', async () => {
  await using inner = await openSqliteStore({ path: freshPath(), durability: 'process' });
  const store = createRedactingGateway(inner.gateway, SECRETS);
  const file = { kind: 'document', handle: HANDLE } as const;
  const event = { ...ARRIVAL.event, foreign: [{ origin: 'forward', text: VALUE, media: [file] }] } as const;
  await store.receive([{ ...ARRIVAL, event }], [{ ...ACCOUNT, scope: 'updates', value: VALUE }]);
  await store.plan([createDelivery('7', 'x', { target: TARGET, handle: HANDLE })]);
  const [arrival] = await store.take('arrival', TAKE);
  const [delivery] = await store.take('delivery', TAKE);
  assert.ok(arrival?.row.event.type === 'message');
  const [part] = arrival.row.event.foreign ?? [];
  assert.deepEqual(part?.media, [file]);
  assert.ok(part !== undefined && !part.text.includes(VALUE));
  await store.admit(arrival.taken, createAdmission('7', 'x', { target: TARGET, routeKey: `to ${VALUE}` }));
  const [route] = await store.routes({});
  assert.deepEqual(
    [arrival.row.event.handle, delivery?.row.target, delivery?.row.handle, await store.cursors(ACCOUNT), route?.key, route?.target],
    [HANDLE, TARGET, HANDLE, [{ scope: 'updates', value: VALUE }], `to ${VALUE}`, TARGET],
  );
  assert.deepEqual((await store.route(`to ${VALUE}`))?.key, `to ${VALUE}`);
});
