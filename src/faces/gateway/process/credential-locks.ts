import { join } from 'node:path';
import { claimFile } from '../../../base/claim-file.ts';
import { readStringAt } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { GatewayStore } from '../../../contracts/gateway-store.ts';
import type { ConnectResult, PlatformAdapter, PlatformConnection } from '../../../contracts/platform-adapter.ts';
import type { GatewayAccount } from '../accounts/account.ts';
import { describeAccount } from '../contract.ts';
import type { AdapterHandle } from '../link/contract.ts';

export interface CredentialLockDeps {
  /** Where all gateways of this machine see each other's. */
  readonly folder: string;
  /** The profile's folder, for whoever finds a credential taken. */
  readonly home: string;
  readonly store: Pick<GatewayStore, 'leaseCredential' | 'releaseCredential'>;
  readonly owner: string;
  /** A lease that is not renewed is over after this long. */
  readonly leaseMs?: number;
}

const LEASE_MS = 90_000;

/** An adapter whose connections hold the credentials of their account, each from its login to its end. */
export const lockCredentials = (handle: AdapterHandle, account: GatewayAccount, deps: CredentialLockDeps): AdapterHandle => ({
  ...handle,
  adapter: { ...handle.adapter, connect: (options) => connectLocked(handle.adapter, options, account, deps) },
});

async function connectLocked(
  adapter: PlatformAdapter,
  options: Parameters<PlatformAdapter['connect']>[0],
  account: GatewayAccount,
  deps: CredentialLockDeps,
): Promise<ConnectResult> {
  await using locks = new AsyncDisposableStack();
  // Whoever lost a lease to another node must not be connected beside it.
  const lost = new AbortController();
  for (const [what, secret] of Object.entries(account.kind.credentials(account.settings))) {
    const taken = await takeCredential(what, secret, account, { ...deps, onLost: () => lost.abort() });
    if (typeof taken === 'string') return { type: 'failed', kind: 'busy', why: taken };
    locks.use(taken);
  }
  const result = await adapter.connect({ ...options, signal: AbortSignal.any([options.signal, lost.signal]) });
  if (result.type === 'failed') return result;
  return { type: 'connected', connection: holdWith(result.connection, locks.move()) };
}

function holdWith(connection: PlatformConnection, locks: AsyncDisposableStack): PlatformConnection {
  const release = (): Promise<void> => locks.disposeAsync();
  void connection.ended.then(release);
  return {
    account: connection.account,
    catchUp: () => connection.catchUp(),
    events: () => connection.events(),
    progress: () => connection.progress(),
    ended: connection.ended,
    [Symbol.asyncDispose]: async () => {
      try {
        await connection[Symbol.asyncDispose]();
      } finally {
        await release();
      }
    },
  };
}

/** The right to use a credential; or in words who has it. */
async function takeCredential(
  what: string,
  secret: string,
  account: GatewayAccount,
  { folder, home, store, owner, leaseMs = LEASE_MS, onLost }: CredentialLockDeps & { readonly onLost: () => void },
): Promise<AsyncDisposable | string> {
  const identity = `${account.platform}-${sha256(`${account.platform}\0${what}\0${secret}`).slice(0, 16)}`;
  await using taken = new AsyncDisposableStack();
  const onMachine = await claimFile(join(folder, `${identity}.lock`), { hermes_home: home, account: describeAccount(account) });
  if (!onMachine.ok) {
    const { pid, host, facts } = onMachine.holder;
    return `The ${what} is in use by process ${pid} on ${host}, the gateway of ${readStringAt(facts, 'hermes_home')} (${readStringAt(facts, 'account')}). Stop that gateway, or use another ${what}.`;
  }
  taken.use(onMachine.claim);
  const lease = { identity, holder: `${owner} ${describeAccount(account)}`, leaseMs };
  const inStore = await store.leaseCredential(lease);
  if (!inStore.ok) return `The ${what} is in use by ${inStore.holder}. Stop that gateway, or use another ${what}.`;
  const { token } = inStore;
  const renew = async (): Promise<void> => {
    const renewed = await store.leaseCredential({ ...lease, token }).catch(() => undefined);
    if (renewed?.ok === false) onLost();
  };
  const renewing = setInterval(() => void renew(), leaseMs / 3).unref();
  taken.defer(async () => {
    clearInterval(renewing);
    await store.releaseCredential(identity, token).catch(() => undefined);
  });
  return taken.move();
}
