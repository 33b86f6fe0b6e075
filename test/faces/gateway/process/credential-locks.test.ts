import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ConnectionEnd, ConnectResult, PlatformAdapter, PlatformConnection } from '../../../../src/contracts/platform-adapter.ts';
import { readAccounts } from '../../../../src/faces/gateway/accounts/accounts.ts';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { lockCredentials } from '../../../../src/faces/gateway/process/credential-locks.ts';
import { openPeopleStore, type PeopleStore } from '../access/people-store.ts';
import { DEFAULTS, TELEGRAM } from '../platform-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-locks-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const accounts = (): readonly GatewayAccount[] => {
  const platforms = { telegram: { token: '1:abc', accounts: { second: { token: '1:abc' } } } };
  return readAccounts({ ...DEFAULTS, platforms }, {}, [TELEGRAM]).accounts;
};

/** An adapter whose connections last until the test ends them. */
function createAdapter(): { readonly adapter: PlatformAdapter; readonly ends: ((end: ConnectionEnd) => void)[] } {
  const ends: ((end: ConnectionEnd) => void)[] = [];
  const connect = async (): Promise<ConnectResult> => {
    const ended = Promise.withResolvers<ConnectionEnd>();
    ends.push(ended.resolve);
    const connection: PlatformConnection = {
      account: { id: '1', name: 'bot' },
      async *catchUp() {},
      async *events() {},
      progress: () => 0,
      ended: ended.promise,
      [Symbol.asyncDispose]: async () => {},
    };
    return { type: 'connected', connection };
  };
  const never = () => Promise.reject(new Error('not here'));
  return { adapter: { connect, send: never, download: never, [Symbol.asyncDispose]: async () => {} }, ends };
}

async function openTwo({ store }: PeopleStore) {
  const [first, second] = accounts();
  const { adapter, ends } = createAdapter();
  const handle = { adapter, failed: new Promise<string>(() => {}), terminate: async () => {} };
  const connectAs = (account: GatewayAccount | undefined): Promise<ConnectResult> =>
    lockCredentials(handle, account ?? assert.fail(), { folder, home: '/home/ann/.hermes', store, owner: 'gateway-1' }).adapter.connect({
      cursors: [],
      signal: new AbortController().signal,
    });
  return { ends, one: () => connectAs(first), other: () => connectAs(second) };
}

test('a credential has one connection at a time; who comes second is told who has it, and gets it when that ends', async () => {
  await using people = await openPeopleStore();
  const { one, other, ends } = await openTwo(people);
  const first = await one();
  assert.equal(first.type, 'connected');
  const busy = await other();
  assert.ok(busy.type === 'failed' && busy.kind === 'busy');
  assert.match(
    busy.why,
    new RegExp(`The token is in use by process ${process.pid} on .*, the gateway of /home/ann/\\.hermes \\(telegram\\)\\.`),
  );
  assert.equal(ends.length, 1);
  // The name of the file tells nothing of the token.
  assert.deepEqual(
    readdirSync(folder).map((name) => /^telegram-[0-9a-f]{16}\.lock$/.test(name)),
    [true],
  );
  if (first.type === 'connected') await first.connection[Symbol.asyncDispose]();
  const second = await other();
  assert.equal(second.type, 'connected');
  ends[1]?.({ kind: 'broken', why: 'the socket closed' });
  if (second.type === 'connected') await second.connection.ended;
  while (readdirSync(folder).length > 0) await new Promise((done) => setTimeout(done, 5));
  assert.equal((await one()).type, 'connected');
});

test('a connection ends when its lease in the store went to somebody else', async () => {
  const [account] = accounts();
  const ended = Promise.withResolvers<void>();
  const adapter: PlatformAdapter = {
    ...createAdapter().adapter,
    connect: async ({ signal }) => {
      signal.addEventListener('abort', () => ended.resolve());
      return createAdapter().adapter.connect({ cursors: [], signal });
    },
  };
  let leases = 0;
  const store = {
    leaseCredential: async () => (++leases === 1 ? ({ ok: true, token: 1 } as const) : ({ ok: false, holder: 'another node' } as const)),
    releaseCredential: async () => {},
  };
  const handle = { adapter, failed: new Promise<string>(() => {}), terminate: async () => {} };
  const deps = { folder: join(folder, 'lost'), home: '/home/ann/.hermes', store, owner: 'gateway-1', leaseMs: 3 };
  const locked = lockCredentials(handle, account ?? assert.fail(), deps);
  const result = await locked.adapter.connect({ cursors: [], signal: new AbortController().signal });
  const alive = setInterval(() => {}, 1_000);
  await ended.promise;
  clearInterval(alive);
  if (result.type === 'connected') await result.connection[Symbol.asyncDispose]();
});

test('a lease whose end could not be written, as on a disk that was full, does not keep its own gateway out', async () => {
  await using people = await openPeopleStore();
  const full = () => Promise.reject(new Error('database or disk is full'));
  const { leaseCredential } = people.store;
  const { one } = await openTwo({ ...people, store: { ...people.store, leaseCredential, releaseCredential: full } });
  const first = await one();
  if (first.type === 'connected') await first.connection[Symbol.asyncDispose]();
  assert.equal((await one()).type, 'connected');
});
