import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayStore, PersonRef } from '../../../../src/contracts/gateway-store.ts';
import {
  approvePairing,
  confirmCode,
  decideStranger,
  describeOffer,
  findInvitation,
  inviteByCode,
  offerCode,
  type PairingCodeResult,
} from '../../../../src/faces/gateway/access/pairing.ts';
import { openPeopleStore } from './people-store.ts';

const MINUTE = 60_000;
const telegram = { platform: 'telegram', account: 'main' } as const;
const work = { platform: 'telegram', account: 'work' } as const;
const ann = { ...telegram, userId: '7', name: 'Ann' };
const bob = { ...telegram, userId: '8' };
const codeOf = (result: PairingCodeResult): string => (result.type === 'offered' ? result.code : assert.fail(result.type));
/** Somebody types something in private: it is looked at and kept, as an intake does. */
async function type(store: GatewayStore, { userId, ...account }: PersonRef, text: string): Promise<string> {
  const found = await findInvitation(store, account, text);
  if (found.type !== 'found') return found.type;
  const event = { type: 'stranger', chat: { chatId: userId, type: 'private' }, senderId: userId, sentAt: 0 } as const;
  const redeems = { pairingId: found.pairingId, person: { ...account, userId }, deliveries: [] };
  const kept = await store.receive([{ ...account, eventKey: `${userId} ${found.pairingId}`, serialKey: userId, event, redeems }], []);
  return kept.fresh.length === 0 ? 'paired' : 'used';
}
/** A code that a stranger has read. */
async function ask(store: GatewayStore, person: PersonRef): Promise<PairingCodeResult> {
  const offered = await offerCode(store, person);
  if (offered.type === 'offered') await confirmCode(store, offered.id);
  return offered;
}
/** A code of the right shape that is another one. */
const wrongFor = (code: string): string => `${code.slice(0, 7)}${code.endsWith('A') ? 'B' : 'A'}`;

test('a stranger gets a code, the owner approves it, and it works once', async () => {
  await using people = await openPeopleStore();
  const code = codeOf(await ask(people.store, ann));
  assert.match(code, /^[A-HJ-NP-Z2-9]{8}$/);
  assert.deepEqual(await approvePairing(people.store, telegram, code), { type: 'approved', person: ann });
  assert.deepEqual(
    (await people.store.people()).map(({ userId, name }) => [userId, name]),
    [['7', 'Ann']],
  );
  assert.deepEqual(await approvePairing(people.store, telegram, code), { type: 'unknown' });
});

test('the owner makes a code, and whoever types it in any way is paired', async () => {
  await using people = await openPeopleStore();
  const [first, second] = [codeOf(await inviteByCode(people.store, telegram)), codeOf(await inviteByCode(people.store, telegram))];
  assert.equal(await type(people.store, ann, ` ${first.slice(0, 4).toLowerCase()} ${first.slice(4)}\n`), 'paired');
  assert.equal(await type(people.store, bob, first), 'wrong');
  assert.equal(await type(people.store, bob, `${second.slice(0, 4)}-${second.slice(4)}`), 'paired');
  assert.deepEqual(
    (await people.store.people()).map(({ userId }) => userId),
    ['7', '8'],
  );
});

test('a code is in no file, only its hash, each with a salt of its own', async () => {
  await using people = await openPeopleStore();
  const codes = [codeOf(await ask(people.store, ann)), codeOf(await inviteByCode(people.store, telegram))];
  const kept = await people.store.pairings();
  assert.equal(await type(people.store, bob, codes[1]?.toLowerCase() ?? ''), 'paired');
  assert.ok(people.bytes().includes(kept[0]?.hash ?? 'no hash'));
  for (const code of codes) assert.ok(!people.bytes().toUpperCase().includes(code));
  for (const { hash, salt } of kept) assert.match(`${salt} ${hash}`, /^[0-9a-f]{32} [0-9a-f]{64}$/);
  assert.equal(new Set(kept.map(({ salt }) => salt)).size, 2);
});

test('a stranger’s code lets nobody in who types it, and the owner’s code is nothing to approve', async () => {
  await using people = await openPeopleStore();
  const asked = codeOf(await ask(people.store, ann));
  const given = codeOf(await inviteByCode(people.store, telegram));
  assert.equal(await type(people.store, bob, asked), 'wrong');
  assert.deepEqual(await approvePairing(people.store, telegram, given), { type: 'unknown' });
  assert.deepEqual(await people.store.people(), []);
});

test('a code is one account’s, and is over after an hour', async () => {
  await using people = await openPeopleStore();
  const [asked, given] = [codeOf(await ask(people.store, ann)), codeOf(await inviteByCode(people.store, telegram))];
  assert.deepEqual(await approvePairing(people.store, { ...telegram, platform: 'slack' }, asked), { type: 'unknown' });
  assert.deepEqual(await approvePairing(people.store, work, asked), { type: 'unknown' });
  assert.equal(await type(people.store, { ...bob, platform: 'slack' }, given), 'no_code');
  assert.equal(await type(people.store, { ...bob, ...work }, given), 'no_code');
  people.pass(60 * MINUTE);
  assert.deepEqual(await approvePairing(people.store, telegram, asked), { type: 'unknown' });
  assert.equal(await type(people.store, bob, given), 'no_code');
});

test('one person asks once in ten minutes, twenty may wait, and the owner’s codes are counted apart', async () => {
  await using people = await openPeopleStore();
  const asks = async (userId: string) => (await ask(people.store, { ...telegram, userId })).type;
  const owners = async () => (await inviteByCode(people.store, telegram)).type;
  assert.deepEqual(
    [await asks('1'), await asks('1'), await asks('2'), await asks('3'), await asks('4'), await owners(), await owners()],
    ['offered', 'too_soon', 'offered', 'offered', 'offered', 'offered', 'offered'],
  );
  for (let person = 5; person <= 20; person++) assert.equal(await asks(String(person)), 'offered');
  await people.reopen();
  assert.deepEqual([await asks('1'), await asks('21')], ['too_soon', 'too_many']);
  people.pass(60 * MINUTE);
  assert.equal(await asks('21'), 'offered');
});

test('five wrong codes lock an account for an hour, restart or not: the right one is refused then, and the id of a request is not', async () => {
  await using people = await openPeopleStore();
  const code = codeOf(await ask(people.store, ann));
  const [request] = await people.store.pairings();
  for (let tries = 0; tries < 5; tries++)
    assert.deepEqual(await approvePairing(people.store, telegram, wrongFor(code)), { type: 'unknown' });
  await people.reopen();
  assert.deepEqual(await approvePairing(people.store, telegram, code), { type: 'locked', waitMs: 60 * MINUTE });
  assert.equal((await ask(people.store, bob)).type, 'locked');
  assert.deepEqual(await approvePairing(people.store, telegram, request?.id ?? ''), { type: 'approved', person: ann });
  people.pass(60 * MINUTE);
  assert.equal((await ask(people.store, bob)).type, 'offered');
});

test('guesses of strangers are counted, words are not, and success starts the count anew', async () => {
  await using people = await openPeopleStore();
  const typed = (text: string) => type(people.store, bob, text);
  assert.equal(await typed('ABCD2345'), 'no_code');
  const codes = [codeOf(await inviteByCode(people.store, telegram)), codeOf(await inviteByCode(people.store, telegram))];
  const [first = '', second = ''] = codes;
  for (const words of ['hello', 'good morning', 'ABCD234', 'ABCD23456', '0OI1ABCD', `${' '.repeat(40)}${first}`])
    assert.equal(await typed(words), 'no_code');
  const guess = wrongFor(first) === second ? wrongFor(wrongFor(first)) : wrongFor(first);
  for (let tries = 0; tries < 4; tries++) assert.equal(await typed(guess), 'wrong');
  assert.equal(await typed(first), 'paired');
  for (let tries = 0; tries < 5; tries++) assert.equal(await typed(guess), 'wrong');
  assert.equal(await typed(second), 'locked');
});

test('a code that is used twice at the same moment pairs one', async () => {
  await using people = await openPeopleStore();
  const code = codeOf(await inviteByCode(people.store, telegram));
  const results = await Promise.all([type(people.store, ann, code), type(people.store, bob, code)]);
  assert.deepEqual(results.toSorted(), ['paired', 'used']);
  assert.equal((await people.store.people()).length, 1);
});

test('codes are spread over all symbols', async () => {
  await using people = await openPeopleStore();
  const seen = new Set<string>();
  for (let turn = 0; turn < 200; turn++) {
    for (const sign of codeOf(await inviteByCode(people.store, { platform: `p${turn}`, account: 'main' }))) seen.add(sign);
  }
  assert.equal([...seen].toSorted().join(''), '23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
});

const ANSWERS: readonly (readonly [Parameters<typeof decideStranger>, 'pair' | 'ignore'])[] = [
  [[{ type: 'private' }, { by: 'default' }, { strangers: 'pair' }], 'pair'],
  [[{ type: 'private' }, { by: 'default' }, { strangers: 'ignore' }], 'ignore'],
  [[{ type: 'group' }, { by: 'default' }, { strangers: 'pair' }], 'ignore'],
  [[{ type: 'channel' }, { by: 'default' }, { strangers: 'pair' }], 'ignore'],
  [[{ type: 'thread' }, { by: 'default' }, { strangers: 'pair' }], 'ignore'],
  [[{ type: 'private' }, { by: 'bots' }, { strangers: 'pair' }], 'ignore'],
  [[{ type: 'private' }, { by: 'no_id' }, { strangers: 'pair' }], 'ignore'],
];
for (const [facts, answer] of ANSWERS)
  test(`an unknown sender ${JSON.stringify(facts)}: ${answer}`, () => assert.equal(decideStranger(...facts), answer));

test('what a stranger reads names the code and what the owner types', () => {
  assert.equal(
    describeOffer(telegram, 'ABCD2345'),
    `Hello! I am a personal agent and do not know you yet.

Your pairing code is ABCD2345. Give it to my owner within the next hour; after that, write to me again for a new one.

My owner can let you in with: hermes pairing approve telegram ABCD2345`,
  );
  assert.match(describeOffer(work, 'ABCD2345'), /: hermes pairing approve telegram:work ABCD2345$/);
});
