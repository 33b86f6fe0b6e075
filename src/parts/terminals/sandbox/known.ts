import { readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import type { SandboxProbe } from './probe.ts';
import { findSandboxTools, type SandboxExtras, type SandboxTools } from './tools.ts';

/**
 * What the probe found, remembered below the profile until the machine starts anew, another kernel runs or bubblewrap is
 * another: the probe starts two sandboxes, and a session must not wait for that each time.
 */
export async function knownSandbox(home: string): Promise<SandboxProbe> {
  const path = toVerdictPath(home);
  const machine = describeMachine();
  const known = parseJson(readIfThere(path));
  if (readStringAt(known, 'machine') === machine) {
    const why = readStringAt(known, 'why');
    const has = (name: string): boolean => readPath(known, name) === true;
    // The paths are never taken from the file: it says what works, not what is run.
    if (process.platform === 'darwin' && why === undefined) return { ok: true };
    const tools = why === undefined ? findSandboxTools({ unshare: has('unshare'), seccomp: has('seccomp') }) : { why };
    return 'why' in tools ? { ok: false, why: tools.why } : { ok: true, tools };
  }
  const { sandboxHere } = await import('./probe.ts');
  const found = await sandboxHere();
  const verdict = found.ok ? found.tools && toExtras(found.tools) : { why: found.why };
  try {
    makeFolder(dirname(path));
    writeFileSync(path, `${JSON.stringify({ machine, ...verdict })}\n`, { mode: 0o600 });
  } catch {
    // In a home that cannot be written to it is tried again the next time.
  }
  return found;
}
const toExtras = ({ unshare, perl }: SandboxTools): SandboxExtras => ({ unshare: unshare !== undefined, seccomp: perl !== undefined });

/** It did not open after all. */
export const forgetSandbox = (home: string): void => rmSync(toVerdictPath(home), { force: true });

const toVerdictPath = (home: string): string => join(home, 'cache', 'sandbox.json');
const describeMachine = (): string =>
  [
    process.platform,
    release(),
    process.getuid?.(),
    readIfThere('/proc/sys/kernel/random/boot_id').trim(),
    ...['/usr/bin/bwrap', '/usr/bin/unshare', '/usr/bin/perl'].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs),
    // Another container on the same kernel may allow more, or less.
    ...['mnt', 'user'].map((name) => linkIfThere(`/proc/self/ns/${name}`)),
    ...['/proc/sys/user/max_user_namespaces', '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'].map((path) =>
      readIfThere(path).trim(),
    ),
  ].join(' ');

function linkIfThere(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
