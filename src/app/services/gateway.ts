import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { resolveHome } from '../../base/home.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { followFile, readTail } from '../../base/tail-file.ts';
import { waitForAll } from '../../base/waits.ts';
import type {
  GatewayCron,
  GatewayService,
  GatewayStatus,
  InstalledGateway,
  StartedGateway,
  StoppedGateway,
} from '../../contracts/services/gateway.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { identifyAccount, listNeeds } from '../../faces/gateway/accounts/set-up.ts';
import { findAllGateways, findGateway, type RunningGateway } from '../../faces/gateway/process/claims.ts';
import { endProcess, waitForEnd } from '../../faces/gateway/process/end-process.ts';
import { readReport } from '../../faces/gateway/process/state-file.ts';
import { launchGateway, ownCommand, waitUntilRunning } from '../../faces/gateway/process/launch.ts';
import { findLogFile } from '../../faces/gateway/process/log-file.ts';
import { restartGateway, START_MS, waitForGateway } from '../../faces/gateway/process/restart.ts';
import { findLaunchAgent, startService, stopService } from '../../faces/gateway/process/service-manager.ts';
import { readStatus } from '../../faces/gateway/process/status.ts';
import { renderLaunchdPlist, renderSystemdUnit, type UnitOptions } from '../../faces/gateway/process/units.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readCronStatus } from '../../faces/cron/run-service.ts';
import { readApiState } from '../../faces/serve/api/state-file.ts';
import { loadConfig, type Settings } from '../config/config.ts';
import { findZone } from '../cron/open.ts';
import { listPlatformKinds } from '../gateway/platforms.ts';

/** Beyond the drain: the watchdog of the gateway, and a little more. */
const STOP_MARGIN_MS = 75_000;

export function createGatewayService(options: ServiceOptions, store: () => Promise<SessionStore>): GatewayService {
  const { processEnv, notice, registered } = options;
  const home = resolveHome(processEnv);
  const { root } = home;
  const readSettings = async () => (await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered)).settings;
  const readDrain = async (): Promise<number> => (await readSettings())['gateway.restart_drain_timeout'];
  const stopOne = async (running: RunningGateway): Promise<StoppedGateway> => {
    const drainSeconds = await readDrain();
    const tellWait = (): void => describeWait(running, drainSeconds).forEach(notice);
    // It comes back when the service has stopped.
    if (running.service !== undefined) tellWait();
    // One that its manager is ending already would take a second signal for an order to end at once.
    const isEnding = await stopService(running);
    const most = drainSeconds * 1_000 + STOP_MARGIN_MS;
    const ended = isEnding ? await waitForEnd(running, most) : await endProcess(running, most, tellWait);
    return { pid: running.pid, home: running.home, ended };
  };
  const start = async (): Promise<StartedGateway> => {
    const running = findGateway(root);
    if (running !== undefined)
      throw new UsageError(`the gateway is running already, as process ${running.pid}. To start it again: hermes gateway restart`);
    makeFolder(root);
    if (await startUnit(root, notice)) return describeStart(root, await waitForGateway(root, START_MS));
    const pid = launchGateway(root, processEnv);
    return describeStart(root, { pid, isStarting: !(await waitUntilRunning(root, pid, START_MS)) });
  };
  const readPlatforms = async () => {
    const [settings, env] = [await readSettings(), mergeEnvironment(home.env, processEnv)];
    // Without a store nobody has enabled a plugin.
    const plugins = existsSync(home.store) ? { home, env, settings, store: await store(), notice } : undefined;
    return { settings, env, kinds: await listPlatformKinds(plugins) };
  };
  return {
    status: async () => readWholeStatus(root, existsSync(home.store) ? await store() : undefined, await readSettings()),
    start,
    stop: async (which) => {
      const running = which === 'all' ? findAllGateways(processEnv) : [findGateway(root)].flatMap((one) => one ?? []);
      return waitForAll(running.map(stopOne));
    },
    restart: async () => {
      const running = findGateway(root);
      if (running?.service !== undefined) {
        const next = await restartGateway(running, (await readDrain()) * 1_000 + STOP_MARGIN_MS);
        return { ...describeStart(root, next), replaced: running.pid };
      }
      if (running !== undefined && !(await stopOne(running)).ended)
        throw new UsageError(`process ${running.pid} did not end in time. See hermes gateway logs.`);
      return { ...(await start()), ...(running !== undefined && { replaced: running.pid }) };
    },
    logs: (lines) => ({ path: findLogFile(root), lines: readTail(findLogFile(root), lines) }),
    follow: (signal) => followFile(findLogFile(root), signal),
    install: async (scope) => installUnit(root, scope, await readDrain()),
    platforms: async () => {
      const asked = await readPlatforms();
      return listNeeds(asked.kinds, asked.env, asked.settings.platforms);
    },
    identify: async (platform, given, signal) => identifyAccount(platform, given, { ...(await readPlatforms()), signal }),
  };
}

/** Starts the service that was installed for this home. `false` where there is none, or where its manager does not run here. */
async function startUnit(root: string, notice: (words: string) => void): Promise<boolean> {
  const unit = listUnits(root).find(({ path }) => existsSync(path));
  if (unit === undefined) return false;
  try {
    return await startService(unit);
  } catch (error) {
    notice(`${toErrorMessage(error)} It is started without its service now.`);
    return false;
  }
}

/** Where units of a home are, and how its service is called. */
function listUnits(root: string): readonly { readonly path: string; readonly name: string; readonly service: string }[] {
  const suffix = root === join(homedir(), '.hermes') ? '' : `-${sha256(root).slice(0, 8)}`;
  if (process.platform === 'darwin') {
    const name = `ai.hermes.gateway${suffix}`;
    return [{ path: findLaunchAgent(name), name, service: `launchd:user:${name}` }];
  }
  const name = `hermes-gateway${suffix}`;
  const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  return [
    { path: join(config, 'systemd', 'user', `${name}.service`), name, service: `systemd:user:${name}` },
    { path: join('/etc/systemd/system', `${name}.service`), name, service: `systemd:system:${name}` },
  ];
}

/** Why a stop takes a while, and how to stop at once; nothing where no turn runs. */
function describeWait({ home, pid }: RunningGateway, drainSeconds: number): readonly string[] {
  const turns = readReport(home, pid)?.turns ?? 0;
  if (turns === 0) return [];
  const who = turns === 1 ? '1 running turn has' : `${turns} running turns have`;
  return [
    `${who} up to ${drainSeconds} s to finish. To stop at once, press Ctrl-C and run hermes gateway stop again; what is left goes on after the next start.`,
  ];
}

/** The gateway, and what else is served for its home, whichever process does. */
async function readWholeStatus(root: string, store: SessionStore | undefined, settings: Settings): Promise<GatewayStatus> {
  const status = await readStatus(root, store?.gateway, Date.now());
  const api = await readApiState(root);
  const isAway = settings['gateway.api_server.enabled'] && status.phase === 'running' && api.pid === undefined;
  return {
    ...status,
    api: isAway ? { ...api, why: 'It is turned on, but the gateway could not start it. See hermes gateway logs.' } : api,
    cron: await readCron(store, findZone(settings)),
  };
}

async function readCron(store: SessionStore | undefined, zone: string): Promise<GatewayCron> {
  if (store === undefined) return { ok: true, tickers: [], scheduled: 0, paused: 0, running: [], failing: [] };
  const { ok, tickers, jobs, next, running, failing } = await readCronStatus(store.jobs, zone);
  return {
    ok,
    tickers,
    ...jobs,
    ...(next?.nextAt !== undefined && {
      next: { job: next.id, name: next.name, at: next.nextAt, ...(next.nextWords !== undefined && { atWords: next.nextWords }) },
    }),
    running: running.map(({ jobId, jobName, dueAt }) => ({ job: jobId, name: jobName, dueAt })),
    failing: failing.map(({ id, name, failures, lastRun }) => ({
      job: id,
      name,
      failures,
      ...(lastRun?.why !== undefined && { why: lastRun.why }),
    })),
  };
}

const describeStart = (root: string, { pid, isStarting }: Pick<StartedGateway, 'pid' | 'isStarting'>): StartedGateway => ({
  pid,
  log: findLogFile(root),
  isStarting,
  accounts: readReport(root, pid)?.accounts ?? [],
});

function installUnit(root: string, scope: 'user' | 'system', drainSeconds: number): InstalledGateway {
  const units = listUnits(root);
  const unit = units.find(({ service }) => service.split(':')[1] === scope) ?? units[0];
  if (unit === undefined) throw new UsageError('there is no service manager for this system.');
  const shared = { command: ownCommand(), home: root, path: process.env['PATH'] ?? '', drainSeconds, log: findLogFile(root) };
  return process.platform === 'darwin'
    ? installLaunchd({ ...shared, name: unit.name }, unit.path)
    : installSystemd({ ...shared, name: unit.name, ...(scope === 'system' && { user: userInfo().username }) }, unit.path);
}

function installLaunchd(unit: UnitOptions, path: string): InstalledGateway {
  writeUnit(path, renderLaunchdPlist(unit));
  return { path, next: [`launchctl bootstrap gui/$(id -u) ${path}`] };
}

function installSystemd(unit: UnitOptions, path: string): InstalledGateway {
  writeUnit(path, renderSystemdUnit(unit));
  return unit.user === undefined
    ? {
        path,
        next: [
          'systemctl --user daemon-reload',
          `systemctl --user enable --now ${unit.name}`,
          `loginctl enable-linger ${userInfo().username}`,
        ],
      }
    : { path, next: ['sudo systemctl daemon-reload', `sudo systemctl enable --now ${unit.name}`] };
}

function writeUnit(path: string, text: string): void {
  try {
    makeFolder(dirname(path), 0o755);
    replaceFile(path, text, 0o644);
  } catch (error) {
    throw new UsageError(`${path} could not be written: ${toErrorMessage(error)}. A unit of the whole system needs root: use sudo.`);
  }
}
