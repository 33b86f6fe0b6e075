import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import { lazy } from '../../../base/lazy.ts';
import { parseJson, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import { linkIfThere, readIfThere } from '../../../base/peek.ts';
import { isWalledKind } from '../../../contracts/terminal.ts';
import type { WallTierName } from '../../../contracts/wall.ts';
import { findLauncher } from '../launcher/launcher.ts';
import { findBubblewrap, MACOS_TOOLS, type SandboxProbe, type SandboxTools } from './tools.ts';

/**
 * Whether a session will find a sandbox here, without making one: by what is remembered, else by what is installed. Only where
 * systems like this one often forbid it, it is tried now.
 */
export async function expectSandbox(home: string): Promise<ExpectedSandbox> {
  const known = readVerdict(home);
  if (known !== undefined) return toExpected(known);
  const isClear = !isDoubtful() && !('why' in findBubblewrap({ unshare: true, seccomp: true }));
  return isClear ? { ok: true, tier: 'bubblewrap' } : toExpected(await knownSandbox(home));
}
export type ExpectedSandbox = { readonly ok: true; readonly tier: WallTierName } | { readonly ok: false; readonly why: string };
const toExpected = (probe: SandboxProbe): ExpectedSandbox => (probe.ok ? { ok: true, tier: probe.tools.tier } : probe);

/**
 * What the probe found, remembered below the profile until the machine starts anew, another kernel runs or bubblewrap is
 * another: the probe starts a sandbox or two, and a session must not wait for that each time.
 */
export async function knownSandbox(home: string): Promise<SandboxProbe> {
  const known = readVerdict(home);
  if (known !== undefined) return known;
  const { sandboxHere } = await import('./probe.ts');
  const found = await sandboxHere();
  rememberSandbox(home, found);
  return found;
}
export function rememberSandbox(home: string, found: SandboxProbe): void {
  const verdict = found.ok ? toVerdict(found.tools) : { why: found.why };
  try {
    const path = toVerdictPath(home);
    makeFolder(dirname(path));
    writeFileSync(path, `${JSON.stringify({ machine: describeMachine(), ...verdict })}\n`, { mode: 0o600 });
  } catch {
    // In a home that cannot be written to it is tried again the next time.
  }
}

/** The paths are never taken from the file: it says what works, not what is run. */
function readVerdict(home: string): SandboxProbe | undefined {
  const known = parseJson(readIfThere(toVerdictPath(home)));
  if (readStringAt(known, 'machine') !== describeMachine()) return undefined;
  const has = (name: string): boolean => readPath(known, name) === true;
  const [why, tier] = [readStringAt(known, 'why'), readStringAt(known, 'tier')];
  if (why !== undefined) return { ok: false, why };
  if (tier === 'macos') return { ok: true, tools: MACOS_TOOLS };
  if (tier === 'floor') {
    const launcher = findLauncher();
    const [level, instead = ''] = [readNumberAt(known, 'level'), readStringAt(known, 'instead')];
    return launcher === undefined || level === undefined ? undefined : { ok: true, tools: { tier, ...launcher, level, instead } };
  }
  const tools = findBubblewrap({ unshare: has('unshare'), seccomp: has('seccomp') });
  return 'why' in tools ? undefined : { ok: true, tools };
}

/** Containers, and systems that keep user namespaces from ordinary people. */
const isDoubtful = (): boolean =>
  process.platform !== 'linux' ||
  ['/.dockerenv', '/run/.containerenv', '/run/systemd/container'].some(existsSync) ||
  readIfThere('/proc/sys/user/max_user_namespaces').trim() === '0' ||
  (process.getuid?.() !== 0 &&
    (readIfThere('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1' ||
      readIfThere('/proc/sys/kernel/unprivileged_userns_clone').trim() === '0'));
const toVerdict = (tools: SandboxTools): object => {
  if (tools.tier === 'bubblewrap') return { tier: tools.tier, unshare: tools.unshare !== undefined, seccomp: tools.launcher !== undefined };
  return tools.tier === 'floor' ? { tier: tools.tier, level: tools.level, instead: tools.instead } : { tier: tools.tier };
};

/** It did not open after all. */
export const forgetSandbox = (home: string): void => rmSync(toVerdictPath(home), { force: true });

const toVerdictPath = (home: string): string => join(home, 'cache', 'sandbox.json');
/** Sessions that are opened one after the other find the same machine. */
const MACHINE_MS = 1_000;
let machine: { readonly words: string; readonly at: number } | undefined;
function describeMachine(): string {
  const now = performance.now();
  if (machine === undefined || now - machine.at > MACHINE_MS) machine = { words: lookAtMachine(), at: now };
  return machine.words;
}

const lookAtMachine = (): string =>
  [
    ...describeKernel().boot,
    ...['/usr/bin/bwrap', '/usr/bin/unshare'].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs),
    ...describeKernel().spaces,
    ...['/proc/sys/user/max_user_namespaces', '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'].map((path) =>
      readIfThere(path).trim(),
    ),
  ].join(' ');

/** What stays as it is while this process lives. */
const describeKernel = lazy(() => ({
  boot: [process.platform, release(), process.getuid?.(), readIfThere('/proc/sys/kernel/random/boot_id').trim()],
  // Another container on the same kernel may allow more, or less.
  spaces: ['mnt', 'user'].map((name) => linkIfThere(`/proc/self/ns/${name}`)),
}));

/** Whether commands of sessions that nobody attends run behind a wall: with `auto`, only where there can be a sandbox. */
export const isWalledHere = async (backend: string, home: string): Promise<boolean> =>
  backend === 'auto' ? (await expectSandbox(home)).ok : isWalledKind(backend);
