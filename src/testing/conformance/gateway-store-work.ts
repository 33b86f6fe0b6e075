import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayStore, WorkKind } from '../../contracts/gateway-store.ts';
import {
  ACCOUNT,
  createAdmission,
  createArrival,
  createDelivery,
  MINUTE,
  TAKE,
  takeOne,
  wordsOf,
  type StagedStore,
  type StageStore,
} from './gateway-store-samples.ts';
import { assertRefused } from './session-store-samples.ts';

/** Fills both lines of work alike: chat by chat and in order. */
const FILL: Readonly<
  Record<WorkKind, (gateway: GatewayStore, chat: string, words: readonly string[], account?: string) => Promise<unknown>>
> = {
  arrival: (gateway, chat, words, account = 'main') =>
    gateway.receive(
      words.map((text) => ({ ...createArrival(chat, text), account })),
      [],
    ),
  delivery: (gateway, chat, words, account = 'main') =>
    gateway.plan(
      words.map((text) => {
        const delivery = createDelivery(chat, text, { key: `${account === 'main' ? '' : account}${chat}:${text}` });
        return { ...delivery, target: { ...delivery.target, account } };
      }),
    ),
};
const FINISH: Readonly<Record<WorkKind, (staged: StagedStore, taken: { id: string; token: number }) => Promise<unknown>>> = {
  arrival: ({ gateway }, taken) => gateway.settle({ kind: 'arrival', ...taken }, { state: 'command' }),
  delivery: ({ gateway }, taken) => gateway.finish({ kind: 'delivery', ...taken }, 'withdrawn'),
};

/** Rows in turns: due times, leases, tokens. The same for what comes and what goes. */
export function testWork(stage: StageStore): void {
  for (const kind of ['arrival', 'delivery'] as const) {
    testTaking(stage, kind);
    testDueRows(stage, kind);
  }

  test('what is done with the wrong kind of row is refused', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.receive([createArrival('7', 'hello')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    await assertRefused(gateway.finish(taken, 'sent'), 'fenced');
    await assertRefused(gateway.admit({ ...taken, kind: 'delivery' }, createAdmission('7', 'hello')), 'fenced');
  });

  testPassing(stage);

  test('what is not over is counted, in whoever’s hands, with the age of the oldest', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    deepEqual(await gateway.backlog('delivery'), { rows: 0, oldestAgeMs: 0 });
    await gateway.plan([createDelivery('7', 'one')]);
    staged.advance(1000);
    await gateway.plan([createDelivery('7', 'two'), createDelivery('8', 'later', { delayMs: MINUTE })]);
    const { taken } = await takeOne(gateway, 'delivery');
    deepEqual(await gateway.backlog('delivery'), { rows: 3, oldestAgeMs: 1000 });
    await gateway.finish(taken, 'withdrawn');
    deepEqual(await gateway.backlog('delivery'), { rows: 2, oldestAgeMs: 0 });
    deepEqual(await gateway.backlog('arrival'), { rows: 0, oldestAgeMs: 0 });
  });

  test('what waits for a word from its chat is due with the next one, and at its own time at the latest', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'held'), createDelivery('7', 'behind it'), createDelivery('8', 'elsewhere')]);
    const hold = { delayMs: MINUTE, why: 'the window is closed', counts: false, orHeard: true } as const;
    for (const { taken } of await gateway.take('delivery', TAKE)) await gateway.defer(taken, hold);
    deepEqual(await gateway.take('delivery', TAKE), []);
    await gateway.receive([createArrival('7', 'hello')], []);
    const freed = await gateway.take('delivery', TAKE);
    deepEqual(wordsOf(freed), ['7/held']);
    equal(freed[0]?.row.attempts, 0);
    for (const { taken } of freed) await gateway.finish(taken, 'withdrawn');
    deepEqual(wordsOf(await gateway.take('delivery', TAKE)), ['7/behind it']);
    staged.advance(MINUTE - 1);
    deepEqual(wordsOf(await gateway.take('delivery', TAKE)), []);
    staged.advance(1);
    ok(wordsOf(await gateway.take('delivery', TAKE)).includes('8/elsewhere'));
  });

  test('what may only go out later lets what is due go before it', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await gateway.plan([createDelivery('7', 'in a minute', { delayMs: MINUTE }), createDelivery('7', 'in a second', { delayMs: 1000 })]);
    equal(await gateway.nextDue('delivery'), 1000);
    await gateway.plan([createDelivery('7', 'now')]);
    const now = await takeOne(gateway, 'delivery');
    await gateway.finish(now.taken, 'withdrawn');
    staged.advance(1000);
    const second = await takeOne(gateway, 'delivery');
    await gateway.plan([createDelivery('7', 'last')]);
    await gateway.defer(second.taken, { delayMs: 0, why: 'again', counts: true });
    const order = [now, await takeOne(gateway, 'delivery')];
    deepEqual(wordsOf(order), ['7/now', '7/in a second']);
  });
}

/** Rows that do not wait for the one before them. */
function testPassing(stage: StageStore): void {
  test('a row is let past one that is held, one at a time, and the rest of the chat keeps its order', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL.arrival(gateway, '1', ['a', 'b', 'c', 'd']);
    await FILL.arrival(gateway, '2', ['e']);
    const [front, elsewhere] = await gateway.take('arrival', TAKE);
    const rows = await gateway.arrivals({});
    const pass = (text: string, taken = front?.taken ?? raise()) =>
      gateway.take('arrival', { ...TAKE, past: { front: taken, id: rows.find(({ eventKey }) => eventKey.endsWith(text))?.id ?? '' } });
    deepEqual([await pass('a'), await pass('e'), await pass('c', elsewhere?.taken)], [[], [], []]);
    const [urgent] = await pass('c');
    deepEqual([urgent?.row.eventKey, wordsOf(await pass('d')), await pass('c')], ['1:c', [], []]);
    await FINISH.arrival(staged, urgent?.taken ?? raise());
    deepEqual(await gateway.take('arrival', TAKE), []);
    const [second] = await pass('d');
    // The one that is held may end first: what stands between them waits for both.
    await FINISH.arrival(staged, front?.taken ?? raise());
    deepEqual([await gateway.take('arrival', TAKE), await pass('b')], [[], []]);
    await FINISH.arrival(staged, second?.taken ?? raise());
    deepEqual(wordsOf(await gateway.take('arrival', TAKE)), ['1:b']);
  });

  test('a row that went past and is put off waits in its place again', async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL.arrival(gateway, '1', ['a', 'b', 'c']);
    const front = await takeOne(gateway, 'arrival');
    const id = (await gateway.arrivals({}))[2]?.id ?? '';
    const pass = () => gateway.take('arrival', { ...TAKE, past: { front: front.taken, id } });
    const [urgent] = await pass();
    await gateway.defer(urgent?.taken ?? raise(), { delayMs: MINUTE, why: 'not now', counts: false });
    deepEqual([await pass(), await gateway.take('arrival', TAKE)], [[], []]);
    await FINISH.arrival(staged, front.taken);
    const next = await takeOne(gateway, 'arrival');
    await FINISH.arrival(staged, next.taken);
    deepEqual([next.row.eventKey, await gateway.take('arrival', TAKE)], ['1:b', []]);
    staged.advance(MINUTE);
    equal((await takeOne(gateway, 'arrival')).row.eventKey, '1:c');
  });

  test('after a death both the row that was held and the one that went past it are there again, each once', async (t) => {
    await using staged = await stage();
    if (staged.dead === undefined) return t.skip('no way to stage a dead process');
    const { gateway } = staged;
    await FILL.arrival(gateway, '1', ['a', 'b', 'c']);
    const dead = (await staged.dead()).gateway;
    const front = await takeOne(dead, 'arrival');
    await dead.take('arrival', { ...TAKE, past: { front: front.taken, id: (await gateway.arrivals({}))[2]?.id ?? '' } });
    const again = await gateway.take('arrival', TAKE);
    deepEqual([wordsOf(again), await gateway.take('arrival', TAKE)], [['1:a', '1:c'], []]);
    for (const { taken } of again) await FINISH.arrival(staged, taken);
    deepEqual(wordsOf(await gateway.take('arrival', TAKE)), ['1:b']);
  });
}
const raise = (): never => {
  throw new Error('there is no such row');
};

function testTaking(stage: StageStore, kind: WorkKind): void {
  test(`${kind}: one row of each chat at a time, oldest first, and the next when it is done`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL[kind](gateway, '1', ['a', 'b']);
    await FILL[kind](gateway, '2', ['c']);
    const taken = await gateway.take(kind, TAKE);
    deepEqual(wordsOf(taken), ['1:a', '2:c']);
    deepEqual(await gateway.take(kind, { ...TAKE, owner: 'two' }), []);
    for (const each of taken) await FINISH[kind](staged, each.taken);
    deepEqual(wordsOf(await gateway.take(kind, TAKE)), ['1:b']);
  });

  test(`${kind}: no more than asked for, and only of the accounts that were named`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL[kind](gateway, '1', ['a']);
    await FILL[kind](gateway, '2', ['b'], 'work');
    await FILL[kind](gateway, '3', ['c']);
    const work = { ...ACCOUNT, account: 'work' };
    deepEqual((await gateway.take(kind, { ...TAKE, accounts: [work] })).length, 1);
    deepEqual(await gateway.take(kind, { ...TAKE, accounts: [] }), []);
    deepEqual([await gateway.nextDue(kind, [work]), await gateway.nextDue(kind, [ACCOUNT])], [undefined, 0]);
    deepEqual(wordsOf(await gateway.take(kind, { ...TAKE, limit: 1 })), ['1:a']);
    deepEqual(wordsOf(await gateway.take(kind, { ...TAKE, limit: 1, accounts: [ACCOUNT] })), ['3:c']);
  });

  test(`${kind}: a lease ends by the store's clock; the next one's token is greater and the old one is refused`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL[kind](gateway, '1', ['a']);
    const first = await takeOne(gateway, kind);
    staged.advance(MINUTE - 1);
    deepEqual(await gateway.take(kind, { ...TAKE, owner: 'two' }), []);
    staged.advance(1);
    const second = await takeOne(gateway, kind, { owner: 'two' });
    ok(second.taken.token > first.taken.token);
    deepEqual([first.row.attempts, second.row.attempts], [0, 1]);
    await assertRefused(FINISH[kind](staged, first.taken), 'fenced');
    await assertRefused(gateway.defer(first.taken, { delayMs: 1, why: 'late', counts: true }), 'fenced');
    deepEqual(await gateway.renew([first.taken, second.taken], MINUTE), [second.taken]);
    await FINISH[kind](staged, second.taken);
    await assertRefused(FINISH[kind](staged, second.taken), 'fenced');
  });

  test(`${kind}: whoever is late but was not relieved may go on, and a renewed lease lasts`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL[kind](gateway, '1', ['a']);
    const { taken } = await takeOne(gateway, kind);
    staged.advance(2 * MINUTE);
    deepEqual(await gateway.renew([taken], MINUTE), [taken]);
    staged.advance(MINUTE - 1);
    deepEqual(await gateway.take(kind, { ...TAKE, owner: 'two' }), []);
    await FINISH[kind](staged, taken);
  });
}

function testDueRows(stage: StageStore, kind: WorkKind): void {
  test(`${kind}: a row that is put off keeps its chat waiting until it is due, and no other`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    await FILL[kind](gateway, '1', ['a', 'b']);
    const first = await takeOne(gateway, kind);
    await gateway.defer(first.taken, { delayMs: 5000, why: 'flooded', counts: false });
    await FILL[kind](gateway, '2', ['c']);
    deepEqual(wordsOf(await gateway.take(kind, TAKE)), ['2:c']);
    equal(await gateway.nextDue(kind), 5000);
    staged.advance(5000);
    equal(await gateway.nextDue(kind), 0);
    const again = await takeOne(gateway, kind);
    deepEqual([wordsOf([again]), again.row.attempts, again.row.why], [['1:a'], 0, 'flooded']);
    await gateway.defer(again.taken, { delayMs: 0, why: 'refused', counts: true });
    equal((await takeOne(gateway, kind)).row.attempts, 1);
  });

  test(`${kind}: when the next one is due tells of rows that nobody has`, async () => {
    await using staged = await stage();
    const { gateway } = staged;
    equal(await gateway.nextDue(kind), undefined);
    await FILL[kind](gateway, '1', ['a', 'b']);
    equal(await gateway.nextDue(kind), 0);
    const { taken } = await takeOne(gateway, kind);
    equal(await gateway.nextDue(kind), undefined);
    staged.advance(MINUTE + 1);
    equal(await gateway.nextDue(kind), 0);
    await FINISH[kind](staged, taken);
    equal(await gateway.nextDue(kind), 0);
  });

  test(`${kind}: what a dead process of this machine held is free at once, and counts as an attempt`, async (t) => {
    await using staged = await stage();
    if (staged.dead === undefined) return t.skip('no way to stage a dead process');
    const { gateway } = staged;
    await FILL[kind](gateway, '2', ['not ours'], 'work');
    await takeOne((await staged.dead()).gateway, kind);
    deepEqual(await gateway.take(kind, { ...TAKE, accounts: [ACCOUNT] }), []);
    deepEqual([await gateway.nextDue(kind, [ACCOUNT]), await gateway.nextDue(kind)], [undefined, 0]);
    await FINISH[kind](staged, (await takeOne(gateway, kind)).taken);
    await FILL[kind](gateway, '1', ['a', 'b']);
    const before = await takeOne((await staged.dead()).gateway, kind);
    equal(await gateway.nextDue(kind), 0);
    const after = await takeOne(gateway, kind, { owner: 'two' });
    deepEqual([after.row.id, after.row.attempts], [before.row.id, 1]);
    equal(await gateway.nextDue(kind), undefined);
    await assertRefused(FINISH[kind](staged, before.taken), 'fenced');
  });

  test(`${kind}: two programs that take at the same time never get the same row, nor two rows of one chat`, async () => {
    await using staged = await stage();
    const programs = [staged.store, await staged.again(), await staged.again()];
    for (let chat = 0; chat < 12; chat++) await FILL[kind](staged.gateway, String(chat), ['a', 'b', 'c']);
    const done: string[] = [];
    const work = async (gateway: GatewayStore, owner: string): Promise<void> => {
      for (let idle = 0; idle < 3;) {
        const rows = await gateway.take(kind, { ...TAKE, owner, limit: 2 });
        idle = rows.length === 0 ? idle + 1 : 0;
        for (const { taken } of rows) await FINISH[kind]({ ...staged, gateway }, taken);
        done.push(...wordsOf(rows));
      }
    };
    await Promise.all(programs.map(({ gateway }, index) => work(gateway, `program ${index}`)));
    const chats = Array.from({ length: 12 }, (_, chat) => done.filter((key) => key.startsWith(`${chat}:`)));
    deepEqual(
      chats,
      chats.map((_, chat) => ['a', 'b', 'c'].map((text) => `${chat}:${text}`)),
    );
  });
}
