import { relative, join } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import { listSandboxMounts, type SandboxMount, type SandboxPlan } from './mounts.ts';

/** What stands at a path inside, told by the table of mounts alone. */
export type PathInside =
  /** A file of the host, under this name there, in a folder or file that was mounted. */
  | { readonly type: 'host'; readonly path: string; readonly how: 'rw' | 'ro'; readonly from: string }
  /** Made by the sandbox: a link, a cover, a layer, a file system of the kernel. */
  | { readonly type: 'made'; readonly mount: SandboxMount };

type PathLookup = (path: string) => PathInside;
/** Every command asks with the same plan. */
const lookups = new WeakMap<SandboxPlan, PathLookup>();

/** Looks paths up in a plan: of several mounts that hold one the last counts. */
export function findPathLookup(plan: SandboxPlan): PathLookup {
  const lookup = lookups.get(plan) ?? createPathLookup(plan);
  lookups.set(plan, lookup);
  return lookup;
}

function createPathLookup(plan: SandboxPlan): PathLookup {
  const mounts = listSandboxMounts(plan).toReversed();
  const layered = new Set(plan.caches.flatMap(({ over }) => (over === undefined ? [] : [over.at])));
  return (path) => {
    const mount = mounts.find(({ at }) => isWithin(at, path)) ?? { at: '/', how: 'empty' };
    if (!('from' in mount) || layered.has(mount.from)) return { type: 'made', mount };
    return { type: 'host', path: join(mount.from, relative(mount.at, path)), how: mount.how, from: mount.from };
  };
}
