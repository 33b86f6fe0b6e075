import { readdirSync } from 'node:fs';
import { findWalledPrograms } from '../../../base/process-sizes.ts';
import { startHolder, type SandboxHolder } from './holder.ts';
import { createSandboxArguments, type SandboxPlan } from './mounts.ts';
import { createPreparation } from './preparation.ts';
import { createEntry, type SandboxEntry } from './entry.ts';
import type { BubblewrapTools } from './tools.ts';

export interface SandboxKeeperOptions {
  readonly tools: BubblewrapTools;
  /** A folder of this session that commands do not see. */
  readonly folder: string;
  /** Looks at the machine. */
  survey(): SandboxPlan;
  /** Tells cheaply whether a survey could find something else by now. */
  stamp(plan: SandboxPlan): string;
  /** A new holder is there, before anything enters it. */
  attach(pid: number): Promise<void>;
  /** Sends away what is inside without being a command. */
  makeRoom(): Promise<void>;
  /** No holder could be started. */
  onBroken(): void;
  /** There is something new in the home, and it cannot be shown because something still runs inside. Told once for each. */
  onStale(): void;
}

/** Keeps a sandbox, and what it shows in step with the machine. */
export interface SandboxKeeper {
  readonly plan: SandboxPlan;
  /** What starts the next command in it. A sandbox that a command ended, or that shows too much or too little, is replaced: all files stay. */
  enter(): Promise<SandboxEntry>;
  /** Commands see less or more than they should until what runs inside has ended. */
  isStale(): boolean;
  /** The next command needs another plan. */
  spoil(): void;
  /** Whether something runs inside. */
  isBusy(): Promise<boolean>;
  /** Whether the next command can have another plan. */
  canChange(): Promise<boolean>;
  /** What counts for the session beside its own folders: programs inside, as folders in `/proc`, and file systems in memory. */
  inside(): { readonly programs: readonly string[]; readonly memory: readonly string[] };
  /** Ends all that runs inside. */
  endInside(): Promise<void>;
  close(): Promise<void>;
}

/** Sockets come and go all over a machine: what somebody would miss is the entries of their home. */
const toHomeListing = ({ listed }: SandboxPlan): string => JSON.stringify(listed);

export function openKeeper({ tools, folder, survey, stamp, attach, makeRoom, onStale, onBroken }: SandboxKeeperOptions): SandboxKeeper {
  let plan = survey();
  let seen = stamp(plan);
  let looked = seen;
  /** The home as it would be shown if nothing ran inside any more. */
  let waiting = '';
  let holder: Promise<SandboxHolder> | undefined;
  let pid: number | undefined;
  const start = async (): Promise<SandboxHolder> => {
    const started = await startHolder({
      tools,
      args: createSandboxArguments(plan),
      ...(tools.unshare !== undefined && { preparation: createPreparation(plan) }),
    }).catch((error: unknown) => {
      onBroken();
      throw error;
    });
    ({ pid } = started);
    try {
      await attach(started.pid);
    } catch (error) {
      await started.end();
      throw error;
    }
    return started;
  };
  /** A plan that came out the same costs nobody their holder. */
  const refresh = async (alive: SandboxHolder | undefined): Promise<boolean> => {
    const now = stamp(plan);
    if (now === seen) {
      waiting = '';
      return false;
    }
    await makeRoom();
    if (alive !== undefined && isBusy(alive.pid)) {
      if (looked !== now) {
        const next = toHomeListing(survey());
        const [isOld, isTold] = [next === toHomeListing(plan), next === waiting];
        waiting = isOld ? '' : next;
        if (!isOld && !isTold) onStale();
      }
      looked = now;
      return false;
    }
    waiting = '';
    const next = survey();
    const isSame = JSON.stringify(next) === JSON.stringify(plan);
    seen = isSame ? now : stamp(next);
    if (isSame) return false;
    plan = next;
    return true;
  };
  const isBusyNow = async (): Promise<boolean> => {
    const found = await holder?.catch(() => undefined);
    if (found?.alive() !== true) return false;
    await makeRoom();
    return isBusy(found.pid);
  };
  const end = async (): Promise<void> => (await holder?.catch(() => undefined))?.end();
  const get = async (): Promise<SandboxHolder> => {
    const asked = holder;
    const found = await asked?.catch(() => undefined);
    const alive = found?.alive() === true ? found : undefined;
    // Of several that find it gone, one makes the new one.
    if (holder !== asked && holder !== undefined) return holder;
    const stale = await refresh(alive);
    if (alive !== undefined && !stale) return alive;
    holder = (async () => {
      await alive?.end();
      return start();
    })();
    return holder;
  };
  return {
    get plan() {
      return plan;
    },
    enter: async () => createEntry((await get()).pid, plan, tools, folder),
    isStale: () => waiting !== '',
    spoil: () => void (seen = ''),
    isBusy: isBusyNow,
    canChange: async () => !(await isBusyNow()),
    inside: () => ({ programs: findWalledPrograms(pid), memory: [`/proc/${pid}/root/dev/shm`] }),
    endInside: end,
    close: end,
  };
}

/** The first process of a sandbox and the one it keeps are always there. */
const OWN_PROCESSES = 2;

/** Whether anybody is inside; where nobody can look, somebody may be. */
function isBusy(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/root/proc`).filter((name) => /^\d+$/.test(name)).length > OWN_PROCESSES;
  } catch {
    return true;
  }
}
