import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteFilter } from '../../contracts/gateway-store.ts';
import {
  ACCOUNT,
  admitOne,
  createArrival,
  createDelivery,
  createTarget,
  MINUTE,
  takeOne,
  wordsOf,
  type StageStore,
} from './gateway-store-samples.ts';
import { assertRefused, SESSION } from './session-store-samples.ts';

const KEY = 'agent:main:telegram:private:7';

/** Where chats lead, how far was received of them, and what happens when they move. */
export function testChats(stage: StageStore): void {
  testRoutes(stage);
  testRouteFilters(stage);
  testCursors(stage);
  testMoves(stage);
  testFormerIds(stage);
}

function testRoutes(stage: StageStore): void {
  test('a chat is led elsewhere only from where it leads now', async () => {
    await using staged = await stage();
    const { store, gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'hello');
    const next = await store.create(SESSION);
    const moves = [
      await gateway.reroute(KEY, next.id, session.id),
      await gateway.reroute(KEY, undefined, next.id),
      await gateway.reroute(KEY, session.id, next.id),
      await gateway.reroute(KEY, session.id, null),
      await gateway.reroute(KEY, next.id, null),
      await gateway.reroute('nowhere', undefined, next.id),
    ];
    deepEqual(moves, [false, false, true, false, true, false]);
    await assertRefused(gateway.reroute(KEY, undefined, 'no-such-session'), 'missing');
    deepEqual((await gateway.route(KEY))?.sessionId, undefined);
    const again = await admitOne(gateway, '7', 'anybody there?');
    deepEqual([again.began, (await gateway.route(KEY))?.sessionId], [true, again.session.id]);
  });

  test('what is remembered of a chat is merged key by key, also before its first message', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.remember(KEY, { model: 'large', voice: true });
    equal(await gateway.route(KEY), undefined);
    await admitOne(gateway, '7', 'hello');
    await gateway.remember(KEY, { voice: null, seen: { upTo: 4 } });
    deepEqual((await gateway.route(KEY))?.facts, { model: 'large', seen: { upTo: 4 } });
  });
}

function testRouteFilters(stage: StageStore): void {
  test('chats are found by place, by session, and by how long they are idle', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const one = await admitOne(gateway, '7', 'hello');
    staged.advance(MINUTE);
    await admitOne(gateway, '8', 'hello');
    await admitOne(gateway, '9', 'hello');
    await gateway.reroute('agent:main:telegram:private:9', (await gateway.route('agent:main:telegram:private:9'))?.sessionId, null);
    staged.advance(MINUTE);
    const chats = async (filter: Parameters<typeof gateway.routes>[0]) => (await gateway.routes(filter)).map(({ target }) => target.chatId);
    deepEqual(
      [
        await chats({ platform: 'telegram' }),
        await chats({ platform: 'discord' }),
        await chats({ sessionId: one.session.id }),
        await chats({ idleForMs: MINUTE }),
        await chats({ idleForMs: MINUTE + 1 }),
        await chats({ idleForMs: 0, limit: 1 }),
      ],
      [['7', '8', '9'], [], ['7'], ['7', '8'], ['7'], ['7']],
    );
  });

  test('chats are found with their threads, by what is remembered of them, and a page at a time', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const key = (place: string): string => `agent:main:telegram:private:${place}`;
    for (const chat of ['7', '7/2', '7/1', '70', '8']) {
      await admitOne(gateway, chat, 'hello');
      staged.advance(MINUTE);
    }
    await gateway.remember(key('8'), { person: 'ann', 'a "name"': 'x' });
    await gateway.remember(key('70'), { person: 'ann' });
    const keys = async (filter: RouteFilter) => (await gateway.routes(filter)).map((route) => route.key.slice(key('').length));
    const [first, second] = await gateway.routes({ idleForMs: 0, limit: 2 });
    deepEqual(
      {
        chat: (await keys({ under: [key('7')] })).toSorted(),
        several: await keys({ under: [key('8'), key('9'), key('70')] }),
        thread: await keys({ under: [key('7/1')] }),
        nobody: await keys({ under: [] }),
        person: await keys({ fact: { name: 'person', value: 'ann' } }),
        odd: await keys({ fact: { name: 'a "name"', value: 'x' } }),
        latest: await keys({ latestFirst: true, limit: 2 }),
        rest: second && (await keys({ idleForMs: 0, after: second })),
        sameTime: first && second && (await keys({ idleForMs: 0, after: { ...first, key: '' }, limit: 1 })),
      },
      {
        chat: ['7', '7/1', '7/2'],
        several: ['8', '70'],
        thread: ['7/1'],
        nobody: [],
        person: ['70', '8'],
        odd: ['8'],
        latest: ['8', '70'],
        rest: ['7/1', '70', '8'],
        sameTime: ['7'],
      },
    );
  });
}

function testCursors(stage: StageStore): void {
  test('how far was received is known for each account and each scope', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const of = (scope: string, value: string, account = 'main') => ({ ...ACCOUNT, account, scope, value });
    await gateway.receive([], [of('chat 1', '10'), of('chat 2', '20'), of('chat 1', '99', 'work')]);
    await gateway.receive([], [of('chat 1', '11')]);
    deepEqual(await gateway.cursors(ACCOUNT), [
      { scope: 'chat 1', value: '11' },
      { scope: 'chat 2', value: '20' },
    ]);
    deepEqual(await gateway.cursors({ ...ACCOUNT, account: 'work' }), [{ scope: 'chat 1', value: '99' }]);
  });
}

function testMoves(stage: StageStore): void {
  test('a chat that goes on under another id takes its session, cursor, facts and deliveries along', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'hello');
    await gateway.remember(KEY, { home: true });
    await gateway.receive([], [{ ...ACCOUNT, scope: '7', value: '10' }]);
    await gateway.markDead(createTarget('7'), 'moved');
    await gateway.plan([createDelivery('7', 'first'), createDelivery('7', 'second')]);
    const held = await takeOne(gateway, 'delivery');
    await gateway.plan([createDelivery('-100', 'third')]);
    const keys = { from: KEY, to: 'agent:main:telegram:group:-100' };
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '-100' }, keys);
    deepEqual(
      (await gateway.routes({})).map(({ key }) => key),
      [keys.to],
    );
    const route = await gateway.route(keys.to);
    deepEqual(
      [route?.sessionId, route?.target, route?.chat, route?.facts],
      [session.id, createTarget('-100'), { chatId: '-100', type: 'private', name: 'Ada' }, { home: true }],
    );
    deepEqual([await gateway.cursors(ACCOUNT), await gateway.deadTargets()], [[{ scope: '-100', value: '10' }], []]);
    deepEqual(new Set((await gateway.deliveries({})).map(({ target }) => target.chatId)), new Set(['-100']));
    await gateway.finish(held.taken, 'sent');
    const order: string[] = [];
    for (
      let rows = [await takeOne(gateway, 'delivery')];
      rows.length > 0;
      rows = [...(await gateway.take('delivery', { owner: 'o', leaseMs: 9, limit: 9 }))]
    ) {
      order.push(...wordsOf(rows));
      for (const { taken } of rows) await gateway.finish(taken, 'sent');
    }
    deepEqual(order, ['7/second', '-100/third']);
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '-100' }, keys);
    equal((await gateway.route(keys.to))?.sessionId, session.id);
  });
}

function testFormerIds(stage: StageStore): void {
  test('whoever knows a chat by an id or a key it had before reaches it, after one move and after several', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const { session } = await admitOne(gateway, '7', 'hello');
    const keys = [KEY, 'agent:main:telegram:group:-7', 'agent:main:telegram:group:-100'] as const;
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '-7' }, { from: keys[0], to: keys[1], isNewId: true });
    deepEqual(await gateway.movedChats(ACCOUNT), [{ from: '7', to: '-7' }]);
    staged.advance(MINUTE);
    await gateway.moveChat(ACCOUNT, { chatId: '-7' }, { chatId: '-100' }, { from: keys[1], to: keys[2], isNewId: true });
    const { gateway: after } = await staged.again();
    deepEqual(
      [await after.movedChats(ACCOUNT), await after.movedChats({ ...ACCOUNT, account: 'work' })],
      [
        [
          { from: '7', to: '-100' },
          { from: '-7', to: '-100' },
        ],
        [],
      ],
    );
    for (const key of keys) {
      await after.remember(key, { [`by ${key}`]: true });
      deepEqual((await after.route(key))?.sessionId, session.id);
    }
    deepEqual(Object.keys((await after.route(keys[2]))?.facts ?? {}).length, 3);
    // A message that was being read when its chat moved, and one that comes late.
    const late = await admitOne(after, '7', 'late');
    deepEqual([late.session.id, late.began, (await after.routes({})).length], [session.id, false, 1]);
    equal(await after.reroute(keys[0], session.id, null), true);
  });

  test('an id that only led to another place is no id of a chat, nor of a person who has it', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const limits = { ttlMs: MINUTE, perPersonMs: 0, maxPending: 9, deliverMs: 1, maxFailures: 9, lockMs: 1 };
    const offered = await gateway.offerPairing({ ...ACCOUNT, userId: '7', hash: 'h', salt: 's', by: 'owner' }, limits);
    if (offered.type === 'offered') await gateway.acceptPairing(offered.id, { ...ACCOUNT, userId: '7' });
    await gateway.plan([createDelivery('7', 'hello')]);
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '8' }, { from: 'chat 7', to: 'chat 8' });
    deepEqual(
      [
        (await gateway.deliveries({})).map(({ target }) => target.chatId),
        await gateway.movedChats(ACCOUNT),
        (await gateway.people()).map(({ userId }) => userId),
      ],
      [['8'], [], ['7']],
    );
  });

  test('that a chat moved is known as soon as its event is kept', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    const event = {
      type: 'moved',
      key: 'moved:7:-100',
      chat: { chatId: '7', type: 'group' },
      sender: { id: '1', isBot: false },
      sentAt: 5,
      to: { chatId: '-100' },
    } as const;
    await gateway.receive([createArrival('7', 'moved', { event })], []);
    deepEqual(await gateway.movedChats(ACCOUNT), [{ from: '7', to: '-100' }]);
  });

  test('what waits of a chat that moves is still handled in order', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive([createArrival('7', 'move'), createArrival('7', 'after')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    await gateway.receive([createArrival('8', 'new')], []);
    await gateway.moveChat(ACCOUNT, { chatId: '7' }, { chatId: '8' }, { from: 'chat 7', to: 'chat 8' });
    deepEqual(await gateway.take('arrival', { owner: 'two', leaseMs: 9, limit: 9 }), []);
    await gateway.settle(taken, { state: 'command' });
    deepEqual(wordsOf([await takeOne(gateway, 'arrival')]), ['7:after']);
  });
}
