import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../base/process-identity.ts';
import { waitForAll } from '../../base/waits.ts';
import type { GatewayService } from '../../contracts/services/gateway.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { UpdateResult, UpdateService } from '../../contracts/services/updates.ts';
import { findAllGateways, findLockFolder, type RunningGateway } from '../../faces/gateway/process/claims.ts';
import { endProcess } from '../../faces/gateway/process/end-process.ts';
import { launchGateway, waitUntilRunning } from '../../faces/gateway/process/launch.ts';
import { isStartedAgain, restartGateway, START_MS } from '../../faces/gateway/process/restart.ts';
import { startService } from '../../faces/gateway/process/service-manager.ts';
import { findListedServers, type RunningApiServer } from '../../faces/serve/api/state-file.ts';
import type { Installation } from '../../parts/update/contract.ts';
import { findInstallation } from '../../parts/update/installation.ts';

/** An API server gives its turns as long as its settings say; one that takes longer is not waited for. */
const STOP_MS = 600_000;

export function createUpdateService(
  { processEnv }: Pick<ServiceOptions, 'processEnv'>,
  gateway: Pick<GatewayService, 'stop'>,
): UpdateService {
  const found = (): Installation => findInstallation(processEnv);
  const look: UpdateService['look'] = async () => {
    const { installation, root, look: lookThere } = found();
    return { installation, root, ...(await lookThere()) };
  };
  return {
    look,
    update: async (report) => {
      const news = await look();
      if (news.to === undefined) return { ...news, updated: false, restarted: [], left: [], stopped: [] };
      const [running, servers] = [findAllGateways(processEnv), findListedServers(findLockFolder(processEnv))];
      const tellDraining = (): void => {
        if (running.length + servers.length > 0) report({ type: 'draining', gateways: running.length, servers: servers.length });
      };
      if (found().keepsRunning) {
        report({ type: 'installing', to: news.to });
        await installOrPutBack(found(), news.from, news.to);
        tellDraining();
        return { ...news, updated: true, ...(await replaceAll(running, servers)) };
      }
      tellDraining();
      try {
        await stopAll(gateway, servers);
        report({ type: 'installing', to: news.to });
        await installOrPutBack(found(), news.from, news.to);
      } catch (error) {
        const { left } = await startAll(running.filter(hasEnded), processEnv);
        throw tellStopped(error, left, servers.filter(hasEnded));
      }
      if (running.length > 0) report({ type: 'starting', gateways: running.length });
      return { ...news, updated: true, ...(await startAll(running, processEnv)), stopped: servers.map(({ home }) => home) };
    },
  };
}

/** Each gateway is told to start again: from then on it does so by itself, also when this process is killed. */
async function replaceAll(
  gateways: readonly RunningGateway[],
  servers: readonly RunningApiServer[],
): Promise<Restarted & Pick<UpdateResult, 'stopped'>> {
  const near = servers.filter(isNear);
  const ends = waitForAll(near.map((server) => endProcess(server, STOP_MS)));
  const outcomes = await waitForAll(gateways.map(async (gateway) => ({ home: gateway.home, why: await replaceOne(gateway) })));
  await ends;
  return {
    restarted: outcomes.flatMap(({ home, why }) => (why === undefined ? [home] : [])),
    left: outcomes.flatMap(({ home, why }) => (why === undefined ? [] : [{ home, why }])),
    stopped: near.map(({ home }) => home),
  };
}

/** Why it does not run again; nothing when it does. */
async function replaceOne(gateway: RunningGateway): Promise<string | undefined> {
  try {
    if (isStartedAgain(gateway)) return void (await restartGateway(gateway, STOP_MS));
    await endProcess(gateway, STOP_MS);
    return 'it ran in a terminal';
  } catch (error) {
    return toErrorMessage(error);
  }
}

/** A new program under one that runs would take away what that one has not loaded yet. */
async function stopAll(gateway: Pick<GatewayService, 'stop'>, servers: readonly RunningApiServer[]): Promise<void> {
  const ends = servers.map(async (server) => ({ pid: server.pid, ended: await endProcess(server, STOP_MS) }));
  const late = (await waitForAll([gateway.stop('all'), waitForAll(ends)])).flat().filter(({ ended }) => !ended);
  if (late.length > 0)
    throw new UsageError(
      `process ${late.map(({ pid }) => pid).join(', ')} did not stop in time, so nothing was updated. It was asked to stop and may do so later. See hermes gateway status.`,
    );
}

/** Another machine's processes cannot be asked, and were not stopped. */
const hasEnded = (process: ProcessIdentity): boolean => isNear(process) && !isAlive(process);

/** The failure, and what was stopped before it and does not run again. */
function tellStopped(error: unknown, gateways: Restarted['left'], servers: readonly RunningApiServer[]): unknown {
  const lines = [
    ...gateways.map(({ home, why }) => `The gateway of ${home} was stopped and not started again: ${why}. Start it: hermes gateway start`),
    ...servers.map(({ home }) => `The API server of ${home} was stopped. Start it again: hermes serve`),
  ];
  return lines.length === 0 ? error : new UsageError([toErrorMessage(error), ...lines].join('\n'), { cause: error });
}

async function installOrPutBack(installation: Installation, from: string, to: string): Promise<void> {
  try {
    await installation.install(to);
  } catch (error) {
    const undone = await installation.putBack(from).then(
      () => `Version ${from} is in place again.`,
      (trouble: unknown) => `Version ${from} could not be put back: ${toErrorMessage(trouble)}`,
    );
    throw new UsageError(`${toErrorMessage(error)}\n${undone}`, { cause: error });
  }
}

type Restarted = Pick<UpdateResult, 'restarted' | 'left'>;

async function startAll(gateways: readonly RunningGateway[], env: NodeJS.ProcessEnv): Promise<Restarted> {
  const [restarted, left]: [string[], Restarted['left'][number][]] = [[], []];
  for (const gateway of gateways) {
    const { home } = gateway;
    try {
      if (await startOne(gateway, env)) restarted.push(home);
      else left.push({ home, why: 'it ran in a terminal' });
    } catch (error) {
      left.push({ home, why: toErrorMessage(error) });
    }
  }
  return { restarted, left };
}

async function startOne(gateway: RunningGateway, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (await startService(gateway)) return true;
  if (gateway.isDetached !== true) return false;
  await waitUntilRunning(gateway.home, launchGateway(gateway.home, env), START_MS);
  return true;
}
