import { accessSync, constants } from 'node:fs';

/** The programs that make a sandbox; on macOS the system's own one alone, and the others have no names. */
export interface SandboxTools {
  readonly sandboxExec?: string;
  readonly bwrap: string;
  readonly nsenter: string;
  /** Makes the user namespace around the sandbox in which terminals and layers are mounted; absent where that does not work. */
  readonly unshare?: string;
  /** Loads a filter of system calls for each command; absent where nothing here can. */
  readonly perl?: string;
}
/** Where the programs lie that make a sandbox, or why there can be none. */
export type SandboxProbe = { readonly ok: true; readonly tools: SandboxTools } | { readonly ok: false; readonly why: string };
/** What of it works here besides the sandbox itself. */
export interface SandboxExtras {
  readonly unshare: boolean;
  readonly seccomp: boolean;
}

export const MACOS_TOOLS = { sandboxExec: '/usr/bin/sandbox-exec', bwrap: '', nsenter: '' } as const satisfies SandboxTools;

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where the programs lie, or which are missing. Nothing is run. */
export function findSandboxTools(extras: SandboxExtras): SandboxTools | { readonly why: string } {
  if (process.platform === 'darwin') return MACOS_TOOLS;
  if (process.platform !== 'linux') return { why: `there is no bubblewrap for ${process.platform}` };
  const find = (name: string) => ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin'].map((folder) => `${folder}/${name}`).find(canRun);
  const [bwrap, nsenter, setpriv] = [find('bwrap'), find('nsenter'), find('setpriv')];
  if (bwrap === undefined) return { why: 'bubblewrap is not installed' };
  if (nsenter === undefined || setpriv === undefined) return { why: 'nsenter and setpriv (util-linux) are not installed' };
  const [unshare, perl] = [extras.unshare ? find('unshare') : undefined, extras.seccomp ? find('perl') : undefined];
  return { bwrap, nsenter, ...(unshare !== undefined && { unshare }), ...(perl !== undefined && { perl }) };
}
