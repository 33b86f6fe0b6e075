import { systemClock } from '../../../base/clock.ts';
import type { Env } from '../../../base/env.ts';
import { UsageError } from '../../../base/errors.ts';
import type { WriteLog } from '../contract.ts';
import { claimGateway, findGateway, type GatewayClaim } from './claims.ts';
import { endProcess } from './end-process.ts';
import { noteStart } from './start-brake.ts';

/** The place of the gateway of a home for this process: free, or with `replace` taken from the one that has it. */
export async function takePlace(root: string, env: Env, { replace, log }: { replace: boolean; log: WriteLog }): Promise<GatewayClaim> {
  if (replace) await replaceRunning(root, env, log);
  return claimGateway(root, env);
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
export const describeSecond = (pid: number, root: string): string =>
  `the gateway of ${root} is running already, as process ${pid}. See hermes gateway status; hermes gateway run --replace takes its place.`;

/** Waits where there were too many starts in a short time. */
export async function brakeStart(root: string, env: Env, signal: AbortSignal, log: WriteLog): Promise<void> {
  const waitMs = noteStart(root, env, Date.now());
  if (waitMs === 0) return;
  log(`Too many restarts in a short time: waiting ${waitMs / 1_000} s. See above or in the log what stopped it.`);
  await systemClock.sleep(waitMs, signal);
}
