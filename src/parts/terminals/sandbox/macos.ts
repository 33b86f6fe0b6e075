import { execFile } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toErrorMessage } from '../../../base/errors.ts';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { Files } from '../../../contracts/files.ts';
import type { OpenTerminalOptions, Terminal } from '../../../contracts/terminal.ts';
import type { WallFiles } from '../../../contracts/wall.ts';
import { localFiles } from '../files/local.ts';
import { createShellFiles } from '../files/shell.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { createCommandId } from '../process/lineage.ts';
import { runPiped } from '../process/piped.ts';
import { openSession } from '../shell/session.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { openOwnFolders } from './tier.ts';
import { surveyAttended } from './attended.ts';
import { createInnerEnvironment } from './environment.ts';
import { createMacosProfile } from './macos-profile.ts';
import { mountedFolders } from './mounts.ts';
import { openOutside } from './outside.ts';
import { MACOS_TOOLS, type SandboxProbe } from './tools.ts';
import { survey, type SandboxOptions } from './survey.ts';

const { sandboxExec: SANDBOX_EXEC } = MACOS_TOOLS;

/** Whether the system shuts a program in by such rules: what is hidden cannot be read, and the rest can. */
export async function probeMacos(): Promise<SandboxProbe> {
  const folder = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-probe-');
  try {
    const [shown, hidden] = [join(folder.path, 'shown'), join(folder.path, 'hidden')];
    for (const path of [shown, hidden]) writeFileSync(path, 'x');
    const profile = createMacosProfile({
      writable: [],
      readable: [],
      hidden: [{ path: hidden, kind: 'file' }],
      guarded: [],
      network: false,
      own: [],
    });
    const test = 'cat "$1" >/dev/null && ! cat "$2" 2>/dev/null && ! echo y 2>/dev/null >"$1"';
    await promisify(execFile)(SANDBOX_EXEC, ['-p', profile, '/bin/sh', '-c', test, 'sh', shown, hidden], { timeout: 10_000 });
    return { ok: true, tools: MACOS_TOOLS };
  } catch (error) {
    return { ok: false, why: `sandbox-exec does not work here: ${toErrorMessage(error)}` };
  } finally {
    folder.close();
  }
}

/** Commands behind rules of the system. There are no mounts: every path keeps its name, and `/tmp` is told by `TMPDIR` alone. */
export async function openMacosSandbox(place: string, given: OpenTerminalOptions, options: SandboxOptions): Promise<Terminal> {
  const profile = options.wall ?? 'unattended';
  const {
    own: { tmp, room: snapshots },
    path: room,
    remove,
  } = openOwnFolders();
  const own = [tmp, snapshots];
  const plan =
    profile === 'unattended'
      ? survey(place, options)
      : surveyAttended(place, { ...options, env: given.env, granted: { read: [], write: [] } });
  // Unattended all of the home is out of sight, but for what was named.
  const hidden = profile === 'unattended' ? [{ path: homedir(), kind: 'folder' as const }, ...plan.hidden] : plan.hidden;
  writeFileSync(join(room, 'rules.sb'), createMacosProfile({ ...plan, hidden, own }));
  const env = {
    ...createInnerEnvironment({ profile, env: given.env, pass: options.pass ?? [], inside: { ...mountedFolders(homedir()), tmp } }),
  };
  const launch = (script: string, cwd: string): ProgramLaunch => ({
    file: SANDBOX_EXEC,
    args: ['-f', join(room, 'rules.sb'), '/bin/bash', '-c', script],
    cwd,
    env: { ...env, PWD: cwd },
    mark: createCommandId(),
  });
  const allowed = new Set<string>();
  const inside = createShellFiles(
    (script, { signal, stdin, room: maxOutput }) =>
      runPiped(launch(script, '/'), { signal, timeoutMs: 60_000, maxOutput, ...(stdin !== undefined && { stdin }) }),
    { home: homedir() },
  );
  /** A file the owner agreed to is touched from out here: the rules of the system know no single yes. */
  const filesFor = (path: string): Files => (allowed.has(resolveFromNearestParent(path)) ? localFiles : inside);
  const files: Files = {
    ...inside,
    stat: (path) => filesFor(path).stat(path),
    read: (path, signal) => filesFor(path).read(path, signal),
    write: (path, bytes) => filesFor(path).write(path, bytes),
  };
  const isHidden = (path: string): boolean =>
    hidden.some((each) => isWithin(each.path, path)) && ![...plan.readable, ...plan.writable].some((shown) => isWithin(shown, path));
  const session: Terminal = openSession(
    {
      kind: 'sandbox',
      files,
      shell: 'bash',
      room: snapshots,
      roomHere: snapshots,
      given: Object.keys(env),
      launch,
      close: remove,
    },
    place,
  );
  const outside = openOutside(() => session.cwd, given);
  const wall: WallFiles = {
    keepsFrom: (path, how) => isHidden(path) || (how === 'write' && ![...plan.writable, ...own].some((folder) => isWithin(folder, path))),
    isAllowed: (path) => allowed.has(resolveFromNearestParent(path)),
    // Its rules name folders: what may be read there is seen as it is.
    show: async (path) => !isHidden(path),
    allow: (path) => void allowed.add(resolveFromNearestParent(path)),
    isPlain: (folder) =>
      !hidden.some((each) => isWithin(folder, each.path)) && resolveFromNearestParent(folder) === folder && !isHidden(folder),
  };
  return {
    ...session,
    get cwd() {
      return session.cwd;
    },
    wall: {
      tier: 'macos',
      profile,
      writable: plan.writable,
      hides: isHidden,
      files: wall,
      runOutside: (command, run) => outside.run(command, run),
      startOutside: (command, start) => outside.start(command, start),
      canOpenPaths: async () => false,
      endInside: async () =>
        void (await session.run('kill -9 -1', { signal: new AbortController().signal, timeoutMs: 5_000, maxOutput: 1_000 })),
      grant: () =>
        Promise.reject(new Error('the sandbox of macOS cannot be widened while it is open. Add the folder to terminal.sandbox_paths.')),
    },
    [Symbol.asyncDispose]: async () => {
      await outside[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}
