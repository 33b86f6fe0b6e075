import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { listIfThere } from '../../../base/peek.ts';
import { isWithin } from '../../../base/within.ts';
import { KERNEL_FOLDERS, listSandboxMounts, type SandboxMount, type SandboxPlan } from './mounts.ts';
import type { FloorRule } from '../launcher/plan.ts';

const [EXECUTE, WRITE, READ, LIST, DEVICE, BLOCK, TRUNCATE, IOCTL] = [1, 2, 4, 8, 0x40, 0x800, 0x4000, 0x8000];
/** What Landlock lets be done below a path. */
export const ACCESS = {
  list: LIST,
  ro: EXECUTE | READ | LIST,
  rw: 0xffff & ~(DEVICE | BLOCK),
  device: READ | WRITE | TRUNCATE | IOCTL,
  /** Not to write: settings of the kernel and of other processes lie there. */
  proc: READ | LIST,
} as const;
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/**
 * The rules that let commands see what a sandbox of this plan shows. Rules only add: a folder with something hidden in it is
 * allowed entry by entry, and what appears in it later is not seen until the rules are made anew.
 */
export function listFloorRules(plan: SandboxPlan, list: ListEntries = listIfThere): readonly FloorRule[] {
  const mounts = listSandboxMounts(plan).filter(({ at }) => !KERNEL_FOLDERS.some((folder) => folder === at));
  const rules = mounts.flatMap((mount, index): FloorRule[] => {
    if (!('from' in mount)) return [];
    const later = mounts.slice(index + 1);
    if (later.some(({ at }) => at === mount.at)) return [];
    return expand(mount.at, ACCESS[mount.how], coversIn(mount.at, later), list);
  });
  return [
    ...rules,
    ...plan.listed.map(({ path }) => ({ path, access: ACCESS.list })),
    ...(plan.forGuests === true ? listKernelFacts(plan, list) : [{ path: '/proc', access: ACCESS.proc }]),
    ...expandKernel(plan, list),
    ...DEVICES.map((name) => ({ path: `/dev/${name}`, access: ACCESS.device })),
  ];
}

type ListEntries = (path: string) => readonly Pick<Dirent, 'name' | 'isSymbolicLink'>[];

/** What is not to be seen below a path, but for what is shown again deeper down. */
const coversIn = (path: string, later: readonly SandboxMount[]): readonly string[] =>
  later.flatMap(({ at, how }) => ((how === 'empty' || how === 'nothing') && at !== path && isWithin(path, at) ? [at] : []));

function expand(path: string, access: number, covers: readonly string[], list: ListEntries): FloorRule[] {
  if (covers.includes(path)) return [];
  const inner = covers.filter((cover) => isWithin(path, cover));
  if (inner.length === 0) return [{ path, access }];
  const entries = list(path).filter((entry) => !entry.isSymbolicLink());
  return [{ path, access: access & ACCESS.list }, ...entries.flatMap(({ name }) => expand(join(path, name), access, inner, list))];
}

/** What `/proc` tells of the machine and of no process, not even the command's own. */
const listKernelFacts = ({ kernel }: SandboxPlan, list: ListEntries): FloorRule[] =>
  list('/proc').flatMap((entry) => {
    const path = join('/proc', entry.name);
    const isShown = !/^\d/.test(entry.name) && !entry.isSymbolicLink() && !kernel.hidden.some((each) => each.path === path);
    return isShown ? [{ path, access: ACCESS.proc }] : [];
  });

const expandKernel = ({ kernel }: SandboxPlan, list: ListEntries): FloorRule[] =>
  kernel.readable.flatMap((path) =>
    isWithin('/sys', path)
      ? expand(
          path,
          ACCESS.ro,
          kernel.hidden.map((each) => each.path),
          list,
        )
      : [],
  );
