import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { lazy } from '../../../base/lazy.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { startHolder } from './holder.ts';
import { splitWords } from '../../../base/text.ts';
import { createPreparation } from './preparation.ts';
import { createEntry } from './entry.ts';
import { findBubblewrap, type BubblewrapTools, type SandboxProbe } from './tools.ts';

/** Asked once a process: whether commands can be shut in here, found out by doing it. */
export const sandboxHere = lazy(probe);

async function probe(): Promise<SandboxProbe> {
  if (process.platform === 'darwin') return (await import('./macos.ts')).probeMacos();
  const bubblewrap = await probeBubblewrap();
  if (!('why' in bubblewrap)) return { ok: true, tools: bubblewrap };
  const { probeFloor } = await import('./floor-probe.ts');
  const floor = await probeFloor(bubblewrap.why);
  return 'why' in floor ? { ok: false, why: `${bubblewrap.why}, and ${floor.why}` } : { ok: true, tools: floor };
}

async function probeBubblewrap(): Promise<BubblewrapTools | { readonly why: string }> {
  let why = '';
  for (const unshare of [true, false]) {
    const tools = findBubblewrap({ unshare, seccomp: true });
    if ('why' in tools) return tools;
    try {
      return await tryOut(tools);
    } catch (error) {
      why = toErrorMessage(error);
    }
  }
  return { why: `bubblewrap does not work here: ${explainComplaint(why)}` };
}

/** One clause for a person, whatever shell or program complained: what nearly always is the reason, else its last line. */
export const explainComplaint = (words: string): string =>
  /namespace|not permitted|permission denied|uid.?map|setgroups|unshare/i.test(words)
    ? 'this machine does not let ordinary users make user namespaces'
    : (words.trim().split('\n').at(-1) ?? '').replace(/^.*line \d+: /, '').replace(/\.$/, '');

/** Gives what of it works: without a filter of calls it is a sandbox still. */
async function tryOut(tools: BubblewrapTools): Promise<BubblewrapTools> {
  const folder = openTemporaryFolder(tmpdir(), 'hermes-probe-');
  const terminals = join(folder.path, 'terminals');
  mkdirSync(terminals);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  try {
    const holder = await startHolder({
      tools,
      args: [...PROBE, ...(tools.unshare === undefined ? [] : ['--uid', String(uid), '--gid', String(gid)])],
      ...(tools.unshare !== undefined && { preparation: createPreparation({ terminals, caches: [] }) }),
    });
    try {
      const { launcher, ...plain } = tools;
      if (launcher !== undefined && (await enters(tools, holder.pid, folder.path).then(...YES_OR_NO))) return tools;
      await enters(plain, holder.pid, folder.path);
      return plain;
    } finally {
      await holder.end();
    }
  } finally {
    folder.close();
  }
}
const YES_OR_NO = [() => true, () => false] as const;

const PROBE = splitWords(`--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-net --cap-drop ALL --die-with-parent
  --ro-bind / / --proc /proc --tmpfs /dev`);

const enters = (tools: BubblewrapTools, pid: number, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { file, args } = createEntry(pid, { profile: 'unattended', network: false, uid: process.getuid?.() ?? 0 }, tools, folder);
    execFile(file, [...args, '/bin/true'], { env: {}, timeout: 10_000 }, (error, _out, complaint) => {
      if (error === null) resolve();
      else reject(new Error(complaint.trim() || error.message));
    });
  });
