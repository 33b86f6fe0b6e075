import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import type { Terminal, TerminalBackend } from '../../../contracts/terminal.ts';
import { createShellFiles, type ShellRun } from '../files/shell.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { runPiped } from '../process/piped.ts';
import { createCommandId } from '../process/lineage.ts';
import { endAll } from '../process/process-group.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { openSession, type ShellHost } from '../shell/session.ts';
import { startHolder, type SandboxHolder } from './holder.ts';
import { INSIDE, createSandboxArguments, type SandboxPlan } from './mounts.ts';
import { enterCommand, sandboxHere, type SandboxTools } from './probe.ts';
import { survey, resolveWorkspace, type SandboxOptions } from './survey.ts';
import { createRmShim } from './trash.ts';

/** Commands on this machine that see the system read-only, their workspace, and nothing else of the owner's. */
export const sandboxTerminal = (options: SandboxOptions = {}): TerminalBackend => ({
  kind: 'sandbox',
  open: async ({ cwd, env }) => {
    const probe = await sandboxHere();
    if (!probe.ok)
      throw new UsageError(`Commands cannot be run in a sandbox: ${probe.why}. Install what is missing, or set terminal.backend.`);
    const { workspace, start } = placeFor(cwd, options);
    return openSandbox({ workspace, start, env, tools: probe.tools, options });
  },
});

/** A session may stand below its workspace. One that stands in the home itself is given another place, or told. */
function placeFor(cwd: string, { profile, instead }: SandboxOptions): { readonly workspace: string; readonly start: string } {
  const found = resolveWorkspace(cwd, profile);
  if ('workspace' in found) return { ...found, start: found.workspace };
  if (instead !== undefined) {
    makeFolder(instead);
    const workspace = realpathSync(instead);
    return { workspace, start: workspace };
  }
  throw new UsageError(
    `No sandbox in ${cwd}: ${found.why}, and all of it would be open to commands. Set terminal.cwd to a project's folder.`,
  );
}

interface SandboxOpening {
  readonly workspace: string;
  readonly start: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tools: SandboxTools;
  readonly options: SandboxOptions;
}

async function openSandbox({ workspace, start, env, tools, options }: SandboxOpening): Promise<Terminal> {
  const seen = survey(workspace, options);
  const box = await options.trash?.(seen.writable);
  const own = ownFolders();
  const plan: SandboxPlan = { ...seen, own: own.folders, ...(box !== undefined && { trash: box.folder }) };
  if (box !== undefined) writeShim(plan);
  const given = environmentInside(env, options.pass ?? [], box !== undefined);
  const holder = keepHolder(() => startHolder(tools.bwrap, createSandboxArguments(plan)));
  const close = async () => {
    await holder.close();
    own.remove();
    box?.close();
  };
  try {
    await holder.get();
  } catch (error) {
    await close();
    throw error;
  }
  const launch = async (program: readonly string[]): Promise<ProgramLaunch> => {
    const mark = createCommandId();
    return {
      file: tools.nsenter,
      args: [...enterCommand((await holder.get()).pid, plan), ...program],
      cwd: '/',
      env: given,
      mark,
      // All commands share one table of processes: what leaves its group there goes on until the sandbox is closed.
      end: (leader) => endAll({ leader, mark, spareLeader: true }),
    };
  };
  return openSession({ ...placeOf(launch, plan.home, Object.keys(given), close), roomHere: plan.own.room }, start);
}
const FILES_MS = 60_000;

function placeOf(
  launch: (program: readonly string[]) => Promise<ProgramLaunch>,
  home: string,
  given: readonly string[],
  close: () => Promise<void>,
): ShellHost {
  const shell = existsSync('/bin/bash') ? 'bash' : 'sh';
  const run: ShellRun = async (script, { stdin, signal, room }) =>
    runPiped(await launch(['/bin/sh', '-c', script]), {
      signal,
      timeoutMs: FILES_MS,
      maxOutput: room,
      ...(stdin !== undefined && { stdin }),
    });
  return {
    kind: 'sandbox',
    files: createShellFiles(run, { home }),
    shell,
    room: INSIDE.room,
    given,
    scriptGoes: true,
    launch: (script) => launch([`/bin/${shell}`, '-c', script]),
    close,
  };
}

/** A command may end the process that holds the sandbox. Then there is a new one for the next, over the same folders. */
function keepHolder(start: () => Promise<SandboxHolder>): { get(): Promise<SandboxHolder>; close(): Promise<void> } {
  let holder: Promise<SandboxHolder> | undefined;
  return {
    get: async () => {
      const asked = holder;
      const found = await asked?.catch(() => undefined);
      if (found?.alive() === true) return found;
      // Of several that find it gone, one makes the new one.
      if (holder === asked) holder = start();
      return holder ?? start();
    },
    close: async () => (await holder?.catch(() => undefined))?.end(),
  };
}

/** What a sandbox has to itself, on the disk of the host: its `/tmp`, its home and what is ours. Gone with it. */
function ownFolders(): { readonly folders: SandboxPlan['own']; remove(): void } {
  const { path, close } = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-sandbox-');
  const folder = (name: string): string => {
    mkdirSync(join(path, name), { mode: 0o700 });
    return join(path, name);
  };
  const folders = { tmp: folder('tmp'), home: folder('home'), bin: folder('bin'), room: folder('room') };
  for (const file of ['a', 'b']) writeFileSync(join(folders.room, file), '', { mode: 0o600 });
  return { folders, remove: close };
}

function writeShim({ own, writable }: SandboxPlan): void {
  const rm = ['/usr/bin/rm', '/bin/rm'].find(existsSync);
  if (rm !== undefined) writeFileSync(join(own.bin, 'rm'), createRmShim({ rm, roots: writable }), { mode: 0o755 });
}

/** By name: what leads out (agents, displays, buses, engines) or into our own files is not among them. */
const INSIDE_NAMES =
  /^(?:PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|TZ|CI|EDITOR|PAGER|LESS|DEBIAN_FRONTEND|PYTHON\w*|NODE_\w+|GO\w+|CARGO_\w+|RUST\w*|JAVA_HOME|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|VIRTUAL_ENV|(?:HTTPS?|NO)_PROXY|https?_proxy|no_proxy|SSL_CERT_\w+|GIT_(?:AUTHOR|COMMITTER)_\w+)$/;

function environmentInside(env: Readonly<Record<string, string>>, pass: readonly string[], shim: boolean): Record<string, string> {
  const allowed = Object.entries(env).filter(([name]) => INSIDE_NAMES.test(name) || pass.includes(name));
  const path = env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  return {
    ...Object.fromEntries(allowed),
    PATH: shim ? `${INSIDE.bin}:${path}` : path,
    HOME: homedir(),
    TMPDIR: '/tmp',
    SHLVL: '1',
    // Root without rights cannot give files away, and tar would fail over every foreign owner in an archive.
    ...(process.getuid?.() === 0 && { TAR_OPTIONS: '--no-same-owner' }),
  };
}
