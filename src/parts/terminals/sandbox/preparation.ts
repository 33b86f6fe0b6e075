import { quoteShellWord } from '../../../base/shell.ts';
import type { CacheMount, SandboxPlan } from './mounts.ts';

/**
 * What has to be mounted before bubblewrap begins, because it cannot: terminals, and caches laid over the owner's. It is done
 * as root of a user namespace around the sandbox, which anybody may make; bubblewrap then maps the user back. Pure: the script.
 */
export const createPreparation = ({ terminals, caches }: Pick<SandboxPlan, 'terminals' | 'caches'>): string =>
  [
    ...(terminals === undefined
      ? []
      : [`mount -t devpts -o newinstance,ptmxmode=0666,mode=0600 devpts ${quoteShellWord(terminals)} || exit 1`]),
    ...caches.flatMap(overlaid),
    'exec "$@"',
  ].join('\n');

/** Where layers cannot be had, the agent's own folder alone stands there. */
function overlaid({ own, over }: CacheMount): string[] {
  if (over === undefined) return [];
  const layers = `lowerdir=${over.lower},upperdir=${own},workdir=${over.work},userxattr`;
  const [at, upper] = [quoteShellWord(over.at), quoteShellWord(own)];
  return [`mount -t overlay overlay -o ${quoteShellWord(layers)} ${at} 2>/dev/null || mount --bind ${upper} ${at} || exit 1`];
}

/** Signs that separate layers and options from each other. */
export const canBeLayer = (path: string): boolean => !/[,:\\"]/.test(path);
