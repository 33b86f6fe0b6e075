import { resolveHome } from '../../base/home.ts';
import type { AccountRef } from '../../contracts/gateway-store.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { readAccounts } from '../../faces/gateway/accounts/accounts.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { loadConfig } from '../config/config.ts';
import { listPlatformKinds } from '../gateway/platforms.ts';

/** Whether the settings name an owner for this account. One that is not set up has none, and nobody needs to hear it now. */
export async function hasOwner(
  { platform, account }: AccountRef,
  { processEnv, notice, registered }: ServiceOptions,
  store: SessionStore,
): Promise<boolean> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, notice, registered);
  const { accounts } = readAccounts(settings, env, await listPlatformKinds({ home, env, settings, store, notice }));
  const found = accounts.find((each) => each.platform === platform && each.account === account);
  return found?.enabled !== true || found.access.owners.length > 0;
}
