import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHeld, type HeldProcess } from './holder.ts';
import type { SandboxKeeper } from './keeper.ts';
import { keepHolder } from './kept-holder.ts';
import type { SandboxPlan } from './mounts.ts';
import type { FloorTools } from './tools.ts';
import type { FloorLoopback } from '../loopback/floor.ts';
import { encodeLaunchPlan, encodeRules, type LaunchPlan } from '../launcher/plan.ts';
import { listFloorRules } from './floor-rules.ts';
import { openSupervisor } from '../loopback/supervisor.ts';

export interface FloorKeeperOptions {
  readonly tools: FloorTools;
  /** A folder of this session that commands do not see. */
  readonly folder: string;
  readonly loopback: FloorLoopback;
  /** What is refused besides. */
  readonly filter?: Pick<LaunchPlan, 'forks' | 'hoards'>;
  survey(): SandboxPlan;
  /** Tells cheaply whether a survey could find something else by now. */
  stamp(plan: SandboxPlan): string;
}

/** Keeps the ruleset of a sandbox in step with the machine. Each command has a domain of its own, so what runs never has to end for it. */
export async function openFloorKeeper({ tools, folder, loopback, filter, survey, stamp }: FloorKeeperOptions): Promise<SandboxKeeper> {
  let plan = survey();
  let seen = stamp(plan);
  let count = 0;
  const control = join(folder, 'control');
  const supervisor = await openSupervisor(control, loopback);
  loopback.heed(supervisor);
  /** The process that has the ruleset: no other may be given one but over its socket. */
  const start = async (): Promise<RulesetHolder> => {
    // Its own number: another start may begin while this one waits, and a socket cannot be made twice.
    const number = (count += 1);
    const at = (name: string): string => join(folder, `${name}-${number}`);
    const { level, machine, launcher } = tools;
    writeFileSync(at('rules'), encodeRules(listFloorRules(plan), { level, network: plan.network }), { mode: 0o600 });
    const floor = {
      level,
      network: plan.network,
      writable: [
        ...plan.writable,
        ...plan.caches.map(({ path }) => path),
        plan.own.tmp,
        plan.own.home,
        plan.own.room,
        ...(plan.trash === undefined ? [] : [plan.trash]),
      ],
      sockets: [plan.own.sockets],
      ports: await loopback.ports(),
      control,
      ruleset: at('ruleset'),
    };
    const namespaces = plan.profile === 'attended';
    writeFileSync(at('plan'), encodeLaunchPlan({ machine, dropRights: plan.uid === 0, namespaces, floor, ...filter }), { mode: 0o600 });
    const isReady = (said: string): true | undefined => (said === '' ? undefined : true);
    return { ...(await startHeld([launcher, 'hold', at('rules'), at('ruleset')], {}, isReady)), plan: at('plan') };
  };
  const isStale = async (): Promise<boolean> => {
    const now = stamp(plan);
    const next = now === seen ? plan : survey();
    const isSame = next === plan || JSON.stringify(next) === JSON.stringify(plan);
    seen = isSame ? now : stamp(next);
    if (!isSame) plan = next;
    return !isSame;
  };
  const holder = keepHolder({ isStale, start, end: (old) => old.release() });
  return {
    get plan() {
      return plan;
    },
    // The launcher shuts all but the first four descriptors; every kernel with Landlock can.
    enter: async () => ({ file: tools.launcher, args: ['run', (await holder.get()).plan, '-'], shutsInherited: true }),
    isStale: () => false,
    spoil: () => void (seen = ''),
    canChange: async () => true,
    inside: () => ({ programs: supervisor.programs(), memory: [] }),
    endInside: () => supervisor.endAll(),
    close: async () => {
      await supervisor.close();
      (await holder.current())?.release();
    },
  };
}

interface RulesetHolder extends HeldProcess {
  /** What commands are started by. */
  readonly plan: string;
}
