import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Where one profile keeps everything: the folder is the profile. */
export interface Home {
  readonly root: string;
  readonly config: string;
  readonly env: string;
  readonly store: string;
  /** What earlier versions called the store, and what the Python system calls its own. */
  readonly formerStore: string;
  readonly spill: string;
  /** The list of background processes that outlive a run. */
  readonly processes: string;
}

export function resolveHome(env: Readonly<Record<string, string | undefined>>): Home {
  const named = env['HERMES_HOME'];
  const root = named !== undefined && named !== '' ? resolve(named) : join(homedir(), '.hermes');
  return {
    root,
    config: join(root, 'config.yaml'),
    env: join(root, '.env'),
    store: join(root, 'sessions.db'),
    formerStore: join(root, 'state.db'),
    spill: join(root, 'cache', 'spillover'),
    processes: join(root, 'processes.json'),
  };
}

/** Whether a folder is one that Hermes makes for a session below the profile: it goes when it is empty, and may be made again. */
export const isOwnWorkspace = (root: string, folder: string): boolean => dirname(folder) === join(root, 'workspaces');

/** A path as people write it: what lies in the folder of the person at the keyboard begins with `~`. */
export function abbreviateHome(path: string, person: string = homedir()): string {
  if (path === person) return '~';
  return person !== '/' && path.startsWith(`${person}/`) ? `~${path.slice(person.length)}` : path;
}
