import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { randomHex } from '../../base/ids.ts';
import { resolveHome } from '../../base/home.ts';
import { isNear, type ProcessIdentity } from '../../base/process-identity.ts';
import { runBeside } from '../../base/running.ts';
import { forwardLines } from '../../base/notice-board.ts';
import type { HttpListeners } from '../../base/http-server/contract.ts';
import { createHttpListeners } from '../../base/http-server/listeners.ts';
import type { GatewayRunValues } from '../../commands/gateway.ts';
import type { Host } from '../../contracts/host.ts';
import type { ServiceOpeners } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { startTicker } from '../../faces/cron/ticker.ts';
import { createProcessStreams, tellNotice } from '../../faces/cli/streams.ts';
import type { WriteLog } from '../../faces/gateway/contract.ts';
import { readBootFile } from '../../faces/gateway/chats/boot.ts';
import type { GatewayOptions } from '../../faces/gateway/runner/contract.ts';
import { findGateway, findLockFolder } from '../../faces/gateway/process/claims.ts';
import { lockCredentials } from '../../faces/gateway/process/credential-locks.ts';
import { createHomeCommands } from '../../faces/gateway/process/home-commands.ts';
import { isDetached, launchGateway } from '../../faces/gateway/process/launch.ts';
import { createLogFile, findLogFile } from '../../faces/gateway/process/log-file.ts';
import { GATEWAY_EXIT, serveGateway } from '../../faces/gateway/process/serve.ts';
import { tellRestarted } from '../../faces/gateway/process/restart-notice.ts';
import { watchSignals, type GatewaySignals } from '../../faces/gateway/process/signals.ts';
import { watchProvider } from '../../faces/gateway/process/provider-watch.ts';
import { brakeStart, describeSecond, takePlace } from '../../faces/gateway/process/take-place.ts';
import { describeListener, listenThrough } from '../../faces/gateway/inbound-routes.ts';
import { openBlobs } from '../../parts/store/blobs.ts';
import { loadSharedSecrets } from '../host/redaction.ts';
import type { AppHost } from '../host/host.ts';
import { createCronDeps } from '../cron/open.ts';
import { snapshotRegistries } from '../tools/registries.ts';
import { createPost, createRecords } from './adapter-offers.ts';
import { openHomeGateway, type HomeGateway, type HomeGatewayDeps, type HomeSettings } from './open.ts';
import { openOperation } from './operation.ts';
import { findPlatformPlugin, openPlatformAdapter } from './platforms.ts';
import { reloadGateway, selectAccounts } from './reload.ts';
import { withApi } from './with-api.ts';

export interface RunGatewayDeps {
  readonly env: Env;
  openHost(): Promise<AppHost & Host>;
  openServices(
    store: SessionStore,
    notice: WriteLog,
  ): AsyncDisposable & { readonly openers: Pick<ServiceOpeners, 'approvals' | 'configuration' | 'jobs' | 'models'> };
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
    if (running !== undefined && isNear(running)) return refuseSecond(running, root);
  }
  const toFile = createLogFile(findLogFile(root), redact);
  const log = (words: string): void => {
    tellNotice(redact(words));
    toFile(words);
  };
  const signals = watchSignals(process, log, createProcessStreams().watched);
  const claimed = await takePlace(root, env, { replace: values.replace === true, signal: signals.signal, log });
  if (!claimed.ok) return signals.signal.aborted ? GATEWAY_EXIT.stopped : refuseSecond(claimed.holder, root);
  await using _claim = claimed.claim;
  await brakeStart(root, env, signals.signal, log);
  return signals.signal.aborted ? GATEWAY_EXIT.stopped : await serveHome(deps, signals, log, json);
}

function refuseSecond(running: ProcessIdentity, root: string): number {
  tellNotice(describeSecond(running, root));
  return 1;
}

async function serveHome(deps: RunGatewayDeps, signals: GatewaySignals, log: WriteLog, json: boolean): Promise<number> {
  await using host = await deps.openHost();
  await using _notices = forwardLines(host.notices, ({ text }) => log(text));
  const { settings, env } = { settings: host.config.settings, env: host.env };
  const hasJobs = (await host.store.jobs.list({ states: ['scheduled', 'paused'] })).length > 0;
  const hasApi = settings['gateway.api_server.enabled'];
  const alsoServed = [
    ...(hasJobs ? ['scheduled jobs are run'] : []),
    ...(hasApi ? ['the API is served'] : []),
    ...(readBootFile(host.home.root) === '' ? [] : ['BOOT.md is worked through']),
  ];
  const servesMore = alsoServed.length > 0;
  const reading = { host, processEnv: deps.env, alsoServed, log };
  let home: HomeSettings = { settings, env, accounts: await selectAccounts(settings, env, reading) };
  if (home.accounts.length === 0 && !servesMore) return GATEWAY_EXIT.configuration;
  await using opened = new AsyncDisposableStack();
  using provider = watchProvider({
    withModels: async (look) => {
      await using services = deps.openServices(host.store, () => {});
      return await look(await services.openers.models());
    },
    everyMs: settings['gateway.provider_check_minutes'] * 60_000,
    now: Date.now,
    log,
  });
  let own: HomeGateway | undefined;
  const listeners = opened.use(createHttpListeners({ ...describeListener(home.settings, home.accounts), advice: LISTEN_ADVICE, log }));
  return await serveGateway({
    root: host.home.root,
    open: async (onLinkChange) => {
      own = await openOwnGateway(deps, host, { home, log, listeners, onLinkChange, opened, signals });
      const registered = snapshotRegistries(host.registries);
      const jobs = createCronDeps({ host, root: host.home.root, settings, env, registered, log, accounts: () => home.accounts });
      const ticking = runBeside(own, startTicker({ ...jobs, kind: 'gateway' }));
      if (!hasApi) return ticking;
      const { openers } = opened.use(deps.openServices(host.store, log));
      return withApi(ticking, {
        host,
        log,
        approvals: await openers.approvals(),
        jobs: await openers.jobs(),
        isNeeded: home.accounts.length === 0,
      });
    },
    servesMore,
    store: host.store,
    listening: () => listeners.places,
    provider: () => provider.report,
    signals,
    drainMs: () => home.settings['gateway.restart_drain_timeout'] * 1_000,
    log,
    exit: (code) => process.exit(code),
    onRunning: async (gateway) => {
      const platforms = gateway.accounts.map(({ ref, state: { type } }) => ({ ...ref, state: type }));
      if (json) createProcessStreams().out(`${JSON.stringify({ pid: process.pid, platforms })}\n`);
      await tellRestarted(host.store, gateway.deliver);
    },
    reload: async () => {
      if (own !== undefined) home = await reloadGateway(home, own, reading);
    },
  });
}

interface OwnGatewayDeps extends Required<Pick<GatewayOptions, 'onLinkChange'>> {
  readonly home: HomeSettings;
  readonly log: WriteLog;
  readonly listeners: HttpListeners;
  readonly opened: AsyncDisposableStack;
  readonly signals: GatewaySignals;
}

async function openOwnGateway({ env, openServices }: RunGatewayDeps, host: AppHost & Host, deps: OwnGatewayDeps): Promise<HomeGateway> {
  const { home, log, listeners, onLinkChange, opened, signals } = deps;
  const { root } = host.home;
  const { openers } = opened.use(openServices(host.store, log));
  const listen = listenThrough(listeners);
  // The process of another container may have the same number.
  const owner = `gateway-${process.pid}-${randomHex(6)}`;
  const locks = { folder: findLockFolder(env), home: root, store: host.store.gateway, owner };
  const post = createPost({ settings: home.settings, root, env: host.env, log });
  let gateway: HomeGateway | undefined;
  const isRestarted = isDetached(env) || (env['HERMES_GATEWAY_SERVICE'] ?? '') !== '' || !createProcessStreams().watched;
  const commands = createHomeCommands({
    host,
    env: host.env,
    signals,
    gateway: () => gateway,
    configuration: openers.configuration,
    isRestarted,
  });
  const openAdapter: HomeGatewayDeps['openAdapter'] = async (account) => {
    const { platform, settings } = account;
    const offered = { listen, folder: root, records: createRecords(account, host.store.gateway), post };
    const { settings: all } = host.config;
    const plugin = await findPlatformPlugin(platform, { home: host.home, env: host.env, settings: all, store: host.store, notice: log });
    const adapter = await openPlatformAdapter({ platform, settings, log, ...offered, ...(plugin !== undefined && { plugin }) });
    return lockCredentials(adapter, account, locks);
  };
  gateway = await openHomeGateway({
    host,
    root,
    ...home,
    openAdapter,
    approvals: await openers.approvals(),
    blobs: openBlobs(join(root, 'blobs')),
    owner,
    log,
    overrides: { onLinkChange, commands, hasMenus: true },
  });
  opened.use(await openOperation({ host, gateway: () => gateway, listeners, log }));
  return gateway;
}

const LISTEN_ADVICE = 'Set gateway.listen_port to a free port.';
