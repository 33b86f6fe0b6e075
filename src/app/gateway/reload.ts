import { isDeepStrictEqual } from 'node:util';
import type { Env } from '../../base/env.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts/account.ts';
import { readAccounts } from '../../faces/gateway/accounts/accounts.ts';
import { describeAccount, type WriteLog } from '../../faces/gateway/contract.ts';
import type { AppliedAccounts } from '../../faces/gateway/runner/contract.ts';
import { LIVE_SETTINGS } from '../../faces/gateway/settings.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { loadConfig, type Settings } from '../config/config.ts';
import type { AppHost } from '../host/host.ts';
import { loadSharedSecrets } from '../host/redaction.ts';
import { snapshotRegistries } from '../tools/registries.ts';
import type { HomeGateway, HomeSettings } from './open.ts';
import { listPlatformKinds } from './platforms.ts';

export interface HomeReadDeps {
  readonly host: Pick<AppHost, 'home' | 'registries' | 'store'>;
  /** What the process was started with, without the home's `.env`. */
  readonly processEnv: Env;
  /** What it does besides, as in "scheduled jobs are run": it is of use without any platform. */
  readonly alsoServed: readonly string[];
  readonly log: WriteLog;
}

/** The accounts that can be connected. What is wrong with any of them is told. */
export async function selectAccounts(settings: Settings, env: Env, deps: HomeReadDeps): Promise<readonly GatewayAccount[]> {
  const { home, store } = deps.host;
  const kinds = await listPlatformKinds({ home, store, settings, env, notice: deps.log });
  const { accounts, problems } = readAccounts(settings, env, kinds);
  const secrets = loadSharedSecrets(deps.processEnv, deps.host.home);
  for (const { platform, settings: own } of accounts)
    for (const [name, value] of Object.entries(own.secrets)) secrets.learn(`${platform} ${name}`, value);
  for (const problem of problems) deps.log(problem);
  for (const account of accounts) for (const problem of account.problems) deps.log(`${describeAccount(account)}: ${problem}`);
  const usable = accounts.filter(({ enabled, kind, settings: own }) => enabled && kind.check(own) === undefined);
  if (usable.length === 0)
    deps.log(
      deps.alsoServed.length > 0
        ? `No chat platform is set up: ${deps.alsoServed.join(', and ')}.`
        : 'No chat platform is set up, so there is nothing to run. Run hermes gateway setup, or set TELEGRAM_BOT_TOKEN, DISCORD_BOT_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN in .env. For webhooks only: hermes webhook add NAME. For a checklist at the start only: write BOOT.md into the profile.',
    );
  return usable;
}

/** Reads the settings of a running gateway again and has them hold. Gives them, for the next time. */
export async function reloadGateway(before: HomeSettings, gateway: Pick<HomeGateway, 'reload'>, deps: HomeReadDeps): Promise<HomeSettings> {
  const { host, processEnv, log } = deps;
  const env = mergeEnvironment(host.home.env, processEnv);
  const { settings } = await loadConfig(host.home.config, env, log, snapshotRegistries(host.registries));
  const next = { settings, env, accounts: await selectAccounts(settings, env, deps) };
  log(describeApplied(await gateway.reload(next)));
  const waiting = listWaiting(before, next);
  if (waiting.length > 0) log(`These changes take effect only after hermes gateway restart: ${waiting.join(', ')}.`);
  return next;
}

const describeApplied = ({ opened, reopened, closed }: AppliedAccounts): string => {
  const parts = Object.entries({ opened, 'opened again': reopened, closed })
    .filter(([, refs]) => refs.length > 0)
    .map(([what, refs]) => `${refs.map(describeAccount).join(', ')} ${what}`);
  return `The settings were read again: ${[...parts, `${parts.length === 0 ? 'all' : 'all other'} connections stay`].join('; ')}.`;
};

/** Names alone: a value may be a secret. */
const listWaiting = (before: HomeSettings, next: HomeSettings): readonly string[] => {
  const values = (settings: Settings): Readonly<Record<string, unknown>> => settings;
  const [old, fresh] = [values(before.settings), values(next.settings)];
  const changed = Object.keys(fresh).filter((key) => !LIVE_SETTINGS.has(key) && !isDeepStrictEqual(old[key], fresh[key]));
  const isMoved = !isDeepStrictEqual(listWebhooks(before.accounts), listWebhooks(next.accounts));
  return [...changed, ...(isMoved ? ['the address of a webhook'] : [])];
};

/** The listener knows by which names, and at which port, it is called. */
const listWebhooks = (accounts: readonly GatewayAccount[]): readonly unknown[] =>
  accounts.flatMap(({ settings: { extra } }) => [extra['webhook_url'], extra['webhook_port']]).filter((value) => value !== undefined);
