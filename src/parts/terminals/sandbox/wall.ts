import { realPath } from '../../../base/real-path.ts';
import type { WallFiles, WallTierName } from '../../../contracts/wall.ts';
import type { Wall } from '../../../contracts/terminal.ts';
import { isWithin } from '../../../base/within.ts';
import { findPathLookup } from './inside-paths.ts';
import type { SandboxKeeper } from './keeper.ts';
import type { SandboxNetwork } from './network-port.ts';
import type { OutsideShell } from './outside.ts';

export interface WallOptions {
  readonly tier: WallTierName;
  readonly keeper: SandboxKeeper;
  /** Filled by grants, read by the next survey. */
  readonly granted: Readonly<Record<'read' | 'write', Set<string>>>;
  readonly outside: OutsideShell;
  readonly network: SandboxNetwork | undefined;
  readonly files: WallFiles;
}

export const createWall = ({ tier, keeper, granted, outside, network, files }: WallOptions): Wall => ({
  tier,
  get profile() {
    return keeper.plan.profile;
  },
  get writable() {
    return keeper.plan.writable;
  },
  hides: (path) => {
    const found = findPathLookup(keeper.plan)(path);
    if (found.type === 'host') return found.path !== path;
    return !keeper.plan.caches.some((cache) => isWithin(cache.path, path));
  },
  files,
  runOutside: (command, options) => outside.run(command, options),
  startOutside: (command, options) => outside.start(command, options),
  grant: async (grant) => {
    if (grant.type === 'host' || grant.type === 'port' || grant.type === 'socket') {
      if (network === undefined) throw new Error('this sandbox has no network that could be opened.');
      return network.grant(grant);
    }
    const path = realPath(grant.path);
    if (path === undefined) throw new Error(`there is no ${grant.path} that could be shown.`);
    if (!(await canOpenPaths(keeper)))
      throw new Error('something still runs in the sandbox, and folders can be opened only when nothing does.');
    granted[grant.type].add(path);
    keeper.spoil();
  },
  socketAt: (inside) => network?.socketAt(inside),
  canOpenPaths: () => canOpenPaths(keeper),
  endInside: () => keeper.endInside(),
  reachable: () => network?.reachable() ?? [],
});

/**
 * A file that was replaced has its old content in a sandbox that shows it by name, so each time a new one is made. What the
 * system shows by its folder is seen as it is.
 */
export const createFileShower =
  (keeper: SandboxKeeper, shown: Set<string>) =>
  async (path: string): Promise<boolean> => {
    const found = findPathLookup(keeper.plan)(path);
    if (!shown.has(path) && found.type === 'host' && found.path === path) return true;
    if (!(await canOpenPaths(keeper))) return false;
    shown.add(path);
    keeper.spoil();
    await keeper.endInside();
    return true;
  };

/** Paths are shown by a sandbox made anew. One for nobody shows the workspace alone. */
const canOpenPaths = async (keeper: SandboxKeeper): Promise<boolean> => keeper.plan.profile === 'attended' && (await keeper.canChange());
