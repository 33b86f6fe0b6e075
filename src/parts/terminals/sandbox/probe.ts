import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { startHolder } from './holder.ts';
import { createPreparation } from './preparation.ts';

/** Where the programs lie that make a sandbox, or why there can be none. */
export type SandboxProbe = { readonly ok: true; readonly tools: SandboxTools } | { readonly ok: false; readonly why: string };
export interface SandboxTools {
  readonly bwrap: string;
  readonly nsenter: string;
  /** Makes the user namespace around the sandbox in which terminals and layers are mounted; absent where that does not work. */
  readonly unshare?: string;
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
  const unshare = find('unshare');
  const ways: readonly SandboxTools[] = [...(unshare === undefined ? [] : [{ bwrap, nsenter, unshare }]), { bwrap, nsenter }];
  let why = '';
  for (const tools of ways) {
    try {
      await tryOut(tools);
      return { ok: true, tools };
    } catch (error) {
      why = toErrorMessage(error);
    }
  }
  return { ok: false, why: `bubblewrap does not work here: ${why}` };
}

async function tryOut(tools: SandboxTools): Promise<void> {
  const folder = tools.unshare === undefined ? undefined : openTemporaryFolder(tmpdir(), 'hermes-probe-');
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  try {
    const holder = await startHolder({
      tools,
      args: [...PROBE, ...(folder === undefined ? [] : ['--uid', String(uid), '--gid', String(gid)])],
      ...(folder !== undefined && { preparation: createPreparation({ terminals: folder.path, caches: [] }) }),
    });
    try {
      await enters(tools.nsenter, holder.pid);
    } finally {
      await holder.end();
    }
  } finally {
    folder?.close();
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
