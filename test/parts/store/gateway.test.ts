import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { nameArrivalFact, type GatewayStore } from '../../../src/contracts/gateway-store.ts';
import { openDb, type Db, type SqlValue } from '../../../src/parts/store/sqlite/database/db.ts';
import { MIGRATIONS } from '../../../src/parts/store/sqlite/migrations/all.ts';
import { createSqliteStore, openSqliteStore, repairSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import {
  ACCOUNT,
  admitOne,
  createAdmission,
  createArrival,
  createDelivery,
  createTarget,
  TAKE,
  takeOne,
} from '../../../src/testing/conformance/gateway-store-samples.ts';
import { beginSampleSession, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';
import { stageGatewayStore } from './stage.ts';

/** Everything that is stored, table by table. */
function contentOf(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const rows = tables.map(({ name }): [string, unknown[]] => [String(name), database.prepare(`SELECT * FROM ${String(name)}`).all()]);
  database.close();
  return Object.fromEntries(rows);
}

/** A store that dies in the middle: the statement with that number is never done, nor any after it. */
function failing(db: Db, at: number): { readonly db: Db; readonly reached: () => boolean } {
  let count = 0;
  const gate = (): void => {
    if (++count >= at) throw new Error('the process is gone');
  };
  return {
    db: {
      ...db,
      run: (sql, ...values) => (gate(), db.run(sql, ...values)),
      get: (sql, ...values) => (gate(), db.get(sql, ...values)),
      all: (sql, ...values) => (gate(), db.all(sql, ...values)),
    },
    reached: () => count >= at,
  };
}

/** Steps that write in several places, each on a store that was prepared for it. */
const STEPS: readonly (readonly [string, (gateway: GatewayStore) => Promise<unknown>])[] = [
  [
    'receive',
    (gateway) => gateway.receive([createArrival('7', 'b'), createArrival('8', 'c')], [{ ...ACCOUNT, scope: 'updates', value: '9' }]),
  ],
  [
    'admit',
    (gateway) =>
      gateway.admit(
        { kind: 'arrival', id: idOf('arrival'), token: 1 },
        createAdmission('7', 'a', { deliveries: [createDelivery('7', 'x')] }),
      ),
  ],
  [
    'settle',
    (gateway) =>
      gateway.settle({ kind: 'arrival', id: idOf('arrival'), token: 1 }, { state: 'refused', deliveries: [createDelivery('7', 'x')] }),
  ],
  [
    'receive with a pairing code',
    (gateway) =>
      gateway.receive(
        [
          createArrival('9', 'code', {
            redeems: { pairingId: idOf('pairing'), person: { ...ACCOUNT, userId: '9' }, deliveries: [createDelivery('9', 'welcome')] },
          }),
        ],
        [{ ...ACCOUNT, scope: 'updates', value: '9' }],
      ),
  ],
  ['plan', (gateway) => gateway.plan([createDelivery('8', 'x'), createDelivery('8', 'y')])],
  [
    'beginPart',
    (gateway) =>
      gateway.beginPart(
        { kind: 'delivery', id: idOf('delivery'), token: 1 },
        0,
        ['a', 'b'].map((markdown) => ({ content: { type: 'text', markdown } })),
      ),
  ],
  ['finish', (gateway) => gateway.finish({ kind: 'delivery', id: idOf('delivery'), token: 1 }, 'failed', 'why')],
  [
    'moveChat',
    (gateway) =>
      gateway.moveChat(ACCOUNT, { chatId: '5' }, { chatId: '-5' }, { from: 'agent:main:telegram:private:5', to: 'moved', isNewId: true }),
  ],
];
const ids = new Map<string, string>();
const idOf = (kind: string): string => ids.get(kind) ?? '';

async function prepared(): Promise<string> {
  const path = freshPath();
  await using store = await openSqliteStore({ path, durability: 'process', now: () => 1000 });
  const { gateway } = store;
  await admitOne(gateway, '5', 'hello');
  await gateway.receive([createArrival('7', 'a')], []);
  await gateway.plan([createDelivery('5', 'first'), createDelivery('5', 'second')]);
  const limits = { ttlMs: 1e6, perPersonMs: 0, maxPending: 9, deliverMs: 1e6, maxFailures: 9, lockMs: 1 };
  const offered = await gateway.offerPairing({ ...ACCOUNT, userId: 'invited', hash: 'h', salt: 's', by: 'owner' }, limits);
  if (offered.type === 'offered') ids.set('pairing', offered.id);
  ids.set('arrival', (await takeOne(gateway, 'arrival')).row.id);
  ids.set('delivery', (await takeOne(gateway, 'delivery')).row.id);
  return path;
}

for (const [name, step] of STEPS) {
  test(`${name} that dies at any of its statements has done nothing`, async () => {
    const path = await prepared();
    const before = contentOf(path);
    let deaths = 0;
    for (let at = 1; ; at++) {
      const db = await openDb({ path, durability: 'process' });
      const broken = failing(db, at);
      const store = createSqliteStore(broken.db, { now: () => 1000 });
      const failed = await step(store.gateway).then(
        () => false,
        () => true,
      );
      db.close();
      if (!broken.reached()) break;
      ok(failed, `statement ${at}`);
      deepEqual(contentOf(path), before, `statement ${at}`);
      deaths++;
    }
    ok(deaths >= 2, `${deaths} statements`);
  });
}

test('the outcome of a turn and its deliveries are one step', async () => {
  const path = freshPath();
  await using opened = await openSqliteStore({ path, durability: 'process' });
  const { session, claim } = await beginSampleSession(opened);
  for (let at = 1; ; at++) {
    const db = await openDb({ path, durability: 'process' });
    const broken = failing(db, at);
    const store = createSqliteStore(broken.db, {});
    await store
      .commit(claim, { append: [createUserEntry('done')], deliveries: [createDelivery('7', 'the answer')] })
      .catch(() => undefined);
    db.close();
    const [entries, deliveries] = [await opened.entries(session.id), await opened.gateway.deliveries({})];
    equal(entries.length, deliveries.length, `statement ${at}`);
    if (!broken.reached()) {
      equal(deliveries.length, 1);
      break;
    }
  }
});

/** How SQLite goes about everything that is read while some work is done. */
async function plansOf(work: (gateway: GatewayStore) => Promise<unknown>): Promise<string[]> {
  const path = await prepared();
  const db = await openDb({ path });
  const plans: string[] = [];
  const noted = (sql: string, values: readonly SqlValue[]) =>
    plans.push(...db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail));
  const watched: Db = {
    ...db,
    run: (sql, ...values) => (noted(sql, values), db.run(sql, ...values)),
    all: (sql, ...values) => (noted(sql, values), db.all(sql, ...values)),
    get: (sql, ...values) => (noted(sql, values), db.get(sql, ...values)),
  };
  await work(createSqliteStore(watched, { now: () => 100_000_000 }).gateway);
  db.close();
  return plans;
}

test('work is found, taken and finished by indexes, however much there is', async () => {
  const plans = await plansOf(async (gateway) => {
    for (const kind of ['arrival', 'delivery'] as const) {
      await gateway.nextDue(kind);
      await gateway.take(kind, { ...TAKE, accounts: [ACCOUNT] });
    }
    const [row] = await gateway.take('delivery', TAKE);
    if (row !== undefined) await gateway.finish(row.taken, 'sent');
    await gateway.receive([createArrival('9', 'x')], []);
    await admitOne(gateway, '9', 'y').catch(() => undefined);
    await gateway.routes({ idleForMs: 1 });
    await gateway.routes({ idleForMs: 1, after: { usedAt: 1, key: 'a' }, limit: 200 });
    await gateway.routes({ under: ['a', 'b'] });
    await gateway.routes({ sessionId: 's', limit: 1 });
    await gateway.deliveries({ sessionId: 's' });
  });
  ok(plans.length > 20);
  // Held rows are as many as there are hands.
  const scans = plans.filter((plan) => /^SCAN (?:arrivals|deliveries|delivery_parts|routes)\b(?!.*_(?:due|held))/u.test(plan));
  deepEqual(scans, []);
});

test('tending lets go of threads and events that nobody came back to and of targets that were dead long ago, and keeps chats', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  for (const [chatId, type, isLeft, more] of [
    ['old thread', 'thread', true, {}],
    ['open thread', 'thread', false, {}],
    ['old chat', 'private', true, {}],
    ['old event', 'private', true, { isOneOff: true }],
  ] as const) {
    await gateway.receive([createArrival(chatId, 'hi')], []);
    const { taken } = await takeOne(gateway, 'arrival');
    const { session } = await gateway.admit(taken, createAdmission(chatId, 'hi', { chat: { chatId, type, ...more } }));
    if (isLeft) await gateway.reroute(`agent:main:telegram:private:${chatId}`, session.id, null);
  }
  await gateway.markDead(createTarget('gone'), 'blocked');
  const list = async () => [(await gateway.routes({})).map(({ chat }) => chat.chatId).toSorted(), (await gateway.deadTargets()).length];
  staged.advance(89 * 86_400_000);
  while (await store.care?.tend());
  deepEqual(await list(), [['old chat', 'old event', 'old thread', 'open thread'], 1]);
  staged.advance(2 * 86_400_000);
  while (await store.care?.tend());
  deepEqual(await list(), [['old chat', 'open thread'], 0]);
});

test('tending lets go of cursors that were to be kept for a while, unless they were written again, and of no others', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  const scopes = async () => (await gateway.cursors(ACCOUNT)).map(({ scope, value }) => [scope, value]);
  const write = (scope: string, value: string, more = {}) => gateway.receive([], [{ ...ACCOUNT, scope, value, ...more }]);
  await write('channel', '1');
  await write('quiet thread', '1', { keepMs: 5_000 });
  await write('lively thread', '1', { keepMs: 5_000 });
  staged.advance(4_000);
  await write('lively thread', '2', { keepMs: 5_000 });
  while (await store.care?.tend());
  deepEqual((await scopes()).length, 3);
  staged.advance(2_000);
  while (await store.care?.tend());
  deepEqual(await scopes(), [
    ['channel', '1'],
    ['lively thread', '2'],
  ]);
});

test('cursors of threads that were there before cursors could end get an end, and those of channels none', async () => {
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; ${MIGRATIONS.filter(({ version }) => version < 13)
    .map(({ sql }) => sql)
    .join('\n')} PRAGMA user_version = 12;
    INSERT INTO routes (key, platform, used_at, place) VALUES ('k', 'discord', 5, '{"chat":{"chatId":"77","type":"thread"}}');
    INSERT INTO cursors (platform, account, scope, value) VALUES
      ('slack', 'main', 'since', '1'), ('slack', 'main', 'C1', '1'), ('slack', 'main', 'C1/5.0', '1'),
      ('discord', 'main', '66', '1'), ('discord', 'main', '77', '1'), ('telegram', 'main', 'a/b', '1')`);
  old.close();
  await using store = await openSqliteStore({ path, now: () => Date.now() + 101 * 86_400_000 });
  while (await store.care.tend());
  const scopes = async (platform: string) => (await store.gateway.cursors({ platform, account: 'main' })).map(({ scope }) => scope);
  deepEqual([await scopes('slack'), await scopes('discord'), await scopes('telegram')], [['C1', 'since'], ['66'], ['a/b']]);
});

test('tending lets go of what was noted of the work on an arrival once it is over, and of chats that only facts are known of', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  await gateway.receive([createArrival('done', '/undo'), createArrival('open', '/undo')], []);
  const facts = (await gateway.arrivals({})).map(({ id }) => nameArrivalFact(id, 'command'));
  for (const fact of [...facts, 'a route']) await store.learn(fact, 'undo');
  const keys = ['done', 'open'].map((chat) => `agent:main:telegram:private:${chat}`);
  for (const key of keys) await gateway.remember(key, { stopped: 'then' });
  const [done, open] = await gateway.take('arrival', TAKE);
  ok(done !== undefined && open !== undefined);
  await gateway.settle(done.taken, { state: 'command' });
  while (await store.care?.tend());
  deepEqual(await Promise.all([...facts, 'a route'].map(store.fact)), [undefined, 'undo', 'undo']);
  await gateway.admit(open.taken, createAdmission('open', 'hi'));
  staged.advance(91 * 86_400_000);
  while (await store.care?.tend());
  await admitOne(gateway, 'done', 'hi');
  deepEqual(await Promise.all(keys.map(async (key) => (await gateway.route(key))?.facts)), [{}, { stopped: 'then' }]);
});

test('tending lets go of what is over for a week, a helping at a time, and of nothing that is open', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  const many = Array.from({ length: 600 }, (_, index) => String(index));
  await gateway.receive(
    many.map((chat) => createArrival(chat, 'hi')),
    [],
  );
  for (const { taken } of await gateway.take('arrival', { ...TAKE, limit: 1000 })) await gateway.settle(taken, { state: 'command' });
  await gateway.plan([createDelivery('1', 'sent'), createDelivery('1', 'open', { maxAgeMs: 1e12 }), createDelivery('2', 'forgotten')]);
  const [first] = await gateway.take('delivery', TAKE);
  if (first !== undefined) {
    await gateway.beginPart(first.taken, 0, [{ content: { type: 'text', markdown: 'sent' } }]);
    await gateway.endPart(first.taken, 0, { state: 'sent', messageId: 'm' });
  }
  await gateway.receive([createArrival('1', 'still new')], []);
  equal(await store.care?.tend(), false);
  staged.advance(7 * 86_400_000 + 1);
  equal(await store.care?.tend(), true);
  equal((await gateway.arrivals({})).length, 101);
  while (await store.care?.tend());
  deepEqual(
    (await gateway.arrivals({})).map(({ eventKey }) => eventKey),
    ['1:still new'],
  );
  staged.advance(86_400_000);
  while (await store.care?.tend());
  deepEqual(
    (await gateway.deliveries({})).map(({ key, state }) => [key, state]),
    [
      ['1/open', 'pending'],
      ['2/forgotten', 'expired'],
    ],
  );
  deepEqual(await store.care?.check(), []);
});

test('whoever was paired before accounts were told apart is paired with the account that needs no name', async () => {
  const path = freshPath();
  mkdirSync(dirname(path), { recursive: true });
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA journal_mode = WAL; ${MIGRATIONS.filter(({ version }) => version < 8)
    .map(({ sql }) => sql)
    .join('\n')} PRAGMA user_version = 7;
    INSERT INTO people (platform, user_id, name, at) VALUES ('telegram', '7', 'Ada', 5);
    INSERT INTO pairings (id, platform, user_id, hash, salt, offered_by, at, expires_at, again_at)
      VALUES ('p1', 'telegram', '8', 'h', 's', 'stranger', 5, 2000, 1500);
    INSERT INTO counters (what, count, ends_at) VALUES ('pairing locked: slack', 5, 3000)`);
  old.close();
  await using store = await openSqliteStore({ path, now: () => 1000 });
  const { gateway } = store;
  const ada = { ...ACCOUNT, userId: '7' };
  const limits = { ttlMs: 1, perPersonMs: 1, maxPending: 9, deliverMs: 1, maxFailures: 9, lockMs: 1 };
  deepEqual(
    [
      await gateway.findPerson(ada),
      await gateway.findPerson({ ...ada, account: 'work' }),
      (await gateway.pairings(ACCOUNT)).map(({ id, account }) => [id, account]),
      await gateway.offerPairing({ ...ACCOUNT, userId: '8', hash: 'x', salt: 's', by: 'stranger' }, limits),
      await gateway.pairingLock({ ...ACCOUNT, platform: 'slack' }),
    ],
    [{ ...ada, name: 'Ada', at: 5 }, undefined, [['p1', 'main']], { type: 'too_soon', waitMs: 500 }, 2000],
  );
  deepEqual(await store.care.check(), []);
});

test('of strangers the last thousand rows of each account are kept', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  const stranger = (index: number, account: string) => ({
    ...createArrival('66', String(index), { account, serialKey: `stranger ${index}` }),
    event: { type: 'stranger', chat: { chatId: '66', type: 'private' }, senderId: '66', sentAt: index } as const,
  });
  for (const [account, count] of [
    ['main', 1300],
    ['work', 10],
  ] as const)
    await gateway.receive(
      Array.from({ length: count }, (_, index) => stranger(index, account)),
      [],
    );
  for (const { taken } of await gateway.take('arrival', { ...TAKE, limit: 2000 })) await gateway.settle(taken, { state: 'refused' });
  while (await store.care?.tend());
  const kept = await gateway.arrivals({});
  deepEqual([kept.length, kept[0]?.eventKey, kept.filter(({ account }) => account === 'work').length], [1010, '66:300', 10]);
});

test('counters of made-up names do not grow without bound', async () => {
  const path = freshPath();
  await using store = await openSqliteStore({ path, durability: 'process' });
  const raw = new DatabaseSync(path);
  raw.exec(`WITH RECURSIVE up (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up WHERE i < 10000)
    INSERT INTO counters SELECT 'count: name ' || i, 1, 9e15 + i FROM up`);
  for (let index = 0; index < 20; index++) await store.gateway.count(`another ${index}`, 1e15 * 9.2);
  equal(raw.prepare('SELECT count(*) AS found FROM counters').get()?.['found'], 10_000);
  raw.close();
});

function overwrite(path: string, from: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

test('a repair saves chats with the log: messages, deliveries, routes, people and limits', async () => {
  const path = await prepared();
  {
    await using store = await openSqliteStore({ path });
    await store.gateway.markDead(createTarget('66'), 'blocked');
    await store.gateway.count('stranger', 1e12);
    await store.gateway.leaseCredential({ identity: 'i', holder: 'h', leaseMs: 1e12 });
    await store.gateway.acceptPairing(idOf('pairing'), { ...ACCOUNT, account: 'main', userId: '9' });
    await store.gateway.moveChat(ACCOUNT, { chatId: '4' }, { chatId: '-4' }, { from: 'four', to: 'minus four', isNewId: true });
  }
  const before = contentOf(path);
  overwrite(path, 0, 100);
  const report = await repairSqliteStore({ path });
  deepEqual(report.lost, []);
  const after = contentOf(path);
  for (const table of [
    'arrivals',
    'deliveries',
    'routes',
    'cursors',
    'dead_targets',
    'counters',
    'credential_leases',
    'inbox',
    'people',
    'pairings',
    'moved_chats',
    'moved_routes',
  ])
    deepEqual(after[table], before[table], table);
  ok((before['arrivals']?.length ?? 0) > 0 && (before['deliveries']?.length ?? 0) > 0);
});

test('a message that arrived and no longer parses is found by check and left out by repair', async () => {
  const path = await prepared();
  await using store = await openSqliteStore({ path });
  await store.gateway.receive([createArrival('7', 'behind it')], []);
  const raw = new DatabaseSync(path);
  raw.exec(`UPDATE arrivals SET body = '{"type' WHERE event_key = '7:a'`);
  raw.close();
  deepEqual(await store.care.check(), ['The stored text of 1 messages that arrived is damaged.']);
  const { lost } = await store.care.repair();
  deepEqual(lost, ['arrivals: 1 row was damaged. The rest was saved.']);
  deepEqual(await store.care.check(), []);
  deepEqual(
    (await store.gateway.arrivals({})).map(({ eventKey }) => eventKey),
    ['5:hello', '7:behind it'],
  );
  equal((await takeOne(store.gateway, 'arrival')).row.eventKey, '7:behind it');
});

test('a line whose first is gone is found by check, and repair lets it go on', async () => {
  const path = await prepared();
  const raw = new DatabaseSync(path);
  raw.exec(`DELETE FROM deliveries WHERE key = '5/first'`);
  raw.close();
  await using store = await openSqliteStore({ path });
  deepEqual(await store.care.check(), ['The messages of 1 chats wait for one that is not there.']);
  await store.care.repair();
  deepEqual(await store.care.check(), []);
  equal((await takeOne(store.gateway, 'delivery')).row.key, '5/second');
});
