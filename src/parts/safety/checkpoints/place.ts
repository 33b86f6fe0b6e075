import { isAbsolute, join } from 'node:path';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { tryLstat } from './scan.ts';

/**
 * The absolute path of a place below a root. Throws when the way there leads, or could lead, out of the root: nothing is
 * ever put back through a link.
 */
export function resolveBelowRoot(root: string, path: string): string {
  const parts = path.split('/');
  if (path === '' || isAbsolute(path) || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`${JSON.stringify(path)} does not lie below ${root}`);
  if (resolveFromNearestParent(root) !== root) throw new Error(`${root} is reached through a link now`);
  let here = root;
  for (const part of parts.slice(0, -1)) {
    here = join(here, part);
    const found = tryLstat(here);
    if (found === undefined) break;
    if (!found.isDirectory()) throw new Error(`${here} is not a folder any more`);
  }
  return join(root, path);
}
