import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../../base/errors.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../../base/process-identity.ts';

const LOOK_MS = 50;
/** Most processes end sooner than that. */
const SLOW_MS = 1_000;

/** Sends a signal to exactly this process. `false` when it is gone; another that got its pid is left alone. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isNear(target)) throw new UsageError(`the gateway runs on ${target.host}, as process ${target.pid}. Stop it there.`);
  if (!isAlive(target)) return false;
  try {
    process.kill(target.pid, signal);
    return true;
  } catch (error) {
    if (isAlive(target)) throw new UsageError(`process ${target.pid} could not be signaled: it belongs to another user.`, { cause: error });
    return false;
  }
}

/** Asks a process to end and waits until it has. `false` when it has not within this time; `onSlow` is told when it takes a while. */
export async function endProcess(target: ProcessIdentity, maxMs = Infinity, onSlow = (): void => {}): Promise<boolean> {
  signalProcess(target, 'SIGTERM');
  return waitForEnd(target, maxMs, onSlow);
}

/** Waits until a process has ended that was told to already. */
export async function waitForEnd(target: ProcessIdentity, maxMs: number, onSlow = (): void => {}): Promise<boolean> {
  for (let waited = 0; isAlive(target); waited += LOOK_MS) {
    if (waited >= maxMs) return false;
    if (waited === SLOW_MS) onSlow();
    await sleep(LOOK_MS);
  }
  return true;
}
