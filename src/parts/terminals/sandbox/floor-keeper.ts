import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxKeeper } from './keeper.ts';
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
  let holder: Promise<RulesetHolder> | undefined;
  const control = join(folder, 'control');
  const supervisor = await openSupervisor(control, loopback);
  loopback.heed(supervisor);
  const start = async (): Promise<RulesetHolder> => {
    const at = (name: string): string => join(folder, `${name}-${count}`);
    count += 1;
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
    const held = await holdRuleset(launcher, at('rules'), at('ruleset'));
    return { ...held, plan: at('plan') };
  };
  const get = async (): Promise<RulesetHolder> => {
    const asked = holder;
    const found = await asked?.catch(() => undefined);
    if (holder !== asked && holder !== undefined) return holder;
    const now = stamp(plan);
    const next = now === seen ? plan : survey();
    const isSame = next === plan || JSON.stringify(next) === JSON.stringify(plan);
    seen = isSame ? now : stamp(next);
    if (found !== undefined && isSame && found.alive()) return found;
    plan = next;
    holder = start();
    found?.end();
    return holder;
  };
  return {
    get plan() {
      return plan;
    },
    // The launcher shuts all but the first four descriptors; every kernel with Landlock can.
    enter: async () => ({ file: tools.launcher, args: ['run', (await get()).plan, '-'], shutsInherited: true }),
    isStale: () => false,
    spoil: () => void (seen = ''),
    isBusy: async () => supervisor.isBusy(),
    canChange: async () => true,
    endInside: () => supervisor.endAll(),
    close: async () => {
      await supervisor.close();
      (await holder?.catch(() => undefined))?.end();
    },
  };
}

interface RulesetHolder {
  /** What commands are started by. */
  readonly plan: string;
  alive(): boolean;
  end(): void;
}

/** The process that has the ruleset: no other may be given one but over its socket. It ends with us. */
function holdRuleset(launcher: string, rules: string, socket: string): Promise<Omit<RulesetHolder, 'plan'>> {
  const child: ChildProcess = spawn(launcher, ['hold', rules, socket], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let gone = false;
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdin?.on('error', () => {});
  child.once('exit', () => (gone = true));
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the sandbox could not be made: ${why}`));
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail(complaint.trim() || 'the launcher ended without a word'));
    child.stdout?.once('data', () => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      child.unref();
      resolve({ alive: () => !gone, end: () => void child.stdin?.destroy() });
    });
  });
}
