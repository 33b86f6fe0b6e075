import { isWithin } from '../../../../../base/within.ts';
import type { WallGrant } from '../../../../../contracts/wall.ts';
import type { RecognizedBlock } from './failure.ts';

/**
 * What the owner can be offered for a command that the wall stopped: to open the wall for what it needs, or to run it outside.
 * `none`: the owner was asked about it already, while it ran.
 */
export type WallOffer =
  | { readonly type: 'none' }
  | { readonly type: 'outside' }
  | {
      readonly type: 'widen';
      readonly key: 'wall_port' | 'wall_socket' | 'wall_path';
      readonly at: readonly string[];
      readonly grants: readonly WallGrant[];
    };

interface OfferFacts {
  readonly home: string;
  readonly workspace: string;
  hides(path: string): boolean;
  /** A folder that would not be open when the command runs again is not offered. */
  readonly canOpenPaths: boolean;
}

/** The narrowest thing that is enough: one kind of opening for everything it met, else the command itself outside. */
export function planOffer(blocks: readonly RecognizedBlock[], { home, workspace, hides, canOpenPaths }: OfferFacts): WallOffer {
  const open = blocks.filter(
    ({ block, confidence, meanwhile }) => meanwhile !== true && (block.type !== 'host' || confidence !== 'certain'),
  );
  if (open.length === 0) return { type: 'none' };
  const ports = open.flatMap(({ block }) => (block.type === 'port' ? [block] : []));
  if (ports.length === open.length)
    return { type: 'widen', key: 'wall_port', at: ports.map(({ port }) => `host:localhost:${port}`), grants: ports };
  const sockets = open.flatMap(({ block }) => (block.type === 'socket' && OPENED_SOCKETS.test(block.path) ? [block] : []));
  if (sockets.length === open.length) return { type: 'widen', key: 'wall_socket', at: sockets.map(({ path }) => path), grants: sockets };
  const folders = open.flatMap(({ block, words }) =>
    block.type === 'write' && !REMOVES.test(words) && isPlainFolder(block.path, home, workspace) && !hides(block.path) ? [block] : [],
  );
  if (folders.length === open.length && canOpenPaths)
    return { type: 'widen', key: 'wall_path', at: folders.map(({ path }) => path), grants: folders };
  return { type: 'outside' };
}

/** Sockets a command may be given for a session: engines of containers and databases. Those of the system rule the machine. */
const OPENED_SOCKETS =
  /(?:docker|podman|containerd|buildkitd)\.sock$|\.s\.PGSQL\.\d+$|(?:mysqld?|mariadbd?|redis[\w-]*|memcached|mongodb-\d+)\.sock$/;

/** A folder that was opened cannot be removed or moved inside, and is not needed any more. */
const REMOVES = /(?:cannot|failed to|could not|unable to) (?:remove|move|rename|delete|unlink)/i;

/** A folder of the owner's data. What lies in the system or beside the settings of programs may run or instruct later; around the workspace lie other projects. */
function isPlainFolder(path: string, home: string, workspace: string): boolean {
  if (OF_GIT.test(path) || path === '') return false;
  if (isWithin(path, home) || isWithin(path, workspace)) return false;
  return isWithin(home, path) ? !OF_PROGRAMS.test(path.slice(home.length)) : !SYSTEM.test(path);
}
/** What others have in a repository is changed by git alone. */
const OF_GIT = /\.git(?:\/|$)/;
const OF_PROGRAMS = /^\/(?:\.|bin(?:\/|$)|Library(?:\/|$))/;
const SYSTEM = /^\/(?:$|(?:bin|boot|dev|etc|lib\w*|nix|opt|proc|root|run|sbin|snap|sys|usr|var)(?:\/|$))/;
