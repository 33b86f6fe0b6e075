import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { openAccountBook } from '../../../../src/faces/gateway/accounts/account-book.ts';
import { nameAccount } from '../../../../src/faces/gateway/contract.ts';
import type { PlatformLink } from '../../../../src/faces/gateway/link/contract.ts';
import { createAccountLinks } from '../../../../src/faces/gateway/runner/account-links.ts';
import { readOneAccount } from '../platform-kinds.ts';

const never = () => Promise.reject(new Error('nothing is sent here'));
/** A link that only says what is done to it. */
const createLink = (name: string, did: string[]): PlatformLink => ({
  state: () => ({ type: 'connected', generation: 1, reconnects: 0, starts: 1 }),
  send: never,
  edit: never,
  remove: never,
  findSent: never,
  showTyping: never,
  react: never,
  answerPress: never,
  download: never,
  listChats: never,
  publishCommands: never,
  [Symbol.asyncDispose]: async () => void did.push(`close ${name}`),
});

async function openLinks(accounts: readonly GatewayAccount[]) {
  const did: string[] = [];
  const book = await openAccountBook(accounts, { movedChats: async () => [] });
  const links = createAccountLinks(book, (config) => {
    const name = nameAccount(config);
    did.push(`open ${name}`);
    const ref = { platform: config.platform, account: config.account };
    const link = createLink(name, did);
    return { account: { ref, kind: config.kind, config, sender: link }, link, settings: config.settings, isPaused: false };
  });
  await links.apply();
  return { book, links, did: () => did.splice(0) };
}

const named = (account: string, more: Partial<GatewayAccount> = {}): GatewayAccount => ({ ...readOneAccount(), account, ...more });
const other = { secrets: { token: 'another' }, extra: {} };

test('of all accounts only those that are new, gone or set up differently are touched', async () => {
  const { book, links, did } = await openLinks([named('main'), named('work'), named('old')]);
  assert.deepEqual(did(), ['open telegram', 'open telegram:work', 'open telegram:old']);
  const guests = { guestCommands: ['model'] };
  await book.replace([named('main', guests), named('work', { settings: other }), named('new')]);
  assert.deepEqual(await links.apply(), {
    opened: [{ platform: 'telegram', account: 'new' }],
    reopened: [{ platform: 'telegram', account: 'work' }],
    closed: [{ platform: 'telegram', account: 'old' }],
  });
  assert.deepEqual(did().toSorted(), ['close telegram:old', 'close telegram:work', 'open telegram:new', 'open telegram:work']);
  assert.deepEqual(await links.apply(), { opened: [], reopened: [], closed: [] });
  await links[Symbol.asyncDispose]();
  assert.deepEqual(did().length, 3);
});

test('an account that is paused stays paused whatever is set, and is opened with it when it is resumed', async () => {
  const { book, links, did } = await openLinks([named('main')]);
  const ref = { platform: 'telegram', account: 'main' };
  // At the same time: one waits for the other.
  const [isThere] = await Promise.all([links.setPaused(ref, true), links.apply()]);
  await book.replace([named('main', { settings: other })]);
  assert.deepEqual(
    [isThere, await links.apply(), links.states.map(({ isPaused }) => isPaused)],
    [true, { opened: [], reopened: [], closed: [] }, [true]],
  );
  await links.setPaused(ref, false);
  assert.deepEqual(did(), ['open telegram', 'close telegram', 'open telegram']);
  assert.equal(await links.setPaused({ ...ref, account: 'nobody' }, true), false);
});
