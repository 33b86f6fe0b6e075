import { waitAtMost } from '../../../base/waits.ts';
import type { MenuCommand } from '../../../contracts/platform-adapter.ts';
import { createOwnCommands } from '../commands/own-commands.ts';
import type { GatewayCommand } from '../commands/typed-command.ts';
import { createAccountLinks } from './account-links.ts';
import { createCare } from './care.ts';
import type { Gateway, GatewayOptions } from './contract.ts';
import { createCore, type GatewayCore } from './core.ts';
import { startFollowing, wakePending } from './follow.ts';
import { openAccount, startLoops, type GatewayLoops } from './traffic.ts';

/** How long a gateway that closes waits for what is being sent. */
const CLOSE_MS = 10_000;

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  let hintArrivals = (): void => {};
  const links = createAccountLinks(options.accounts, (config) =>
    openAccount(config, options, { core, hintArrivals: () => hintArrivals(), listCommands }),
  );
  const core = createCore(options, links);
  const own = { ...createOwnCommands({ store: options.host.store, ...core }), ...options.commands };
  const listCommands = (): Promise<readonly MenuCommand[]> => listAll(options, own);
  await core.rates.recall();
  await links.apply();
  // Not before there is an account for each row.
  const loops = startLoops(options, core, own);
  hintArrivals = loops.arrivals.hint;
  const following = startFollowing(options, core, loops);
  await wakePending(options.host, core);
  return {
    get accounts() {
      return links.states;
    },
    get running() {
      return core.conversations.running;
    },
    get waiting() {
      return core.conversations.waiting;
    },
    wake: core.conversations.wake,
    deliver: (planned) => options.host.store.gateway.plan(planned),
    config: options.accounts.find,
    setHome: options.accounts.setHome,
    replaceAccounts: async (accounts) => {
      await options.accounts.replace(accounts);
      core.conversations.renew();
      return links.apply();
    },
    setPaused: links.setPaused,
    listCommands,
    ...createCare(options, core),
    drain: async (ms) => {
      // Both within the same time; a turn that the last arrival began is waited for, too.
      await waitAtMost(
        loops.arrivals.drain().then(() => core.conversations.idle()),
        ms,
      );
    },
    [Symbol.asyncDispose]: async () => {
      await closeWork(core, loops);
      await links[Symbol.asyncDispose]();
      await following[Symbol.asyncDispose]();
      await options.onClosed?.();
    },
  };
}

async function listAll(
  { host }: GatewayOptions,
  own: Readonly<Record<string, Pick<GatewayCommand, 'summary'>>>,
): Promise<readonly MenuCommand[]> {
  const shared = (await host.commands.list('chat')).filter(({ name }) => !(name in own));
  const rows = [...shared, ...Object.entries(own).map(([name, { summary }]) => ({ name, summary }))];
  return rows.map(({ name, summary }) => ({ name, summary }));
}

async function closeWork({ conversations }: GatewayCore, { arrivals, deliveries }: GatewayLoops): Promise<void> {
  await arrivals[Symbol.asyncDispose]();
  await conversations[Symbol.asyncDispose]();
  // What the last turns said goes out if it can; the rest is in the store.
  await waitAtMost(deliveries.drain(), CLOSE_MS);
  await deliveries[Symbol.asyncDispose]();
}
