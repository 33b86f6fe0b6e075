import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { runSlash } from '../../src/commands/run-slash.ts';
import type { CommandSurface } from '../../src/contracts/command.ts';
import { createPairingService } from '../../src/faces/gateway/pairing-service.ts';
import { offerCode, redeemCode } from '../../src/faces/gateway/pairing.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { openPeopleStore, type PeopleStore } from '../faces/gateway/people-store.ts';

const registry = createBuiltinRegistry();
const folder = mkdtempSync(join(tmpdir(), 'hermes-pairing-'));
const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', notice: () => {} });
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Who types where. */
interface Typist {
  readonly place?: CommandSurface;
  readonly by?: 'owner' | 'other';
  readonly sessionId?: string;
}
/** A line typed in a session, and the words it is answered with. */
async function type(people: PeopleStore, line: string, { place = 'terminal', by = 'owner', sessionId }: Typist = {}): Promise<string> {
  const services = { pairing: async () => createPairingService(people.store), store: async () => store };
  const deps = { services, startedByAgent: () => false, isOn: async () => false, by };
  const result = await runSlash(line, { registry, place, deps, cwd: '/', ...(sessionId !== undefined && { sessionId }) });
  return result.type === 'done' ? result.text : assert.fail(result.type);
}
const CODE = /[A-HJ-NP-Z2-9]{8}/;

test('a request is listed, approved by its code, listed as a person, and taken back', async () => {
  await using people = await openPeopleStore();
  assert.equal(await type(people, '/pairing'), 'Nobody is paired, and nobody asks for it.');
  const offered = await offerCode(people.store, { platform: 'telegram', userId: '7', name: 'Ann\u001b[31m' });
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
    new UsageError('7 is not paired on telegram. hermes pairing list shows who is; people on a list of allowed users are removed there.'),
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
  assert.equal(await redeemCode(people.store, { platform: 'telegram', userId: '8' }, code), 'paired');
  assert.equal(await type(people, '/pairing'), 'paired  telegram  8');
});

test('in a chat a code is for its platform, unless another is named', async () => {
  await using people = await openPeopleStore();
  const { id: sessionId } = await store.create({ source: 'gateway', platform: 'slack', cwd: '/', model: 'm', provider: 'p' });
  assert.match(await type(people, '/pair', { place: 'chat', sessionId }), /in a private message on slack within an hour/);
  assert.match(await type(people, '/pair discord', { place: 'chat', sessionId }), /in a private message on discord within an hour/);
  const made = (await people.store.pairings()).map(({ platform, by }) => `${platform} by ${by}`);
  assert.deepEqual(made.toSorted(), ['discord by owner', 'slack by owner']);
});

test('what cannot be is told with what to do', async () => {
  await using people = await openPeopleStore();
  const unknown = /no pending request on telegram has this code: .* hermes pairing list shows/;
  await assert.rejects(type(people, '/pairing approve telegram ABCD2345'), unknown);
  await assert.rejects(type(people, '/pair'), new UsageError('name the platform the person uses, as in: hermes pairing invite telegram'));
  await offerCode(people.store, { platform: 'telegram', userId: '7' });
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

test('nobody but the owner lets people in', async () => {
  await using people = await openPeopleStore();
  for (const line of ['/pair telegram', '/pairing', '/pairing approve telegram ABCD2345', '/pairing revoke telegram 7'])
    await assert.rejects(
      type(people, line, { place: 'chat', by: 'other' }),
      / is for the owner alone\. Nothing was done; ask the owner to do it\.$/,
    );
  assert.deepEqual(await people.store.pairings(), []);
});
