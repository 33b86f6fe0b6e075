import { UsageError } from '../../../base/errors.ts';
import type { Host } from '../../../contracts/host.ts';
import type { ChatTarget } from '../../../contracts/gateway-store.ts';
import type { ConfigurationService } from '../../../contracts/services/configuration.ts';
import type { Env } from '../../../base/env.ts';
import { MAIN_ACCOUNT } from '../accounts/account.ts';
import type { GatewayCommand } from '../commands/typed-command.ts';
import type { Gateway } from '../runner/contract.ts';
import { createOperationCommands } from './operation-commands.ts';
import { noteRestart } from './restart-notice.ts';
import type { GatewaySignals } from './signals.ts';

export interface HomeCommandDeps {
  readonly host: Host;
  readonly env: Env;
  readonly signals: GatewaySignals;
  readonly gateway: () => Gateway | undefined;
  readonly configuration: () => Promise<ConfigurationService>;
  /** Whether somebody starts it again when it ends. */
  readonly isRestarted: boolean;
}

/** The commands of a gateway, for the gateway of a home. */
export function createHomeCommands(deps: HomeCommandDeps): Readonly<Record<string, GatewayCommand>> {
  const { host, signals } = deps;
  return createOperationCommands({
    gateway: deps.gateway,
    guestCommands: (target) => deps.gateway()?.config(target)?.guestCommands ?? [],
    restart: async (from) => {
      if (!deps.isRestarted)
        throw new UsageError(
          'this gateway runs in a terminal, and nobody would start it again. Start it with hermes gateway start, or install it as a service.',
        );
      await noteRestart(host.store, from, Date.now());
      signals.request('restart');
    },
    setHome: (target, name) => setHome(target, name, deps),
  });
}

async function setHome(
  { platform, account, chatId, threadId }: ChatTarget,
  name: string | undefined,
  { configuration, env, gateway }: HomeCommandDeps,
): Promise<string | undefined> {
  const path = `platforms.${platform}${account === MAIN_ACCOUNT ? '' : `.accounts.${account}`}`;
  await (
    await configuration()
  ).change({
    [`${path}.home_channel`]: chatId,
    [`${path}.home_channel_thread_id`]: threadId,
    [`${path}.home_channel_name`]: name,
  });
  const homeChannel = { chatId, ...(threadId !== undefined && { threadId }), ...(name !== undefined && { name }) };
  gateway()?.setHome({ platform, account }, homeChannel);
  const variable = `${platform.toUpperCase()}_HOME_CHANNEL`;
  return account === MAIN_ACCOUNT && (env[variable] ?? '') !== '' ? variable : undefined;
}
