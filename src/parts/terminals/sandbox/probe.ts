import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { startHolder } from './holder.ts';
import { createPreparation } from './preparation.ts';
import { createEntryProgram, isSeccompMachine, toNamespaceFlags } from './seccomp.ts';
import { findSandboxTools, type SandboxProbe, type SandboxTools } from './tools.ts';

/** Asked once a process: whether commands can be shut in here, found out by doing it. */
export const sandboxHere = lazy(probe);

async function probe(): Promise<SandboxProbe> {
  if (process.platform === 'darwin') return (await import('./macos.ts')).probeMacos();
  let why = '';
  for (const unshare of [true, false]) {
    const tools = findSandboxTools({ unshare, seccomp: true });
    if ('why' in tools) return { ok: false, why: tools.why };
    try {
      return { ok: true, tools: await tryOut(tools) };
    } catch (error) {
      why = toErrorMessage(error);
    }
  }
  return { ok: false, why: `bubblewrap does not work here: ${explainComplaint(why)}` };
}

/** One clause for a person, whatever shell or program complained: what nearly always is the reason, else its last line. */
export const explainComplaint = (words: string): string =>
  /namespace|not permitted|permission denied|uid.?map|setgroups|unshare/i.test(words)
    ? 'this machine does not let ordinary users make user namespaces'
    : (words.trim().split('\n').at(-1) ?? '').replace(/^.*line \d+: /, '').replace(/\.$/, '');

/** Gives what of it works: without a filter of calls it is a sandbox still. */
async function tryOut(tools: SandboxTools): Promise<SandboxTools> {
  const folder = tools.unshare === undefined ? undefined : openTemporaryFolder(tmpdir(), 'hermes-probe-');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  try {
    const holder = await startHolder({
      tools,
      args: [...PROBE, ...(folder === undefined ? [] : ['--uid', String(uid), '--gid', String(gid)])],
      ...(folder !== undefined && { preparation: createPreparation({ terminals: folder.path, caches: [] }) }),
    });
    try {
      const { perl, ...plain } = tools;
      if (perl !== undefined && (await enters(tools, holder.pid).then(...YES_OR_NO))) return tools;
      await enters(plain, holder.pid);
      return plain;
    } finally {
      await holder.end();
    }
  } finally {
    folder?.close();
  }
}
const YES_OR_NO = [() => true, () => false] as const;

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

const enters = (tools: SandboxTools, pid: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { file, args } = createEntry(pid, { network: false, uid: process.getuid?.() ?? 0 }, tools);
    execFile(file, [...args, '/bin/true'], { env: {}, timeout: 10_000 }, (error, _out, complaint) => {
      if (error === null) resolve();
      else reject(new Error(complaint.trim() || error.message));
    });
  });

/** Into the namespaces, and there without any right: entering them gave all of those that count inside. The command follows. */
export function createEntry(
  pid: number,
  { network, uid }: { readonly network: boolean; readonly uid: number },
  { nsenter, perl }: SandboxTools,
): { readonly file: string; readonly args: readonly string[] } {
  if (perl !== undefined && isSeccompMachine(process.arch))
    return { file: perl, args: ['-e', entryProgram(process.arch), '--', String(pid), String(toNamespaceFlags(network))] };
  const spaces = ['--user', '--mount', '--pid', '--ipc', '--uts', ...(network ? [] : ['--net'])];
  // Only root keeps rights across the start of a program, and only root may and must give them up by name.
  const rights = ['--no-new-privs', '--inh-caps=-all', ...(uid === 0 ? ['--bounding-set=-all'] : [])];
  return { file: nsenter, args: ['--target', String(pid), ...spaces, '--preserve-credentials', '--', '/usr/bin/setpriv', ...rights] };
}
const entryProgram = lazy(createEntryProgram);
