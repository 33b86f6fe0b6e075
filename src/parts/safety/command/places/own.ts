import { resolve } from 'node:path';
import type { Place } from './place.ts';

/** Folders of the agent's own in which it works, or which it is given to read: nothing there is a rule of its. */
const WORKED_IN = ['workspace', 'sandboxes', 'cache/spillover'];

/** Where the agent keeps its rules, its keys and its memory: wherever its profile lies, and where that lies if nobody says otherwise. */
export function ownRoots(place: Place): readonly string[] {
  const known = KNOWN.get(place);
  if (known !== undefined) return known;
  const { profile, home, real } = place;
  const named = [...(profile === undefined ? [] : [resolve(profile)]), `${resolve(home)}/.hermes`];
  const roots = [...new Set(real === undefined ? named : [...named, ...named.map(real)])];
  KNOWN.set(place, roots);
  return roots;
}
/** Every rule asks, and following links costs a look at the disk each time. */
const KNOWN = new WeakMap<Place, readonly string[]>();

const isBelow = (root: string, path: string): boolean => path.startsWith(`${root}/`);

/** In the agent's own folder, or that folder itself. A working folder somewhere in it is the session's all the same. */
export function isOwn(path: string, place: Place): boolean {
  return ownRoots(place).some((root) => {
    if (path !== root && !isBelow(root, path)) return false;
    if (WORKED_IN.some((name) => isBelow(`${root}/${name}`, path))) return false;
    return !(isBelow(root, resolve(place.base)) && isBelow(resolve(place.base), path));
  });
}

/** The agent's own folder, or one that holds it. */
export const holdsOwn = (path: string, place: Place): boolean => ownRoots(place).some((root) => path === root || isBelow(path, root));
