import { setTimeout as sleep } from 'node:timers/promises';
import { trackCommandProcesses, type LiveProcess } from './lineage.ts';

/** How long a command may take to end by itself; an interrupt must be through within 250 ms. */
const TERM_GRACE_MS = 80;
/** The last word is said so often: somebody may have been born while it was said. */
const ROUNDS = 5;
const LOOK_MS = 10;

/** A command that is to end: its group, and whoever left that. */
export interface ProcessTarget {
  readonly leader: number;
  /** What its processes carry in their environment; see `lineage.ts`. */
  readonly mark: string;
  /**
   * The leader is left to end by itself when nobody else is left. It stands outside of the pid namespace of the others and
   * waits for them: were it gone first, nobody would bury them.
   */
  readonly spareLeader?: true;
}

/**
 * Ends all of a command: politely first, then for good. Gives whether all of it is known to be gone; where the system does
 * not list its processes only the group is ended, and nothing is known of who left it.
 */
export async function endAll(doomed: ProcessTarget): Promise<boolean> {
  const kin = trackCommandProcesses(doomed.leader, doomed.mark);
  const tell = signalEach(doomed);
  const found = kin();
  if (found === undefined) return endGroup(doomed.leader);
  const told = tell(found, 'SIGTERM');
  for (let waited = 0; waited < TERM_GRACE_MS && told.some(({ pid }) => send(pid, 0)); waited += LOOK_MS) await sleep(LOOK_MS);
  for (let round = 0; round < ROUNDS; round++) {
    if (tell(kin() ?? [], 'SIGKILL').length === 0) return true;
    await sleep(LOOK_MS);
  }
  return tell(kin() ?? [], 0).length === 0;
}

/** Signals everybody; the group at once, so that nobody of it is born meanwhile. Gives whom it was meant for. */
function signalEach({
  leader,
  spareLeader,
}: ProcessTarget): (kin: readonly LiveProcess[], signal: NodeJS.Signals | 0) => readonly LiveProcess[] {
  let followed = false;
  return (kin, signal) => {
    const others = kin.filter(({ pid }) => pid !== leader);
    followed ||= others.length > 0;
    // Nobody has followed yet: then the leader is all there is.
    const spared = spareLeader === true && followed;
    if (!spared && kin.some(({ group }) => group === leader)) send(-leader, signal);
    for (const { pid, group } of others) if (spared || group !== leader) send(pid, signal);
    return spared ? others : kin;
  };
}

/** Ends a process group and nobody else. Of who left it nothing is known. */
export async function endGroup(leader: number): Promise<boolean> {
  if (!send(-leader, 'SIGTERM')) return false;
  for (let waited = 0; waited < TERM_GRACE_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    if (!send(-leader, 0)) return false;
  }
  send(-leader, 'SIGKILL');
  return false;
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
