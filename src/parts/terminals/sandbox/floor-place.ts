import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { findPathLookup } from './inside-paths.ts';
import type { CacheMount, InsideFolders, OwnFolders, SandboxPlan } from './mounts.ts';
import type { SurveyedPlan } from './survey.ts';

/** Where the folders of a session are found: nothing is mounted. */
export const ownPlaces = (own: OwnFolders, trash = ''): InsideFolders => ({ ...own, trash });

/** A survey as the floor carries it out: every path keeps its name, and what only mounts can do is left out. */
export const toFloorPlan = (
  found: SurveyedPlan,
  own: OwnFolders,
  { trash, shown = [] }: Pick<SandboxPlan, 'trash' | 'shown'> = {},
): SandboxPlan => ({
  ...found,
  // Who connects to a socket is asked then; a rule around it would leave its folder without new files.
  hidden: found.hidden.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true),
  own,
  inside: ownPlaces(own, trash),
  readable: [...found.readable, ...found.caches.flatMap(({ path }) => (existsSync(path) ? [path] : []))],
  caches: found.caches.map(({ name, own: path }): CacheMount => ({ name, path, own: path })),
  ...(trash !== undefined && { trash }),
  shown: shown.filter(({ at, from }) => at === from),
});

/** Where a hidden folder is there but shut, a shell would find programs in it and fail over them. */
export function listSeenFolders(path = '', plan: SandboxPlan): string {
  const lookUp = findPathLookup(plan);
  return path
    .split(delimiter)
    .filter((folder) => lookUp(realPath(folder) ?? folder).type === 'host')
    .join(delimiter);
}

/** What is shown of the owner's home stands in the private one under its name, as by a mount. */
export function linkIntoHome({ home, readable }: SurveyedPlan, own: string): void {
  for (const path of readable.filter((each) => each !== home && isWithin(home, each))) {
    const link = join(own, relative(home, path));
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(path, link);
  }
}
