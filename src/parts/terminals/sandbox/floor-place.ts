import { existsSync, lstatSync } from 'node:fs';
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
