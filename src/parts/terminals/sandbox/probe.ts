import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { startHolder } from './holder.ts';

/** Where the programs lie that make a sandbox, or why there can be none. */
export type SandboxProbe = { readonly ok: true; readonly tools: SandboxTools } | { readonly ok: false; readonly why: string };
export interface SandboxTools {
  readonly bwrap: string;
  readonly nsenter: string;
}

/** Asked once a process: whether commands can be shut in here, found out by doing it. */
export const sandboxHere = lazy(probe);

async function probe(): Promise<SandboxProbe> {
  if (process.platform !== 'linux') return { ok: false, why: `there is no bubblewrap for ${process.platform}` };
  const find = (name: string) => ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin'].map((folder) => `${folder}/${name}`).find(existsSync);
  const [bwrap, nsenter, setpriv] = [find('bwrap'), find('nsenter'), find('setpriv')];
  if (bwrap === undefined) return { ok: false, why: 'bubblewrap is not installed (apt install bubblewrap, dnf install bubblewrap)' };
  if (nsenter === undefined || setpriv === undefined)
    return { ok: false, why: 'nsenter and setpriv are not installed (package util-linux)' };
  const tools = { bwrap, nsenter };
  try {
    const holder = await startHolder(bwrap, PROBE);
    try {
      await enters(nsenter, holder.pid);
      return { ok: true, tools };
    } finally {
      await holder.end();
    }
  } catch (error) {
    return { ok: false, why: `bubblewrap does not work here: ${toErrorMessage(error)}` };
  }
}

const PROBE = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-net',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--ro-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  '--tmpfs',
  '/dev',
];

const enters = (nsenter: string, pid: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = [...enterCommand(pid, { network: false, uid: process.getuid?.() ?? 0 }), '/bin/true'];
    execFile(nsenter, args, { env: {}, timeout: 10_000 }, (error, _out, complaint) => {
      if (error === null) resolve();
      else reject(new Error(complaint.trim() || error.message));
    });
  });

/** Into the namespaces, and there without any right: entering them gave all of those that count inside. */
export function enterCommand(pid: number, { network, uid }: { readonly network: boolean; readonly uid: number }): string[] {
  const spaces = ['--user', '--mount', '--pid', '--ipc', '--uts', ...(network ? [] : ['--net'])];
  // Only root keeps rights across the start of a program, and only root may and must give them up by name.
  const rights = ['--no-new-privs', '--inh-caps=-all', ...(uid === 0 ? ['--bounding-set=-all'] : [])];
  return ['--target', String(pid), ...spaces, '--preserve-credentials', '--', '/usr/bin/setpriv', ...rights];
}
