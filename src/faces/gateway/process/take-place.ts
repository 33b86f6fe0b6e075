import { waitForFarHolder } from '../../../base/claim-file.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Env } from '../../../base/env.ts';
import { UsageError } from '../../../base/errors.ts';
import type { WriteLog } from '../contract.ts';
import { isNear, type ProcessIdentity } from '../../../base/process-identity.ts';
import { claimGateway, findGateway, pidFile, type GatewayClaim } from './claims.ts';
import { endProcess } from './end-process.ts';
import { noteStart } from './start-brake.ts';

export interface TakePlaceOptions {
  readonly replace: boolean;
  readonly signal: AbortSignal;
  readonly log: WriteLog;
}

/** The place of the gateway of a home for this process: free, or with `replace` taken from the one that has it. */
export async function takePlace(root: string, env: Env, { replace, signal, log }: TakePlaceOptions): Promise<GatewayClaim> {
  await waitForFarGateway(root, signal, log);
  if (replace) await replaceRunning(root, env, log);
  return claimGateway(root, env);
}

/** A container that was killed leaves its claim in the volume, and the next container cannot ask whether its process lives. */
async function waitForFarGateway(root: string, signal: AbortSignal, log: WriteLog): Promise<void> {
  const running = findGateway(root);
  if (running === undefined || isNear(running)) return;
  log(
    `${root} was last used by the gateway in another container or on another machine (${running.host}). Waiting up to 90 s to see whether that one still runs.`,
  );
  await waitForFarHolder(pidFile(root), signal);
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

/** What somebody is told who starts a second one. */
export const describeSecond = (running: ProcessIdentity, root: string): string =>
  isNear(running)
    ? `the gateway of ${root} is running already, as process ${running.pid}. See hermes gateway status; hermes gateway run --replace takes its place.`
    : `the gateway of ${root} is running already, in another container or on another machine (${running.host}). Stop it there.`;

/** Waits where there were too many starts in a short time. */
export async function brakeStart(root: string, env: Env, signal: AbortSignal, log: WriteLog): Promise<void> {
  const waitMs = noteStart(root, env, Date.now());
  if (waitMs === 0) return;
  log(`Too many restarts in a short time: waiting ${waitMs / 1_000} s. See above or in the log what stopped it.`);
  await systemClock.sleep(waitMs, signal);
}
