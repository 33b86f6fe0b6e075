import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { toErrorMessage } from '../../../base/errors.ts';
import { survey } from './survey.ts';
import type { FloorTools } from './tools.ts';
import { openFloorKeeper } from './floor-keeper.ts';
import { findLauncher, type Launcher } from '../launcher/launcher.ts';
import { openFloorLoopback } from '../loopback/floor.ts';
import { toFloorPlan } from './floor-place.ts';
import { openOwnFolders } from './tier.ts';

/** The newest level whose rights the launcher knows. */
const NEWEST = 6;
const NO_LANDLOCK = 'this kernel has no Landlock, or it is turned off';

/** Whether commands can be shut in by the kernel alone, found out by doing it. */
export async function probeFloor(instead: string): Promise<FloorTools | { readonly why: string }> {
  const found = findLauncher();
  if (found === undefined) return { why: `there is no launcher for ${process.platform} on ${process.arch}` };
  const level = Math.min(await readLevel(found), NEWEST);
  if (level < 1) return { why: NO_LANDLOCK };
  const tools: FloorTools = { tier: 'floor', ...found, level, instead };
  try {
    await tryOut(tools);
    return tools;
  } catch (error) {
    return { why: `Landlock and seccomp do not work here: ${toErrorMessage(error)}` };
  }
}

/** 0 where there is none. */
const readLevel = ({ launcher }: Launcher): Promise<number> =>
  promisify(execFile)(launcher, ['level'], { env: {}, timeout: 10_000 }).then(
    ({ stdout }) => Number(stdout) || 0,
    () => 0,
  );

/** A command sees what it should and not what it should not, and its calls are answered. */
async function tryOut(tools: FloorTools): Promise<void> {
  const { own, path, remove } = openOwnFolders();
  const work = own.tmp;
  const loopback = openFloorLoopback();
  const plan = toFloorPlan({ ...survey(work, {}), home: homedir() }, own);
  const keeper = await openFloorKeeper({ tools, folder: path, loopback, survey: () => plan, stamp: () => '' });
  try {
    const { file, args } = await keeper.enter();
    const test = `: >${work}/x && chmod 600 ${work}/x && ! (: >${path}/x) 2>/dev/null`;
    await promisify(execFile)(file, [...args, '/bin/sh', '-c', test], { env: { PATH: '/usr/bin:/bin' }, timeout: 10_000 });
  } finally {
    await keeper.close();
    loopback.close();
    await remove();
  }
}
