import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { CheckupFinding } from '../../contracts/services/insight.ts';
import { readAccounts } from '../../faces/gateway/accounts/accounts.ts';
import { findGateway } from '../../faces/gateway/process/claims.ts';
import { findStore, openHomeStore } from '../../parts/store/home-store.ts';
import type { Settings } from '../config/config.ts';
import { listPlatformKinds, PLATFORMS } from '../gateway/platforms.ts';

export interface CheckChatsOptions {
  readonly home: Home;
  readonly settings: Settings;
  readonly env: Env;
}

/** What is wrong with the settings of chats and jobs, which the gateway would only write into its log; and whether it runs. */
export async function checkChats(options: CheckChatsOptions): Promise<readonly CheckupFinding[]> {
  const { home, settings, env } = options;
  const { accounts, problems } = readAccounts(settings, env, await listKinds(options));
  const [first, ...more] = new Set([...problems, ...accounts.flatMap((account) => account.problems)]);
  if (first !== undefined)
    return [
      {
        name: 'chats',
        ok: false,
        words: `${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
        cure: 'To edit the settings: hermes config edit. A running gateway reads them again at SIGHUP.',
      },
    ];
  const names = [...new Set(accounts.flatMap(({ enabled, platform }) => (enabled ? [platform] : [])))];
  if (names.length === 0) return [];
  const gateway = findGateway(home.root);
  return [
    gateway === undefined
      ? { name: 'chats', ok: true, words: `${names.join(', ')}; no gateway runs, so nobody is answered`, cure: 'hermes gateway start' }
      : {
          name: 'chats',
          ok: true,
          words: `${names.join(', ')}; the gateway runs as process ${gateway.pid}`,
          cure: 'hermes gateway status',
        },
  ];
}

/** A platform nobody here knows may be a plugin's; only then is the store asked which plugins are enabled. */
async function listKinds({ home, settings, env }: CheckChatsOptions) {
  const isOurs = Object.keys(settings.platforms).every((name) => PLATFORMS[name] !== undefined);
  if (isOurs || (await findStore(home)) === undefined) return listPlatformKinds();
  try {
    await using store = await openHomeStore(home);
    return await listPlatformKinds({ home, settings, env, store, notice: () => {} });
  } catch {
    // What is wrong with the store is a finding of its own.
    return listPlatformKinds();
  }
}
