import { setTimeout as sleep } from 'node:timers/promises';

/** How long a group may take to end by itself; an interrupt must be through within 250 ms. */
const TERM_GRACE_MS = 80;

/** Ends a whole process group: politely first, then for good. Resolves when nobody is left, or the last word is spoken. */
export async function endGroup(pid: number | undefined): Promise<void> {
  if (pid === undefined || !send(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < TERM_GRACE_MS; waited += 10) {
    await sleep(10);
    if (!send(pid, 0)) return;
  }
  send(pid, 'SIGKILL');
}

/** False when the group is gone. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
