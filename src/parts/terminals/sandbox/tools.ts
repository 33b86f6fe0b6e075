import { accessSync, constants } from 'node:fs';
import { findLauncher, type Launcher } from '../launcher/launcher.ts';

/** What makes a sandbox here, by the tier of the wall. */
export type SandboxTools = BubblewrapTools | FloorTools | typeof MACOS_TOOLS;
export interface BubblewrapTools {
  readonly tier: 'bubblewrap';
  readonly bwrap: string;
  readonly nsenter: string;
  /** Makes the user namespace around the sandbox in which terminals and layers are mounted; absent where that does not work. */
  readonly unshare?: string;
  /** Loads a filter of system calls for each command; absent where it does not run. */
  readonly launcher?: Launcher;
}
/** Landlock and seccomp, which need nothing installed. */
export interface FloorTools extends Launcher {
  readonly tier: 'floor';
  /** The level of Landlock in force. */
  readonly level: number;
  /** Why it is not bubblewrap. */
  readonly instead: string;
}
/** Where the programs lie that make a sandbox, or why there can be none. */
export type SandboxProbe = { readonly ok: true; readonly tools: SandboxTools } | { readonly ok: false; readonly why: string };
/** What of bubblewrap works here besides the sandbox itself. */
export interface SandboxExtras {
  readonly unshare: boolean;
  readonly seccomp: boolean;
}

export const MACOS_TOOLS = { tier: 'macos', sandboxExec: '/usr/bin/sandbox-exec' } as const;

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where the programs of bubblewrap lie, or which are missing. Nothing is run. */
export function findBubblewrap(extras: SandboxExtras): BubblewrapTools | { readonly why: string } {
  if (process.platform !== 'linux') return { why: `there is no bubblewrap for ${process.platform}` };
  const find = (name: string) => ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin'].map((folder) => `${folder}/${name}`).find(canRun);
  const [bwrap, nsenter, setpriv] = [find('bwrap'), find('nsenter'), find('setpriv')];
  if (bwrap === undefined) return { why: 'bubblewrap is not installed' };
  if (nsenter === undefined || setpriv === undefined) return { why: 'nsenter and setpriv (util-linux) are not installed' };
  const unshare = extras.unshare ? find('unshare') : undefined;
  const launcher = extras.seccomp ? findLauncher() : undefined;
  return { tier: 'bubblewrap', bwrap, nsenter, ...(unshare !== undefined && { unshare }), ...(launcher !== undefined && { launcher }) };
}
