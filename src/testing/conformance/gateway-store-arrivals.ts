import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT,
  admitAll,
  admitOne,
  createAdmission,
  createArrival,
  createDelivery,
  createTarget,
  takeOne,
  type StageStore,
} from './gateway-store-samples.ts';
import { assertRefused } from './session-store-samples.ts';

/** What arrives is kept once, in order, and becomes a message in one step. */
export function testArrivals(stage: StageStore): void {
  testReceiving(stage);
  testAlbums(stage);
  testSettling(stage);
  testChatLines(stage);
}

function testReceiving(stage: StageStore): void {
  test('an event is kept once for an account, whichever copy of it comes, and how far was received with it', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const cursor = { ...ACCOUNT, scope: 'updates' };
    const first = await gateway.receive([createArrival('7', 'one'), createArrival('7', 'two')], [{ ...cursor, value: '2' }]);
    const again = await gateway.receive([createArrival('7', 'two'), createArrival('7', 'three')], [{ ...cursor, value: '3' }]);
    const other = await gateway.receive([createArrival('7', 'one', { account: 'work' })], []);
    const kept = await gateway.arrivals({});
    deepEqual([first.fresh.length, again.fresh.length, other.fresh.length], [2, 1, 1]);
    deepEqual(
      kept.map(({ id, account, eventKey }) => [id, account, eventKey]),
      [
        [first.fresh[0], 'main', '7:one'],
        [first.fresh[1], 'main', '7:two'],
        [again.fresh[0], 'main', '7:three'],
        [other.fresh[0], 'work', '7:one'],
      ],
    );
    const byKey = await gateway.arrivals({ event: { ...ACCOUNT, account: 'work', eventKey: '7:one' } });
    deepEqual([byKey.map(({ id }) => id), await gateway.arrivals({ event: { ...ACCOUNT, eventKey: '7:four' } })], [other.fresh, []]);
    deepEqual(await gateway.cursors(ACCOUNT), [{ scope: 'updates', value: '3' }]);
    deepEqual(await gateway.cursors({ ...ACCOUNT, account: 'work' }), []);
  });

  test('an arrival that is to wait can be taken only after that, and holds up no other chat', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive([{ ...createArrival('7', 'later'), delayMs: 60_000 }, createArrival('8', 'now')], []);
    const take = async () => (await gateway.take('arrival', { owner: 'one', leaseMs: 1000, limit: 9 })).map(({ row }) => row.eventKey);
    deepEqual(await take(), ['8:now']);
    staged.advance(60_000);
    deepEqual((await take()).includes('7:later'), true);
  });

  test('an arrival comes back as it came, and one event twice in a batch is one', async () => {
    await using staged = await stage();
    const arrival = createArrival('7', 'hello');
    const { fresh } = await staged.gateway.receive([arrival, arrival], []);
    deepEqual(await staged.gateway.arrivals({}), [{ ...arrival, id: fresh[0], at: staged.now(), state: 'new', attempts: 0 }]);
  });

  test('an event that was handled stays known', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await admitOne(gateway, '7', 'hello');
    deepEqual(await gateway.receive([createArrival('7', 'hello')], []), { fresh: [] });
    const find = async (eventKey: string, account = 'main') =>
      (await gateway.arrivals({ event: { ...ACCOUNT, account, eventKey } })).length;
    deepEqual([await find('7:hello'), await find('7:other'), await find('7:hello', 'work')], [1, 0, 0]);
  });

  test('the first message of a chat begins its session, and the next ones join it', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const one = await admitOne(gateway, '7', 'one');
    const two = await admitOne(gateway, '7', 'two');
    const other = await admitOne(gateway, '8', 'three');
    deepEqual([one.began, two.began, other.began], [true, false, true]);
    deepEqual([two.session.id, other.session.id === one.session.id], [one.session.id, false]);
    deepEqual([one.session.source, one.session.platform], ['gateway', 'telegram']);
    deepEqual(await store.waiting(one.session.id), [one.item, two.item]);
    const [arrival] = await gateway.arrivals({ states: ['admitted'], limit: 1 });
    deepEqual([arrival?.sessionId, arrival?.itemId], [one.session.id, one.item.id]);
    deepEqual(
      (await store.pending()).map(({ session, waiting }) => [session.id, waiting]),
      [
        [one.session.id, 2],
        [other.session.id, 1],
      ],
    );
  });
}

function testAlbums(stage: StageStore): void {
  test('an album becomes one message: what waits behind in the same chat goes with it', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive(
      ['a', 'b', 'c'].map((text) => createArrival('7', text)),
      [],
    );
    await gateway.receive([createArrival('8', 'x')], []);
    const [first, other] = await gateway.take('arrival', { owner: 'one', leaseMs: 1000, limit: 9 });
    if (first === undefined || other === undefined) throw new Error('two chats have something to take');
    const [b, c] = await gateway.arrivals({ behind: first.taken });
    await assertRefused(gateway.admit(first.taken, createAdmission('7', 'a', { with: [other.row.id] })), 'missing');
    const { item } = await gateway.admit(first.taken, createAdmission('7', 'a b', { with: [b?.id ?? ''] }));
    const states = (await gateway.arrivals({})).map(({ eventKey, state, itemId }) => [eventKey, state, itemId === item.id]);
    deepEqual(states, [
      ['7:a', 'admitted', true],
      ['7:b', 'merged', true],
      ['7:c', 'new', false],
      ['8:x', 'new', false],
    ]);
    equal((await takeOne(gateway, 'arrival')).row.id, c?.id);
  });

  test('an album that becomes no message is settled as a whole', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive(
      ['a', 'b', 'c'].map((text) => createArrival('7', text)),
      [],
    );
    await gateway.receive([createArrival('8', 'x')], []);
    const [first, other] = await gateway.take('arrival', { owner: 'one', leaseMs: 1000, limit: 9 });
    if (first === undefined || other === undefined) throw new Error('two chats have something to take');
    const [b, c] = await gateway.arrivals({ behind: first.taken });
    await assertRefused(gateway.settle(first.taken, { state: 'refused', with: [other.row.id] }), 'missing');
    await gateway.settle(first.taken, { state: 'refused', why: 'not for us', with: [b?.id ?? ''] });
    const states = (await gateway.arrivals({ platform: first.row.platform })).map(({ eventKey, state, event, why }) => [
      eventKey,
      state,
      event.type,
      why,
    ]);
    deepEqual(states, [
      ['7:a', 'refused', 'stranger', 'not for us'],
      ['7:b', 'refused', 'stranger', 'not for us'],
      ['7:c', 'new', 'message', undefined],
      ['8:x', 'new', 'message', undefined],
    ]);
    equal((await takeOne(gateway, 'arrival')).row.id, c?.id);
  });
}

function testSettling(stage: StageStore): void {
  test('what becomes no message is settled once, with what is to be said about it', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive([createArrival('7', '/status')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    await gateway.settle(taken, { state: 'command', deliveries: [createDelivery('7', 'All is well.')] });
    await assertRefused(gateway.settle(taken, { state: 'expired' }), 'fenced');
    deepEqual(
      (await gateway.arrivals({})).map(({ state }) => state),
      ['command'],
    );
    deepEqual(
      (await gateway.deliveries({})).map(({ key, state }) => [key, state]),
      [['7/All is well.', 'pending']],
    );
  });

  test('of a refused message nothing stays but that it came', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive([createArrival('66', 'let me in')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    await gateway.settle(taken, { state: 'refused', why: 'not on the list' });
    const [row] = await gateway.arrivals({});
    deepEqual(
      [row?.state, row?.why, row?.event],
      ['refused', 'not on the list', { type: 'stranger', chat: { chatId: '66', type: 'private' }, senderId: '66', sentAt: 5 }],
    );
    deepEqual((await gateway.receive([createArrival('66', 'let me in')], [])).fresh, []);
  });

  test('a message that is not taken in leaves nothing behind', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    await gateway.receive([createArrival('7', 'hello')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    const stale = { ...taken, token: taken.token - 1 };
    const admission = createAdmission('7', 'hello', { deliveries: [createDelivery('7', 'seen')] });
    await assertRefused(gateway.admit(stale, admission), 'fenced');
    const orphan = { ...admission, session: { ...admission.session, parent: { sessionId: 'nobody', kind: 'reset' } } } as const;
    await assertRefused(gateway.admit(taken, orphan), 'missing');
    deepEqual([await store.list(), await store.pending(), await gateway.deliveries({}), await gateway.routes({})], [[], [], [], []]);
    await gateway.admit(taken, admission);
    deepEqual([(await store.list()).length, (await gateway.deliveries({})).length], [1, 1]);
  });
}

function testChatLines(stage: StageStore): void {
  test('a chat whose session was removed begins another one', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'secret plans', { deliveries: [createDelivery('7', 'hm', { sessionId: 'later' })] });
    await store.remove(session.id);
    const [row] = await gateway.arrivals({});
    equal(row?.event.type, 'stranger');
    deepEqual((await gateway.route('agent:main:telegram:private:7'))?.sessionId, undefined);
    equal((await admitOne(gateway, '7', 'new plans')).began, true);
  });

  test('chats are served in their order, whatever the number of messages', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const chats = ['1', '2', '3'];
    const sent = Array.from({ length: 30 }, (_, index) => createArrival(chats[index % 3] ?? '', String(index)));
    for (let from = 0; from < sent.length; from += 7) await gateway.receive(sent.slice(from, from + 7), []);
    const order = await admitAll(gateway);
    for (const chat of chats) {
      const keys = (list: readonly string[]) => list.filter((key) => key.startsWith(`${chat}:`));
      deepEqual(keys(order), keys(sent.map(({ eventKey }) => eventKey)));
    }
  });

  test('where a chat leads knows its target and when its last message came', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'one');
    staged.advance(1000);
    await admitOne(gateway, '7', 'two');
    deepEqual(await gateway.routes({}), [
      {
        key: 'agent:main:telegram:private:7',
        target: createTarget('7'),
        chat: { chatId: '7', type: 'private', name: 'Ada' },
        sessionId: session.id,
        usedAt: staged.now(),
        facts: {},
      },
    ]);
  });
}
