import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { runSlash } from '../../src/commands/run-slash.ts';
import type { CommandSurface } from '../../src/contracts/command.ts';
import type { AccountRef } from '../../src/contracts/gateway-store.ts';
import { createPairingService } from '../../src/faces/gateway/access/pairing-service.ts';
import { findInvitation, offerCode, PAIRED_WORDS } from '../../src/faces/gateway/access/pairing.ts';
import { openPeopleStore, type PeopleStore } from '../faces/gateway/access/people-store.ts';

const registry = createBuiltinRegistry();
const telegram = { platform: 'telegram', account: 'main' } as const;

/** Who types where. */
interface Typist {
  readonly place?: CommandSurface;
  readonly by?: 'owner' | 'other';
  readonly account?: AccountRef;
  readonly othersRead?: boolean;
  /** Somebody is the owner there. */
  readonly isOwned?: boolean;
}
/** A line typed in a session, and the words it is answered with. */
async function type(
  people: PeopleStore,
  line: string,
  { place = 'terminal', by = 'owner', account, othersRead = false, isOwned = true }: Typist = {},
): Promise<string> {
  const services = { pairing: async () => createPairingService(people.store, { hasOwner: async () => isOwned }) };
  const deps = { services, startedByAgent: () => false, isOn: async () => false, by };
  const result = await runSlash(line, {
    registry,
    place,
    deps,
    cwd: '/',
    ...(account !== undefined && { context: () => ({ chat: { ...account, chatId: '1' }, othersRead }) }),
  });
  return result.type === 'done' ? result.text : assert.fail(result.type);
}
const CODE = /[A-HJ-NP-Z2-9]{8}/;

test('a request is listed, approved by its code, listed as a person, and taken back', async () => {
  await using people = await openPeopleStore();
  assert.equal(await type(people, '/pairing'), 'Nobody is paired, and nobody is waiting for your approval.');
  const offered = await offerCode(people.store, { ...telegram, userId: '7', name: 'Ann\u001b[31m' });
  const code = offered.type === 'offered' ? offered.code : assert.fail();
  const [request] = await people.store.pairings();
  assert.equal(await type(people, '/pairing list'), `pending  telegram  7 “Ann\\x1b[31m”, 60 min left; request ${request?.id}`);
  assert.equal(
    await type(people, `/pairing approve Telegram ${code.toLowerCase()}`),
    '7 “Ann\\x1b[31m” can talk to the agent on telegram now.',
  );
  assert.equal(await type(people, '/pairing'), 'paired  telegram  7 “Ann\\x1b[31m”');
  assert.equal(await type(people, '/pairing revoke telegram 7'), '7 can no longer talk to the agent on telegram.');
  await assert.rejects(
    type(people, '/pairing revoke telegram 7'),
    new UsageError('7 is not paired on telegram. /pairing list shows who is; people on a list of allowed users are removed there.'),
  );
});

test('whoever is let in hears it where they asked, once, and the owner reads how to become one where there is none', async () => {
  await using people = await openPeopleStore();
  const offered = await offerCode(people.store, { ...telegram, userId: '7' }, { chatId: '70', threadId: '2' });
  const code = offered.type === 'offered' ? offered.code : assert.fail();
  assert.equal(
    await type(people, `/pairing approve telegram ${code}`, { isOwned: false }),
    '7 can talk to the agent on telegram now.\nNo owner is named there yet. If this is you: hermes gateway setup --platform telegram --owner 7',
  );
  await assert.rejects(type(people, `/pairing approve telegram ${code}`), /no pending request on telegram has this code/);
  const told = await people.store.deliveries({});
  assert.deepEqual(
    told.map(({ target, content }) => ({ target, content })),
    [{ target: { ...telegram, chatId: '70', threadId: '2' }, content: { type: 'text', markdown: PAIRED_WORDS } }],
  );
  const other = await offerCode(people.store, { platform: 'telegram', account: 'work', userId: '8' });
  assert.match(
    await type(people, `/pairing approve telegram:work ${other.type === 'offered' ? other.code : ''}`, { isOwned: false }),
    /If this is you: set platforms\.telegram\.accounts\.work\.owners to 8 with hermes config edit$/,
  );
});

test('a code of the owner’s is shown once, listed without it, and used by whoever types it', async () => {
  await using people = await openPeopleStore();
  const told = await type(people, '/pair telegram');
  const [code = ''] = CODE.exec(told) ?? [];
  assert.equal(
    told,
    `Pairing code: ${code}. Give it to the person; they send it to the agent in a private message on telegram within an hour.`,
  );
  assert.equal(await type(people, '/pairing'), 'invited  telegram  a code nobody has used yet, 60 min left');
  const found = await findInvitation(people.store, telegram, code);
  assert.ok(found.type === 'found' && (await people.store.acceptPairing(found.pairingId, { ...telegram, userId: '8' })));
  assert.equal(await type(people, '/pairing'), 'paired  telegram  8');
});

test('in a chat a code is for its own account, unless another is named', async () => {
  await using people = await openPeopleStore();
  const chat = { place: 'chat', account: { platform: 'slack', account: 'work' } } as const;
  assert.match(await type(people, '/pair', chat), /in a private message on slack:work within an hour/);
  assert.match(await type(people, '/pair discord', chat), /in a private message on discord within an hour/);
  const made = (await people.store.pairings()).map(({ platform, account, by }) => `${platform} ${account} by ${by}`);
  assert.deepEqual(made.toSorted(), ['discord main by owner', 'slack work by owner']);
  assert.match(await type(people, '/pairing'), /^invited  slack:work  a code nobody has used yet, 60 min left$/m);
});

test('whoever is let in to one account is let in to no other', async () => {
  await using people = await openPeopleStore();
  const offered = await offerCode(people.store, { platform: 'telegram', account: 'work', userId: '7' });
  const code = offered.type === 'offered' ? offered.code : assert.fail();
  await assert.rejects(type(people, `/pairing approve telegram ${code}`), /no pending request on telegram has this code/);
  assert.equal(await type(people, `/pairing approve Telegram:work ${code}`), '7 can talk to the agent on telegram:work now.');
  await assert.rejects(type(people, '/pairing revoke telegram 7'), /7 is not paired on telegram\./);
  assert.equal(await type(people, '/pairing revoke telegram:work 7'), '7 can no longer talk to the agent on telegram:work.');
  await assert.rejects(
    type(people, '/pair telegram:work:more'),
    new UsageError('telegram:work:more is no platform: write telegram, or telegram:NAME for another account than main.'),
  );
});

test('what cannot be is told with what to do', async () => {
  await using people = await openPeopleStore();
  const unknown = /no pending request on telegram has this code: .* \/pairing list shows/;
  await assert.rejects(type(people, '/pairing approve telegram ABCD2345'), unknown);
  await assert.rejects(type(people, '/pair'), new UsageError('name the platform the person uses, as in: /pair telegram'));
  await offerCode(people.store, { ...telegram, userId: '7' });
  for (let tries = 0; tries < 5; tries++) await assert.rejects(type(people, '/pairing approve telegram wrong'), unknown);
  await assert.rejects(
    type(people, '/pairing approve telegram ABCD2345'),
    /no code is taken for 60 min\. The id of a request works all the same/,
  );
  await assert.rejects(
    type(people, '/pair telegram'),
    new UsageError('too many wrong codes were given, so pairing is locked. Try again in 60 min.'),
  );
});

test('where others read along, no code and no id of anybody is shown', async () => {
  await using people = await openPeopleStore();
  for (const [line, name] of [
    ['/pair', '/pair'],
    ['/pairing list', '/pairing'],
  ] as const)
    await assert.rejects(
      type(people, line, { place: 'chat', account: telegram, othersRead: true }),
      new UsageError(`others can read this chat, and ${name} shows what is only for you. Send it to me in private.`),
    );
  assert.deepEqual(await people.store.pairings(), []);
});

test('nobody but the owner lets people in', async () => {
  await using people = await openPeopleStore();
  for (const line of ['/pair telegram', '/pairing', '/pairing approve telegram ABCD2345', '/pairing revoke telegram 7'])
    await assert.rejects(
      type(people, line, { place: 'chat', by: 'other' }),
      / is only for the owner\. Nothing was done; ask the owner to do it\.$/,
    );
  assert.deepEqual(await people.store.pairings(), []);
});
