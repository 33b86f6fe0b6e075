import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../../base/errors.ts';
import { findGateway, type RunningGateway } from './claims.ts';
import { signalProcess } from './end-process.ts';
import { waitUntilRunning } from './launch.ts';

const LOOK_MS = 100;
/** A platform that does not answer is tried for 30 s before the gateway says that it runs. */
export const START_MS = 45_000;

/** Whether it is started again when it asks for that, by its service manager or by itself. */
export const isStartedAgain = ({ service, isDetached }: RunningGateway): boolean => service !== undefined || isDetached === true;

/**
 * Tells a gateway to end when its turns have and to be started again, and waits for the next one. Once it is told, it needs nothing
 * of this process. Gives the new pid, and whether it still starts.
 */
export async function restartGateway(
  running: RunningGateway,
  maxMs: number,
): Promise<{ readonly pid: number; readonly isStarting: boolean }> {
  signalProcess(running, 'SIGUSR1');
  return waitForGateway(running.home, maxMs + START_MS, running.pid);
}

/** Waits for the gateway of a home that somebody else starts. `before` is the pid of the one that it replaces. */
export async function waitForGateway(
  home: string,
  maxMs: number,
  before?: number,
): Promise<{ readonly pid: number; readonly isStarting: boolean }> {
  for (let waited = 0; waited < maxMs; waited += LOOK_MS) {
    const next = findGateway(home);
    if (next !== undefined && next.pid !== before)
      return { pid: next.pid, isStarting: !(await waitUntilRunning(home, next.pid, START_MS)) };
    await sleep(LOOK_MS);
  }
  throw new UsageError(`the gateway was told to start, but no new process came. Look at: hermes gateway status`);
}
