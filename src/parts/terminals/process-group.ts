import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a group may take to end by itself; an interrupt must be through within 250 ms. */
const TERM_GRACE_MS = 80;

/** Ends a whole process group: politely first, then for good. Resolves when nobody is left, or the last word is spoken. */
export async function endGroup(pid: number | undefined): Promise<void> {
  if (pid !== undefined) await endAll((signal) => send(-pid, signal));
}

/**
 * The same, but its leader is left to end by itself when nobody of the group is left. It stands outside of the pid
 * namespace of the others and waits for them: were it gone first, nobody would bury them.
 */
export async function endFollowers(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  await endAll((signal) => {
    const followers = groupOf(pid).filter((each) => each !== pid);
    // Nobody has followed yet: then the leader is all there is.
    if (followers.length === 0) return signal === 'SIGTERM' ? send(-pid, signal) : signal === 'SIGKILL' && send(-pid, signal);
    return followers.map((each) => send(each, signal)).includes(true);
  });
}

async function endAll(tell: (signal: NodeJS.Signals | 0) => boolean): Promise<void> {
  if (!tell('SIGTERM')) return;
  for (let waited = 0; waited < TERM_GRACE_MS; waited += 10) {
    await sleep(10);
    if (!tell(0)) return;
  }
  tell('SIGKILL');
}

/** Pids of a group, as Linux lists them. */
function groupOf(leader: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(group) === leader && state !== 'Z' ? [Number(name)] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** False when it is gone. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
