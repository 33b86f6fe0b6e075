import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { GatewayEventInput } from '../../../contracts/hook-inputs.ts';
import { listNamed } from '../access/access.ts';
import type { GatewayAccount, RunningAccount } from '../accounts/account.ts';
import { describeAccount } from '../contract.ts';
import type { LinkState } from '../link/contract.ts';
import { openLink } from '../link/link.ts';
import type { DispatchDeps } from '../receive/contract.ts';
import { handleArrival } from '../receive/dispatch.ts';
import { createIntake } from '../receive/intake.ts';
import { findPassing } from '../receive/slow-work.ts';
import { createSuspects } from '../receive/suspects.ts';
import { refreshDirectory } from '../send/directory.ts';
import { LEASE_MS, sendDelivery } from '../send/outbox.ts';
import type { AccountLink } from './account-links.ts';
import type { Gateway, GatewayOptions } from './contract.ts';
import type { GatewayCore } from './core.ts';
import { createSlowRows } from './slow-rows.ts';
import { startWorkLoop } from './work-loop.ts';

/** Chats whose messages are handled at once, but for what is slow of that, and deliveries that are on their way at once. */
const MAX_ARRIVALS = 32;
const MAX_DELIVERIES = 64;
const PUBLISH_MS = 60_000;

interface AccountDeps extends Pick<Gateway, 'listCommands'> {
  readonly core: GatewayCore;
  readonly hintArrivals: () => void;
}

/** Connects an account: what its service brings is kept, and hints that there is something to do. */
export function openAccount(
  config: GatewayAccount,
  options: GatewayOptions,
  { core, hintArrivals, listCommands }: AccountDeps,
): AccountLink {
  const { host, log, redeem, linkTimes, onLinkChange } = options;
  const ref = { platform: config.platform, account: config.account };
  const store = host.store.gateway;
  const intake = createIntake({
    store,
    authorise: (_account, event) => core.authorise(account.config, event, 'first'),
    redeem,
    follow: options.accounts.follow,
    now: () => performance.now(),
  });
  // Never in the way of connecting, and once for each start: only an update changes it.
  const publish = lazy(async () => link.publishCommands(await listCommands(), AbortSignal.timeout(PUBLISH_MS)));
  const tellUnpublished = (error: unknown): void => log(`${describeAccount(ref)}: commands are not in its menu: ${toErrorMessage(error)}`);
  const link = openLink({
    account: ref,
    openAdapter: () => options.openAdapter(config),
    receive: async (batch) => {
      if ((await intake(ref, batch)) > 0) hintArrivals();
    },
    cursors: () => store.cursors(ref),
    people: async () => [...listNamed(account.config.access), ...(await store.people(ref)).map(({ userId }) => userId)],
    log,
    ...(linkTimes !== undefined && { times: linkTimes }),
    onChange: (state) => {
      if (options.hasMenus === true && state.type === 'connected') void publish().catch(tellUnpublished);
      // What chats there are changes seldom; a store that is closing needs no list.
      if (state.type === 'connected') void refreshDirectory([account], host.store).catch(() => undefined);
      host.hooks.tell({ name: 'gateway_platform_event', input: describeLink(ref, state) });
      onLinkChange?.(ref, state);
    },
  });
  const account: RunningAccount = {
    ref,
    kind: config.kind,
    get config() {
      return options.accounts.find(ref) ?? config;
    },
    sender: link,
    isConnected: () => link.state().type === 'connected',
  };
  return { link, settings: config.settings, isPaused: false, account };
}

const describeLink = ({ platform, account }: AccountRef, state: LinkState): GatewayEventInput => ({
  platform,
  account,
  type: 'link',
  state: state.type,
  ...('why' in state && { why: state.why }),
});

export type GatewayLoops = ReturnType<typeof startLoops>;

/** Works off what was kept, in both directions. */
export function startLoops(options: GatewayOptions, core: GatewayCore, own: DispatchDeps['own']) {
  const { host, owner, clock, log, blobs } = options;
  const { store } = host;
  const shared = { store: store.gateway, owner, accounts: options.accounts.all, leaseMs: LEASE_MS, clock, log };
  const slow = createSlowRows({
    store: store.gateway,
    findPassing: (kind, behind) => findPassing(kind, behind, host),
    hint: () => arrivals.hint(),
  });
  const dispatch: DispatchDeps = {
    ...options,
    ...core,
    store,
    authorise: ({ config }, event) => core.authorise(config, event, 'again'),
    own,
    suspects: createSuspects(),
    slow,
    move: ({ platform, account, event }) => core.move({ platform, account, ...event.chat }, event.to, true),
  };
  const arrivals = startWorkLoop({
    ...shared,
    kind: 'arrival',
    maxAtOnce: MAX_ARRIVALS,
    slow,
    handle: (row, signal) => handleArrival(row, dispatch, signal),
  });
  return {
    arrivals,
    deliveries: startWorkLoop({
      ...shared,
      kind: 'delivery',
      maxAtOnce: MAX_DELIVERIES,
      handle: (row, signal) => sendDelivery(row, { ...core, store: store.gateway, blobs, clock, log, tellHooks: host.hooks.tell }, signal),
    }),
  };
}
