import { readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { parseJson, readStringAt } from '../../../base/json.ts';

/** Whether commands can be shut in here. */
export type SandboxVerdict = { readonly ok: true } | { readonly ok: false; readonly why: string };

/**
 * What the probe found, remembered below the profile until the machine starts anew, another kernel runs or bubblewrap is
 * another: the probe starts two sandboxes, and a session must not wait for that each time.
 */
export async function knownSandbox(home: string): Promise<SandboxVerdict> {
  const path = toVerdictPath(home);
  const machine = describeMachine();
  const known = parseJson(readIfThere(path));
  if (readStringAt(known, 'machine') === machine) {
    const why = readStringAt(known, 'why');
    return why === undefined ? { ok: true } : { ok: false, why };
  }
  const { sandboxHere } = await import('./probe.ts');
  const found = await sandboxHere();
  const verdict: SandboxVerdict = found.ok ? { ok: true } : { ok: false, why: found.why };
  try {
    makeFolder(dirname(path));
    writeFileSync(path, `${JSON.stringify({ machine, ...verdict })}\n`, { mode: 0o600 });
  } catch {
    // In a home that cannot be written to it is tried again the next time.
  }
  return verdict;
}

/** It did not open after all. */
export const forgetSandbox = (home: string): void => rmSync(toVerdictPath(home), { force: true });

const toVerdictPath = (home: string): string => join(home, 'cache', 'sandbox.json');
const describeMachine = (): string =>
  [
    process.platform,
    release(),
    process.getuid?.(),
    readIfThere('/proc/sys/kernel/random/boot_id').trim(),
    ...['/usr/bin/bwrap', '/usr/bin/unshare'].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs),
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
