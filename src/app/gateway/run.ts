import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { forwardLines } from '../../base/notice-board.ts';
import { systemClock } from '../../base/clock.ts';
import type { GatewayRunValues } from '../../commands/gateway.ts';
import type { Host } from '../../contracts/host.ts';
import type { ServiceOpeners } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { createProcessStreams, tellNotice } from '../../faces/cli/streams.ts';
import { readAccounts, type GatewayAccount } from '../../faces/gateway/accounts.ts';
import { describeAccount, type WriteLog } from '../../faces/gateway/contract.ts';
import type { Gateway, GatewayOptions } from '../../faces/gateway/gateway.ts';
import { claimGateway, findGateway, findLockFolder } from '../../faces/gateway/process/claims.ts';
import { lockCredentials } from '../../faces/gateway/process/credential-locks.ts';
import { createHomeCommands } from '../../faces/gateway/process/home-commands.ts';
import { isDetached, launchGateway } from '../../faces/gateway/process/launch.ts';
import { createLogFile, findLogFile } from '../../faces/gateway/process/log-file.ts';
import { GATEWAY_EXIT, serveGateway } from '../../faces/gateway/process/serve.ts';
import { tellRestarted } from '../../faces/gateway/process/restart-notice.ts';
import { watchSignals, type GatewaySignals } from '../../faces/gateway/process/signals.ts';
import { noteStart } from '../../faces/gateway/process/start-brake.ts';
import { endProcess } from '../../faces/gateway/process/end-process.ts';
import { createListener } from '../../faces/gateway/listener.ts';
import { readTimeZone, selectResetPolicy } from '../../faces/gateway/reset.ts';
import { openBlobs } from '../../parts/store/blobs.ts';
import type { Config } from '../config/config.ts';
import { loadSharedSecrets } from '../host/redaction.ts';
import type { AppHost } from '../host/host.ts';
import { openHomeGateway, type HomeGatewayDeps } from './open.ts';
import { openPlatformAdapter, PLATFORMS } from './platforms.ts';

export interface RunGatewayDeps {
  readonly env: Env;
  openHost(): Promise<AppHost & Host>;
  openServices(
    store: SessionStore,
    notice: WriteLog,
  ): AsyncDisposable & { readonly openers: Pick<ServiceOpeners, 'approvals' | 'configuration'> };
}

/** `hermes gateway run`: serves the chats of a profile until it is told to end. Gives the exit code. */
export async function runGateway(values: GatewayRunValues, json: boolean, deps: RunGatewayDeps): Promise<number> {
  const { env } = deps;
  const { root } = resolveHome(env);
  const code = await runClaimed(values, json, root, deps);
  if (code === GATEWAY_EXIT.restart && isDetached(env)) launchGateway(root, env);
  // launchd starts whatever did not end with 0 again, and settings that are wrong stay wrong.
  return code === GATEWAY_EXIT.configuration && env['HERMES_GATEWAY_SERVICE']?.startsWith('launchd:') === true ? 0 : code;
}

async function runClaimed(values: GatewayRunValues, json: boolean, root: string, deps: RunGatewayDeps): Promise<number> {
  const { env } = deps;
  const { redact } = loadSharedSecrets(env);
  if (values.replace !== true) {
    const running = findGateway(root);
    if (running !== undefined) return refuseSecond(running.pid, root);
  }
  const toFile = createLogFile(findLogFile(root), redact);
  const log = (words: string): void => {
    tellNotice(redact(words));
    toFile(words);
  };
  const signals = watchSignals(process, log, createProcessStreams().watched);
  if (values.replace === true) await replaceRunning(root, env, log);
  const claimed = await claimGateway(root, env);
  if (!claimed.ok) return refuseSecond(claimed.holder.pid, root);
  await using _claim = claimed.claim;
  await brake(root, env, signals, log);
  return signals.signal.aborted ? GATEWAY_EXIT.stopped : await serveHome(deps, signals, log, json);
}

function refuseSecond(pid: number, root: string): number {
  tellNotice(
    `the gateway of ${root} is running already, as process ${pid}. See hermes gateway status; hermes gateway run --replace takes its place.`,
  );
  return 1;
}

async function replaceRunning(root: string, env: Env, log: WriteLog): Promise<void> {
  const running = findGateway(root);
  if (running === undefined) return;
  // Its manager would start it again at once, and the two would take turns.
  if (running.service !== undefined && running.service !== env['HERMES_GATEWAY_SERVICE'])
    throw new UsageError(`process ${running.pid} is a service of ${running.service.split(':')[0]}. Stop it first: hermes gateway stop`);
  log(`Stopping the gateway that runs as process ${running.pid}.`);
  await endProcess(running);
}

async function brake(root: string, env: Env, signals: GatewaySignals, log: WriteLog): Promise<void> {
  const waitMs = noteStart(root, env, Date.now());
  if (waitMs === 0) return;
  log(`Too many restarts in a short time: waiting ${waitMs / 1_000} s. See above or in the log what stopped it.`);
  await systemClock.sleep(waitMs, signals.signal);
}

async function serveHome(deps: RunGatewayDeps, signals: GatewaySignals, log: WriteLog, json: boolean): Promise<number> {
  await using host = await deps.openHost();
  await using _notices = forwardLines(host.notices, ({ text }) => log(text));
  const accounts = await selectAccounts(host, log);
  if (accounts.length === 0) return GATEWAY_EXIT.configuration;
  const { settings } = host.config;
  const { zone } = readTimeZone(settings);
  await using opened = new AsyncDisposableStack();
  return await serveGateway({
    root: host.home.root,
    open: (onLinkChange) => openOwnGateway(deps, host, { accounts, log, onLinkChange, opened, signals }),
    store: host.store,
    policy: { policyOf: ({ target, chat }) => selectResetPolicy(settings, target.platform, chat.type), timeZone: zone },
    signals,
    drainMs: settings['gateway.restart_drain_timeout'] * 1_000,
    log,
    exit: (code) => process.exit(code),
    onRunning: async (gateway) => {
      const platforms = gateway.accounts.map(({ ref, state: { type } }) => ({ ...ref, state: type }));
      if (json) createProcessStreams().out(`${JSON.stringify({ pid: process.pid, platforms })}\n`);
      await tellRestarted(host.store, gateway.deliver);
    },
  });
}

/** The accounts that can be connected. What is wrong with any of them is told. */
async function selectAccounts({ config, env }: AppHost, log: WriteLog): Promise<readonly GatewayAccount[]> {
  const kinds = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
  const { accounts, problems } = readAccounts(config.settings, env, kinds);
  for (const problem of problems) log(problem);
  for (const account of accounts) for (const problem of account.problems) log(`${describeAccount(account)}: ${problem}`);
  const usable = accounts.filter(({ enabled, kind, settings }) => enabled && kind.check(settings) === undefined);
  if (usable.length === 0)
    log(
      'No chat platform is set up, so there is nothing to run. Run hermes gateway setup, or set TELEGRAM_BOT_TOKEN, DISCORD_BOT_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN in .env.',
    );
  return usable;
}

interface OwnGatewayDeps extends Required<Pick<GatewayOptions, 'onLinkChange'>> {
  readonly accounts: readonly GatewayAccount[];
  readonly log: WriteLog;
  readonly opened: AsyncDisposableStack;
  readonly signals: GatewaySignals;
}

async function openOwnGateway({ env, openServices }: RunGatewayDeps, host: AppHost & Host, deps: OwnGatewayDeps): Promise<Gateway> {
  const { accounts, log, onLinkChange, opened, signals } = deps;
  const { root } = host.home;
  const { openers } = opened.use(openServices(host.store, log));
  const listener = opened.use(createListener({ ...describeListener(host.config.settings, accounts), log }));
  const owner = `gateway-${process.pid}`;
  const locks = { folder: findLockFolder(env), home: root, store: host.store.gateway, owner };
  let gateway: Gateway | undefined;
  const isRestarted = isDetached(env) || (env['HERMES_GATEWAY_SERVICE'] ?? '') !== '' || !createProcessStreams().watched;
  const commands = createHomeCommands({
    host,
    env: host.env,
    accounts,
    signals,
    gateway: () => gateway,
    configuration: openers.configuration,
    isRestarted,
  });
  const openAdapter: HomeGatewayDeps['openAdapter'] = async (account) => {
    const { platform, settings } = account;
    return lockCredentials(await openPlatformAdapter({ platform, settings, log, listen: listener.listen }), account, locks);
  };
  gateway = await openHomeGateway({
    host,
    root,
    settings: host.config.settings,
    env: host.env,
    accounts,
    openAdapter,
    approvals: await openers.approvals(),
    blobs: openBlobs(join(root, 'blobs')),
    owner,
    log,
    overrides: { onLinkChange, commands, hasMenus: true },
  });
  return gateway;
}

type ListenSettings = Pick<Config['settings'], 'gateway.listen_host' | 'gateway.listen_port' | 'gateway.listen_names'>;

/** Where the gateway listens. An account that says by which address it is called, or at which port, is believed. */
function describeListener(settings: ListenSettings, accounts: readonly GatewayAccount[]) {
  const extras = accounts.map(({ settings: { extra } }) => extra);
  const named = extras.flatMap(({ webhook_url: url }) => (typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : []));
  const port = extras.map(({ webhook_port: one }) => one).find((one) => typeof one === 'number');
  return {
    host: settings['gateway.listen_host'],
    port: port ?? settings['gateway.listen_port'],
    names: [...settings['gateway.listen_names'], ...named],
  };
}
