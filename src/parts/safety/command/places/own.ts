import { resolve } from 'node:path';
import { resolveProfileRoot } from '../../../../base/profile.ts';
import type { ShellContext } from './shell-context.ts';

/** Folders of the agent's own in which it works, or which it is given to read: nothing there is a rule of its. */
const WORKED_IN = ['workspace', 'sandboxes', 'cache/spillover'];

/** Where the agent keeps its rules, its keys and its memory: wherever its profile lies, and where that lies if nobody says otherwise. */
export function listOwnRoots(place: ShellContext): readonly string[] {
  const known = KNOWN.get(place);
  if (known !== undefined) return known;
  const { profile, home, real } = place;
  const named = [...(profile === undefined ? [] : [resolve(profile), resolveProfileRoot(profile)]), `${resolve(home)}/.hermes`];
  const roots = [...new Set(real === undefined ? named : [...named, ...named.map(real)])];
  KNOWN.set(place, roots);
  return roots;
}
/** Every rule asks, and following links costs a look at the disk each time. */
const KNOWN = new WeakMap<ShellContext, readonly string[]>();

const isBelow = (root: string, path: string): boolean => path.startsWith(`${root}/`);

/** In the agent's own folder, or that folder itself. A working folder somewhere in it is the session's all the same. */
export function isOwn(path: string, place: ShellContext): boolean {
  return listOwnRoots(place).some((root) => {
    if (path !== root && !isBelow(root, path)) return false;
    if (WORKED_IN.some((name) => isBelow(`${root}/${name}`, path))) return false;
    const base = resolve(place.base);
    if (base === root) return path === root || KEPT.has(path.slice(root.length + 1).split('/')[0] ?? '');
    return !(isBelow(root, base) && isBelow(base, path));
  });
}

/** What stands in the agent's folder by itself. Whoever works in that very folder has files of his own beside it. */
const KEPT: ReadonlySet<string> = new Set(
  `config.yaml .env auth.json webhook_subscriptions.json mem0.json honcho.json supermemory.json hindsight.json openviking.json SOUL.md AGENTS.md BOOT.md channel_aliases.json sessions.db sessions.db-wal sessions.db-shm state.db state.db-wal state.db-shm approvals.json allowed-files.json processes.json
   processes secrets.salt memories skills plugins hooks cron scripts cache checkpoints trash mcp-tokens pairing sync logs sandboxes workspace profiles active_profile
   .skills_prompt_snapshot.json`.split(/\s+/),
);

/** Below the project a session works in, or below a folder that is there to be worked in. A home, or what holds one, is no project. */
export function isWorkedIn(path: string, place: ShellContext): boolean {
  const base = resolve(place.base);
  const roots = listOwnRoots(place);
  const isProject = ![resolve(place.home), ...roots].some((root) => root === base || isBelow(base, root));
  return (isProject && isBelow(base, path)) || roots.some((root) => WORKED_IN.some((name) => isBelow(`${root}/${name}`, path)));
}

/** The agent's own folder, or one that holds it. */
export const holdsOwn = (path: string, place: ShellContext): boolean =>
  listOwnRoots(place).some((root) => path === root || isBelow(path, root));
