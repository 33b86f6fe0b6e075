import type { Clock } from '../../base/clock.ts';
import { killGroup } from '../../base/process-group.ts';
import { isAlive, isNear, type ProcessIdentity } from '../../base/process-identity.ts';

const LOOK_MS = 50;

/**
 * Ends a script whose runner died, with all it started, and waits until it is gone. `false` when the program stops before that.
 * A script on another machine, or one that cannot be told from a later process of its number, is left alone.
 */
export async function endLeftScript(script: ProcessIdentity, clock: Clock, signal: AbortSignal): Promise<boolean> {
  while (isNear(script) && script.started !== '' && isAlive(script)) {
    if (signal.aborted) return false;
    killGroup(script.pid);
    await clock.sleep(LOOK_MS, signal);
  }
  return true;
}
