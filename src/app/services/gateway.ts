import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isMissing, toErrorMessage, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { resolveHome } from '../../base/home.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import type { GatewayService, InstalledGateway, PlatformNeeds, StartedGateway, StoppedGateway } from '../../contracts/services/gateway.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { findAllGateways, findGateway, type RunningGateway } from '../../faces/gateway/process/claims.ts';
import { endProcess, signalProcess } from '../../faces/gateway/process/end-process.ts';
import { launchGateway, ownCommand, waitUntilRunning } from '../../faces/gateway/process/launch.ts';
import { findLogFile } from '../../faces/gateway/process/log-file.ts';
import { readStatus } from '../../faces/gateway/process/status.ts';
import { renderLaunchdPlist, renderSystemdUnit, type UnitOptions } from '../../faces/gateway/process/units.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { loadConfig } from '../config/config.ts';
import { PLATFORMS } from '../gateway/platforms.ts';

/** How long a start is watched. A platform that does not answer is tried for 30 s before the gateway says that it runs. */
const START_MS = 45_000;
/** Beyond the drain: the watchdog of the gateway, and a little more. */
const STOP_MARGIN_MS = 75_000;

export function createGatewayService(options: ServiceOptions, store: () => Promise<SessionStore>): GatewayService {
  const { processEnv, notice, registered } = options;
  const home = resolveHome(processEnv);
  const { root } = home;
  const readDrain = async (): Promise<number> => {
    const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
    return settings['gateway.restart_drain_timeout'];
  };
  const stopOne = async (running: RunningGateway): Promise<StoppedGateway> => {
    const maxMs = (await readDrain()) * 1_000 + STOP_MARGIN_MS;
    await stopService(running);
    return { pid: running.pid, home: running.home, ended: await endProcess(running, maxMs) };
  };
  const start = async (): Promise<StartedGateway> => {
    const running = findGateway(root);
    if (running !== undefined) throw new UsageError(`the gateway is running already, as process ${running.pid}.`);
    makeFolder(root);
    const pid = launchGateway(root, processEnv);
    return { pid, log: findLogFile(root), isStarting: !(await waitUntilRunning(root, pid, START_MS)) };
  };
  return {
    status: async () => readStatus(root, existsSync(home.store) ? (await store()).gateway : undefined, Date.now()),
    start,
    stop: async (which) => {
      const running = which === 'all' ? findAllGateways(processEnv) : [findGateway(root)].flatMap((one) => one ?? []);
      return Promise.all(running.map(stopOne));
    },
    restart: async () => {
      const running = findGateway(root);
      if (running?.service !== undefined) return restartService(running, root, (await readDrain()) * 1_000 + STOP_MARGIN_MS);
      if (running !== undefined && !(await stopOne(running)).ended)
        throw new UsageError(`process ${running.pid} did not end in time. See hermes gateway logs.`);
      return { ...(await start()), ...(running !== undefined && { replaced: running.pid }) };
    },
    logs: (lines) => ({ path: findLogFile(root), lines: readTail(findLogFile(root), lines) }),
    install: async (scope) => installUnit(root, scope, await readDrain()),
    platforms: () => listNeeds(mergeEnvironment(home.env, processEnv)),
  };
}

const run = promisify(execFile);

/** Whoever starts it again is told first: a service of systemd that is only ended comes back. */
async function stopService({ service }: RunningGateway): Promise<void> {
  const [manager, scope, name] = service?.split(':') ?? [];
  if (manager !== 'systemd' || name === undefined) return;
  const args = [...(scope === 'user' ? ['--user'] : []), 'stop', name];
  try {
    await run('systemctl', args);
  } catch (error) {
    const line = `${scope === 'system' ? 'sudo ' : ''}systemctl ${args.join(' ')}`;
    throw new UsageError(`the gateway is a service, and systemctl could not stop it: ${toErrorMessage(error)}. Try: ${line}`);
  }
}

const LOOK_MS = 100;

/** It ends when its turns have; its service manager starts it again. */
async function restartService(running: RunningGateway, root: string, maxMs: number): Promise<StartedGateway> {
  signalProcess(running, 'SIGUSR1');
  for (let waited = 0; waited < maxMs + START_MS; waited += LOOK_MS) {
    const next = findGateway(root);
    if (next !== undefined && next.pid !== running.pid)
      return {
        pid: next.pid,
        log: findLogFile(root),
        isStarting: !(await waitUntilRunning(root, next.pid, START_MS)),
        replaced: running.pid,
      };
    await sleep(LOOK_MS);
  }
  throw new UsageError(`the service was told to restart, but no new process came. Look at: hermes gateway status`);
}

function readTail(path: string, lines: number): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function installUnit(root: string, scope: 'user' | 'system', drainSeconds: number): InstalledGateway {
  const isOwnHome = root === join(homedir(), '.hermes');
  const suffix = isOwnHome ? '' : `-${sha256(root).slice(0, 8)}`;
  const shared = { command: ownCommand(), home: root, path: process.env['PATH'] ?? '', drainSeconds, log: findLogFile(root) };
  return process.platform === 'darwin'
    ? installLaunchd({ ...shared, name: `ai.hermes.gateway${suffix}` })
    : installSystemd({ ...shared, name: `hermes-gateway${suffix}`, ...(scope === 'system' && { user: userInfo().username }) });
}

function installLaunchd(unit: UnitOptions): InstalledGateway {
  const path = join(homedir(), 'Library', 'LaunchAgents', `${unit.name}.plist`);
  writeUnit(path, renderLaunchdPlist(unit));
  return { path, next: [`launchctl bootstrap gui/$(id -u) ${path}`] };
}

function installSystemd(unit: UnitOptions): InstalledGateway {
  const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const folder = unit.user === undefined ? join(config, 'systemd', 'user') : '/etc/systemd/system';
  const path = join(folder, `${unit.name}.service`);
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

/** Every platform lives by one or two tokens; other secrets of it are for special ways. */
async function listNeeds(env: Readonly<Record<string, string | undefined>>): Promise<readonly PlatformNeeds[]> {
  const kinds = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
  return kinds.map(({ id, label, variables }) => ({
    id,
    label,
    secrets: Object.entries(variables)
      .filter(([name, { secret }]) => secret === true && name.endsWith('_TOKEN'))
      .map(([name, { describe }]) => ({ name, describe, isSet: (env[name] ?? '') !== '' })),
  }));
}
