import { readdirSync } from 'node:fs';
import { attempt } from '../../../base/peek.ts';
import { findWalledPrograms } from '../../../base/process-sizes.ts';
import { startHolder, type SandboxHolder } from './holder.ts';
import { keepHolder } from './kept-holder.ts';
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
  const isStale = async (alive: SandboxHolder | undefined): Promise<boolean> => {
    const now = stamp(plan);
    const isSeen = now === seen;
    if (!isSeen) await makeRoom();
    if (!isSeen && alive !== undefined && isBusy(alive.pid)) {
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
    if (isSeen) return false;
    const next = survey();
    const isSame = JSON.stringify(next) === JSON.stringify(plan);
    seen = isSame ? now : stamp(next);
    if (!isSame) plan = next;
    return !isSame;
  };
  const holder = keepHolder({ isStale, start, end: (old) => old.end() });
  const end = async (): Promise<void> => (await holder.current())?.end();
  return {
    get plan() {
      return plan;
    },
    enter: async () => createEntry((await holder.get()).pid, plan, tools, folder),
    isStale: () => waiting !== '',
    spoil: () => void (seen = ''),
    canChange: async () => {
      const alive = await holder.current();
      if (alive !== undefined) await makeRoom();
      return alive === undefined || !isBusy(alive.pid);
    },
    inside: () => ({ programs: findWalledPrograms(pid), memory: [`/proc/${pid}/root/dev/shm`] }),
    endInside: end,
    close: end,
  };
}

/** The first process of a sandbox and the one it keeps are always there. */
const OWN_PROCESSES = 2;

/** Whether anybody is inside; where nobody can look, somebody may be. */
const isBusy = (pid: number): boolean =>
  (attempt(() => readdirSync(`/proc/${pid}/root/proc`).filter((name) => /^\d+$/.test(name)).length) ?? Infinity) > OWN_PROCESSES;
