import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { realPath } from '../../../base/real-path.ts';
import { toVisibleLine } from '../../../base/visible.ts';
import { isWithin } from '../../../base/within.ts';
import type { OpenTerminalOptions, RunOptions, RunResult, Terminal, TerminalBackend } from '../../../contracts/terminal.ts';
import type { Wall } from '../../../contracts/terminal.ts';
import { createShellFiles, type ShellRun } from '../files/shell.ts';
import type { ProgramLaunch } from '../process/launch.ts';
import { runPiped, type ClockedRun } from '../process/piped.ts';
import { createCommandId } from '../process/lineage.ts';
import { endAll } from '../process/process-group.ts';
import { openSession, type ShellHost } from '../shell/session.ts';
import { hostSockets, listSecretFolders, surveyAttended } from './attended.ts';
import { openCacheStore, openUp } from './caches.ts';
import { createInnerEnvironment, splitForEntry } from './environment.ts';
import { createWalledFiles } from './files.ts';
import { AGENT, readGitAuthor, writeGitAuthor } from './git-author.ts';
import { writeIdentity } from './identity.ts';
import { withoutInherited } from './inherited.ts';
import { findPathLookup, type PathInside } from './inside-paths.ts';
import type { SandboxKeeper } from './keeper.ts';
import { writePackageSettings } from './package-settings.ts';
import type { SandboxPlan } from './mounts.ts';
import type { SandboxNetwork } from './network-port.ts';
import { openOutside } from './outside.ts';
import { sandboxHere } from './probe.ts';
import { describeSandboxCure } from './cure.ts';
import type { BubblewrapTools, FloorTools, SandboxProbe } from './tools.ts';
import { forgetSandbox, knownSandbox } from './known.ts';
import { survey, type SandboxOptions, type SurveyedPlan } from './survey.ts';
import { limitTemporaryFiles, type TemporaryLimit } from './temporary-limit.ts';
import { emptyOwnFolders, openTier } from './tier.ts';
import { createRmShim } from './trash.ts';
import { createFileShower, createWall } from './wall.ts';
import { resolveWorkspace } from './workspace.ts';

/** Commands on this machine behind a wall: see `Wall` for what it promises. */
export const sandboxTerminal = (options: SandboxOptions = {}): TerminalBackend => ({
  kind: 'sandbox',
  open: async (given) => {
    const probe = options.tools === undefined ? await findSandbox(options.profile) : ({ ok: true, tools: options.tools } as const);
    if (!probe.ok)
      throw new UsageError(
        `Commands cannot be run in a sandbox: ${probe.why}. ${describeSandboxCure()}. Or run commands with all of your rights, without a sandbox: hermes config set terminal.backend local`,
      );
    const place = placeFor(given.cwd, options);
    if (probe.tools.tier === 'macos') return (await import('./macos.ts')).openMacosSandbox(place, given, options);
    return openSandbox({ place, given, tools: probe.tools, options });
  },
});

const findSandbox = (profile: string | undefined): Promise<SandboxProbe> => (profile === undefined ? sandboxHere() : knownSandbox(profile));

/** Where the first command stands. Unattended, a session that stands in the home itself is given another place, or told. */
function placeFor(cwd: string, { profile, instead, wall }: SandboxOptions): string {
  const real = realPath(cwd);
  if (real === undefined)
    throw new UsageError(`the working directory ${cwd} is gone. Make it again, or start a session in another folder.`);
  if (wall === 'attended') return real;
  const found = resolveWorkspace(cwd, profile);
  if ('workspace' in found) return found.workspace;
  if (instead !== undefined) {
    makeFolder(instead);
    return realpathSync(instead);
  }
  throw new UsageError(
    `No sandbox in ${cwd}: ${found.why}, and all of it would be open to commands. Set terminal.cwd to a project's folder.`,
  );
}

interface SandboxOpening {
  readonly place: string;
  readonly given: OpenTerminalOptions;
  readonly tools: BubblewrapTools | FloorTools;
  readonly options: SandboxOptions;
}

async function openSandbox({ place, given, tools, options }: SandboxOpening): Promise<Terminal> {
  const profile = options.wall ?? 'unattended';
  // What is open when something fails here is nobody else's to close.
  await using opened = new AsyncDisposableStack();
  const tier = openTier(tools);
  opened.defer(tier.close);
  const layers = options.profile === undefined || profile !== 'attended' ? undefined : openCacheStore(options.profile, place);
  opened.defer(() => layers?.close());
  const granted = { read: new Set<string>(), write: new Set<string>() };
  const look = (): SurveyedPlan =>
    profile === 'unattended'
      ? survey(place, options, given.env)
      : surveyAttended(place, {
          ...options,
          env: given.env,
          granted: { read: [...granted.read], write: [...granted.write] },
          ...(layers !== undefined && { layers: { ...layers, ...(tier.layers !== undefined && { merge: tier.layers }) } }),
        });
  const first = look();
  const box = await options.trash?.(first.writable);
  opened.defer(() => box?.close());
  const { own, inside, loopback } = tier;
  const plain = createInnerEnvironment({ ...options, profile, env: given.env, pass: options.pass ?? [], inside });
  const identity = options.forGuests === true ? writeIdentity(own.bin) : [];
  const network = await options.openNetwork?.({
    sockets: { here: own.sockets, inside: inside.sockets },
    bin: { here: own.bin, inside: inside.bin },
    loopback,
    writable: first.writable,
    hidden: first.hidden.flatMap(({ path }) => (isWithin(first.home, path) ? [path] : [])),
    look: (path): PathInside => findPathLookup(keeper.plan)(path),
    env: plain,
  });
  opened.defer(() => network?.close());
  const packages =
    profile === 'attended'
      ? writePackageSettings({ home: homedir(), folder: own.bin, inside: inside.bin, env: plain, always: tier.replacesSettings })
      : {};
  const running = new Set<string>();
  let makeRoom = async (): Promise<void> => {};
  const keeper = await tier.openKeeper({
    survey: look,
    more: { shown: [...identity, ...(network?.shown ?? [])], ...(box !== undefined && { trash: box.folder }) },
    stamp: profile === 'attended' ? stampOf : () => '',
    makeRoom: () => makeRoom(),
    notice: (words) => options.notice?.(words),
    onBroken: () => (options.profile === undefined ? undefined : forgetSandbox(options.profile)),
    onStale: () => options.notice?.(describeStale(running.values().next().value)),
  });
  opened.defer(async () => {
    await keeper.close();
    for (const { over } of keeper.plan.caches) if (over !== undefined) openUp(over.work);
  });
  if (box !== undefined) writeShim(keeper.plan);
  const fillHome = (): void => {
    if (profile !== 'unattended') return;
    const owner = { home: homedir(), config: given.env['XDG_CONFIG_HOME'] };
    writeGitAuthor(options.forGuests === true ? AGENT : readGitAuthor(owner), own.home);
    tier.fillHome(first);
  };
  fillHome();
  const env = { ...plain, ...tier.listVariables(keeper.plan, plain['PATH']), ...packages, ...network?.env };
  const outside = opened.use(openOutside(() => session.cwd, given));
  const host = createHost(keeper, env, () => all.disposeAsync());
  const walled = createWalledFiles({ plan: () => keeper.plan, inside: host.files, show: createFileShower(keeper, granted.read) });
  const { room } = own;
  const session = openSession(
    { ...host, ...inEditor(given, room, inside.room), files: walled.files, roomHere: room, onMakeRoom: (way) => (makeRoom = way) },
    place,
  );
  const wall = createWall({ tier: tools.tier, keeper, granted, outside, network, files: walled.wall });
  const limit = limitTemporaryFiles({
    mb: options.tempMb ?? 0,
    folders: [own.tmp, own.home, own.room],
    keeper,
    empty: () => emptyOwnFolders(own).then(fillHome),
  });
  opened.defer(limit.close);
  const terminal = watchCommands(session, { network, wall, running, limit, isStale: keeper.isStale });
  // From here on the session closes all of it, the last first.
  const all = opened.move();
  return terminal;
}

const describeStale = (command: string | undefined): string =>
  `New files in your home are not visible in the sandbox until ${command === undefined ? 'the command that runs in it' : `\`${toVisibleLine(command)}\``} ends.`;

interface WatchedCommands {
  readonly network: SandboxNetwork | undefined;
  readonly wall: Wall;
  /** Commands in the background, the oldest first. */
  readonly running: Set<string>;
  readonly limit: TemporaryLimit;
  isStale(): boolean;
}
/** What commands of a session were turned away from, could not see, or were ended for, is told with their results. */
function watchCommands(session: Terminal, { network, wall, running, limit, isStale }: WatchedCommands): Terminal {
  const stale = (): Pick<RunResult, 'stale'> => {
    const [until = ''] = running;
    return isStale() ? { stale: { until } } : {};
  };
  return {
    ...session,
    get cwd() {
      return session.cwd;
    },
    wall,
    run: async (command, options) => {
      const limited = await limit.begin();
      let pause = (_waiting: boolean): void => {};
      const watch = network?.begin({ ...options, pause: (waiting) => pause(waiting) });
      const clocked: RunOptions & ClockedRun = { ...options, onPause: (tell) => (pause = tell) };
      const result = await session.run(command, clocked);
      limited.end();
      const [blocked = [], unreached = [], stopped] = [watch?.end(), watch?.unreached(), limited.stopped()];
      return {
        ...result,
        ...stale(),
        ...(stopped !== undefined && result.exitCode !== 0 && { stopped }),
        ...(watch?.reachedNobody() === true && { reachedNobody: true as const }),
        ...(blocked.length > 0 && { blocked }),
        ...(unreached.length > 0 && { unreached }),
      };
    },
    start: async (command, options) => {
      const limited = await limit.begin();
      const started = await session.start(command, options);
      const { askHost } = options;
      const watch = network?.begin({ pause: () => {}, ...(askHost === undefined ? { background: true } : { askHost }) });
      running.add(command);
      void started.exited.finally(() => {
        running.delete(command);
        limited.end();
        watch?.end();
      });
      const stopped = (): string | undefined => (started.status().state === 'exited' ? limited.stopped() : undefined);
      return { ...started, status: () => ({ ...started.status(), ...(stopped() !== undefined && { stopped: stopped() ?? '' }) }) };
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** What tells of new entries in the folders that hold secrets by name, and of new sockets that commands would see. */
const stampOf = (plan: SandboxPlan): string => {
  const covered = new Set(plan.hidden.map(({ path }) => path));
  const sockets = hostSockets().flatMap(({ path }) => (covered.has(path) ? [] : [path]));
  const lookUp = sockets.length === 0 ? undefined : findPathLookup(plan);
  return [
    ...listSecretFolders(homedir()).map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    ...sockets.filter((path) => lookUp?.(path).type === 'host'),
  ].join();
};
/** The editor's terminals lie outside; what they run is the way in, and the command inside. */
function inEditor({ runProgram }: OpenTerminalOptions, room: string, seenAs: string): Pick<ShellHost, 'runElsewhere'> {
  if (runProgram === undefined) return {};
  return {
    runElsewhere: async (launch, command, options) => {
      const { runInEditor } = await import('../local/in-editor.ts');
      return runInEditor(launch, command, options, { runProgram, room, seenAs });
    },
  };
}

const FILES_MS = 60_000;

function createHost(keeper: SandboxKeeper, env: Readonly<Record<string, string>>, close: () => Promise<void>): ShellHost {
  const shell = existsSync('/bin/bash') ? 'bash' : 'sh';
  const entry = splitForEntry(env);
  const launch = async (program: readonly string[]): Promise<ProgramLaunch> => {
    const mark = createCommandId();
    const way = await keeper.enter();
    const before = way.shutsInherited === true ? [] : withoutInherited();
    const [file = way.file, ...args] = [...before, way.file, ...way.args, ...entry.words, ...program];
    return {
      file,
      args,
      cwd: '/',
      env: entry.env,
      mark,
      // All commands share one table of processes: what leaves its group there goes on until the sandbox is closed.
      end: (leader) => endAll({ leader, mark, spareLeader: true }),
    };
  };
  const run: ShellRun = async (script, { stdin, signal, room }) =>
    runPiped(await launch(['/bin/sh', '-c', script]), {
      signal,
      timeoutMs: FILES_MS,
      maxOutput: room,
      ...(stdin !== undefined && { stdin }),
    });
  return {
    kind: 'sandbox',
    files: createShellFiles(run, { home: keeper.plan.home }),
    shell,
    room: keeper.plan.inside.room,
    given: Object.keys(env),
    scriptGoes: true,
    launch: (script) => launch([`/bin/${shell}`, '-c', script]),
    close,
  };
}

function writeShim({ own, inside, writable }: SandboxPlan): void {
  const rm = ['/usr/bin/rm', '/bin/rm'].find(existsSync);
  if (rm !== undefined) writeFileSync(join(own.bin, 'rm'), createRmShim({ rm, roots: writable, trash: inside.trash }), { mode: 0o755 });
}
