import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayStore } from '../../../../src/contracts/gateway-store.ts';
import type { InboundMessage } from '../../../../src/contracts/platform-adapter.ts';
import { createAuthoriser } from '../../../../src/faces/gateway/access/authoriser.ts';
import { createIntake } from '../../../../src/faces/gateway/receive/intake.ts';
import { inviteByCode } from '../../../../src/faces/gateway/access/pairing.ts';
import { readStrangersCode } from '../../../../src/faces/gateway/access/strangers.ts';
import { openPeopleStore, type PeopleStore } from '../access/people-store.ts';
import { readOneAccount } from '../platform-kinds.ts';

const telegram = readOneAccount();
const said = (text: string): InboundMessage => ({
  type: 'message',
  key: `7:${text.length}`,
  chat: { chatId: '7', type: 'private' },
  sender: { id: '7', name: 'Ann', isBot: false },
  sentAt: 5,
  messageId: '1',
  text,
  isAddressed: true,
  media: [],
  cursor: { scope: 'updates', value: '9' },
});

/** What a platform brings, to a gateway that has just started. */
function bring(store: GatewayStore, ...messages: readonly InboundMessage[]): Promise<number> {
  const authorise = createAuthoriser(store);
  const intake = createIntake({
    store,
    authorise: (_account, event) => authorise(telegram, event, 'first'),
    redeem: (account, event) => readStrangersCode(store, account, event),
    follow: () => {},
    now: () => 0,
  });
  return intake(telegram, messages);
}

test('a burst of bots is cut where the chain is too long, and what was let in before stays let in', async () => {
  const { access, ...rest } = telegram;
  const account = { ...rest, access: { ...access, allowBots: 'all' as const } };
  const authorise = createAuthoriser({ findPerson: async () => undefined });
  const events = Array.from({ length: 6 }, () => ({ ...said('beep'), sender: { id: 'b', name: 'Bot', isBot: true } }));
  const decide = async (time: 'first' | 'again', of: readonly InboundMessage[]): Promise<readonly boolean[]> => {
    const allowed: boolean[] = [];
    for (const event of of) allowed.push((await authorise(account, event, time)).allowed);
    return allowed;
  };
  assert.deepEqual(await decide('first', events), [true, true, true, true, true, false]);
  assert.deepEqual(await decide('again', events.slice(0, 5)), [true, true, true, true, true]);
  assert.deepEqual(await decide('first', events.slice(0, 1)), [false]);
  assert.deepEqual(await decide('first', [said('a stranger'), ...events.slice(0, 1)]), [false, false]);
  const open = { ...account, access: { ...account.access, allowAll: true } };
  assert.equal((await authorise(open, said('somebody who may speak'), 'first')).allowed, true);
  assert.deepEqual(await decide('first', events.slice(0, 1)), [true]);
});

const albumPart = (key: string, isAddressed: boolean): InboundMessage => ({
  ...said(''),
  key,
  chat: { chatId: '-1', type: 'group' },
  isAddressed,
  group: 'album1',
});

test('the pictures of an album that come one by one belong to the one that names us', async () => {
  const kept: (readonly [key: string, isAddressed: boolean])[] = [];
  let now = 0;
  const intake = createIntake({
    store: {
      receive: async (arrivals) => {
        kept.push(...arrivals.map(({ eventKey, event }) => [eventKey, event.type === 'message' && event.isAddressed] as const));
        return { fresh: [] };
      },
      count: async () => 0,
      arrivals: async () => [],
    },
    authorise: async () => ({ allowed: true, role: 'guest', by: 'allow_all' }),
    redeem: async () => undefined,
    follow: () => {},
    now: () => now,
  });
  await intake(telegram, [albumPart('captioned', true)]);
  await intake(telegram, [albumPart('second', false)]);
  await intake(telegram, [{ ...albumPart('elsewhere', false), chat: { chatId: '-2', type: 'group' } }]);
  now = 60_000;
  await intake(telegram, [albumPart('much later', false)]);
  await intake(telegram, [{ ...said('to each other'), chat: { chatId: '-1', type: 'group' }, isAddressed: false }]);
  // Whether another picture names us is seen when all of them are here.
  assert.deepEqual(kept, [
    ['captioned', true],
    ['second', true],
    ['elsewhere', false],
    ['much later', false],
  ]);
});

const WRITES: ReadonlySet<PropertyKey> = new Set<keyof GatewayStore>([
  'receive',
  'offerPairing',
  'confirmPairing',
  'acceptPairing',
  'failPairing',
  'count',
  'plan',
]);
/** A store whose process dies right before its commit with that number, or right after it. */
function dying(
  store: GatewayStore,
  at: number,
  when: 'before' | 'after',
): { readonly store: GatewayStore; readonly commits: () => number } {
  let commits = 0;
  const die = (): never => {
    throw new Error('the process is gone');
  };
  const wrapped = new Proxy(store, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || !WRITES.has(name)) return method;
      return async (...given: unknown[]): Promise<unknown> => {
        const isLast = ++commits === at;
        if (isLast && when === 'before') die();
        const result: unknown = await Reflect.apply(method, target, given);
        return isLast ? die() : result;
      };
    },
  });
  return { store: wrapped, commits: () => commits };
}

const describeAll = async ({ store }: PeopleStore) => ({
  paired: (await store.people()).map(({ userId, name }) => [userId, name]),
  told: (await store.deliveries({})).map(({ key }) => key),
  arrivals: (await store.arrivals({})).map(({ state, event }) => [state, event.type]),
  cursors: await store.cursors(telegram),
});

test('a code pairs once and reaches no session, whichever commit the process dies at', async () => {
  let [deaths, commits] = [0, 1];
  for (let at = 1; at <= commits; at++)
    for (const when of ['before', 'after'] as const) {
      await using people = await openPeopleStore();
      const invited = await inviteByCode(people.store, telegram);
      const code = invited.type === 'offered' ? invited.code : assert.fail();
      const killed = dying(people.store, at, when);
      await assert.rejects(bring(killed.store, said(code)), /the process is gone/);
      deaths++;
      await people.reopen();
      // What the platform was told of before it did not hear: it brings it again.
      const again = dying(people.store, Infinity, 'after');
      await bring(again.store, said(code));
      commits = Math.max(commits, again.commits());
      assert.deepEqual(
        await describeAll(people),
        {
          paired: [['7', 'Ann']],
          told: ['paired:telegram:main:7:8'],
          arrivals: [['command', 'stranger']],
          cursors: [{ scope: 'updates', value: '9' }],
        },
        `${when} commit ${at}`,
      );
      assert.ok(!people.bytes().includes(code));
      await bring(people.store, said('what can you do?'));
      assert.deepEqual((await describeAll(people)).arrivals.at(-1), ['new', 'message']);
    }
  assert.ok(deaths >= 4, `${deaths} deaths`);
});

test('what comes right behind a code, in the same batch, is heard', async () => {
  await using people = await openPeopleStore();
  const invited = await inviteByCode(people.store, telegram);
  const code = invited.type === 'offered' ? invited.code : assert.fail();
  await bring(people.store, said(code), said('what can you do?'));
  assert.deepEqual((await describeAll(people)).arrivals, [
    ['command', 'stranger'],
    ['new', 'message'],
  ]);
});

test('a code that somebody only forwards pairs nobody', async () => {
  await using people = await openPeopleStore();
  const invited = await inviteByCode(people.store, telegram);
  const code = invited.type === 'offered' ? invited.code : assert.fail();
  await bring(people.store, { ...said(''), foreign: [{ origin: 'forward', text: code, media: [] }] });
  const { paired, arrivals } = await describeAll(people);
  assert.deepEqual([paired, arrivals], [[], [['new', 'stranger']]]);
  assert.ok(!people.bytes().includes(code));
});

test('a wrong code is a stranger’s message without its words', async () => {
  await using people = await openPeopleStore();
  await inviteByCode(people.store, telegram);
  await bring(people.store, said('ABCD2345'));
  assert.deepEqual((await describeAll(people)).arrivals, [['new', 'stranger']]);
  assert.ok(!people.bytes().includes('ABCD2345'));
});

/** The message of somebody with that number, of those they wrote. */
const talk = (id: number, index = 0, text = 'hello?'): InboundMessage => ({
  ...said(text),
  key: `${id}:${index}`,
  chat: { chatId: String(id), type: 'private' },
  sender: { id: String(id), name: String(id), isBot: false },
});
const countEach = async ({ store }: PeopleStore): Promise<readonly (readonly [id: string, count: number])[]> => {
  const senders = Map.groupBy(await store.arrivals({}), ({ event: { chat } }) => chat.chatId);
  return [...senders].map(([id, rows]) => [id, rows.length]);
};

test('a stranger who talks a lot leaves room for others', async () => {
  await using people = await openPeopleStore();
  await bring(people.store, ...Array.from({ length: 200 }, (_, index) => talk(11, index)));
  await bring(people.store, talk(12), talk(11, 200));
  assert.deepEqual(await countEach(people), [
    ['11', 5],
    ['12', 1],
  ]);
});

test('however many strangers talk, a code of the owner’s is read, and guesses at it leave nothing', async () => {
  await using people = await openPeopleStore();
  const invited = await inviteByCode(people.store, telegram);
  const code = invited.type === 'offered' ? invited.code : assert.fail();
  await bring(people.store, ...Array.from({ length: 100 }, (_, index) => talk(100 + index)), talk(300, 0, 'ABCD2345'));
  assert.equal((await people.store.arrivals({})).length, 60);
  // One who was ignored for what they wrote before is not ignored with the code.
  await bring(people.store, ...Array.from({ length: 10 }, (_, index) => talk(301, index)), talk(301, 10, code), talk(301, 11));
  const { paired, arrivals } = await describeAll(people);
  assert.deepEqual(
    [paired, arrivals.slice(60)],
    [
      [['301', '301']],
      [
        ['command', 'stranger'],
        ['new', 'message'],
      ],
    ],
  );
});

test('what a service brings again after every reconnect leaves room for other strangers', async () => {
  await using people = await openPeopleStore();
  const from = (id: string, text: string): InboundMessage => ({
    ...said(text),
    key: `${id}:1`,
    chat: { chatId: id, type: 'private' },
    sender: { id, name: id, isBot: false },
  });
  const before = ['11', '12', '13'].map((id) => from(id, 'hello?'));
  for (let reconnect = 0; reconnect < 30; reconnect++) await bring(people.store, ...before);
  const invited = await inviteByCode(people.store, telegram);
  await bring(people.store, from('14', invited.type === 'offered' ? invited.code : assert.fail()));
  assert.deepEqual((await describeAll(people)).arrivals.at(-1), ['command', 'stranger']);
});
