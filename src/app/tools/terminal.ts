import { delimiter, dirname, join, relative } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import type { Home } from '../../base/home.ts';
import { findVisibleProject, hasLocalFiles, type Terminal, type TerminalInfo } from '../../contracts/terminal.ts';
import type { WallProfile, WallTierName } from '../../contracts/wall.ts';
import { ToolRefusal } from '../../contracts/tool.ts';
import { createRedactingTerminal } from '../../parts/safety/secrets/terminal.ts';
import { listSkillFolders } from '../../parts/skills/open.ts';
import type { OwnBackendOptions } from '../../parts/terminals/backends.ts';
import { deferTerminal } from '../../parts/terminals/deferred.ts';
import { createEditedTerminal } from '../../parts/terminals/files/editor.ts';
import { filterCommandEnvironment } from '../../parts/terminals/process/environment.ts';
import { expectSandbox } from '../../parts/terminals/sandbox/known.ts';
import { bringReceived } from '../../parts/terminals/received.ts';
import { keepShell } from '../../parts/terminals/shell/kept-shell.ts';
import type { FarBackendOptions } from '../../parts/terminals/far-backends.ts';
import type { SyncSource } from '../../parts/terminals/sync/plan.ts';
import { toSpillFolder } from '../../parts/tools/budget.ts';
import { createSessionGuard, type SessionGuard } from './guarded-terminal.ts';
import type { HomeParts } from './home-parts.ts';
import type { SessionPlan } from './home-parts.ts';
import { findSandboxNetwork } from './sandbox-network.ts';
import { learnWorkspaceSecrets } from './workspace-secrets.ts';

export type TerminalParts = Pick<HomeParts, 'home' | 'config' | 'env' | 'secrets' | 'registered'>;
export type TerminalPlan = Pick<SessionPlan, 'platform' | 'cwd' | 'sessionId' | 'terminalTask' | 'notice' | 'shell'> &
  Partial<Pick<SessionPlan, 'ports' | 'received' | 'unaided' | 'forGuests'>>;

/** Where commands of a session go. Nothing is opened before the first of them. */
export async function openTerminal(parts: TerminalParts, plan: TerminalPlan): Promise<Terminal> {
  const backend = await backendFor(parts, plan);
  const { name } = backend;
  const guard = plan.unaided === true ? undefined : createGuard(name, parts, plan);
  const told = new Set<string>();
  const place = name === 'local' ? undefined : await placeOf(backend, parts, plan);
  const open = async (): Promise<Terminal> => withReceived(await openBackend(backend, guard, parts, plan), place, plan);
  const fail = (error: unknown): never => unreachable(error, plan.notice, told);
  // The one on this machine opens nothing before its first command, and knows folder and home from the start.
  const opened = name === 'local' ? await open().catch(fail) : deferTerminal({ kind: name, cwd: plan.cwd, place, open, fail });
  const kept = plan.shell === undefined ? opened : keepShell(opened, plan.shell);
  const edited = hasLocalFiles(name)
    ? createEditedTerminal(kept, plan.ports?.editor, { root: plan.cwd, isWalled: name !== 'local' })
    : kept;
  const plain = guard?.guard(edited) ?? edited;
  if (parts.secrets === undefined) return plain;
  // Before anything is said in the session: what becomes known later would change words that were sent already.
  if (hasLocalFiles(name)) learnWorkspaceSecrets(plan.cwd, parts.secrets);
  return createRedactingTerminal(plain, parts.secrets);
}

/** Of a folder in which the owner works on; nobody does where a model is measured, and nobody is asked there. */
const createGuard = (kind: string, { home, config: { settings }, env }: TerminalParts, { cwd, notice }: TerminalPlan): SessionGuard =>
  createSessionGuard({
    kind,
    cwd,
    paths: settings['terminal.sandbox_paths'],
    isMounted: CONTAINERS.has(kind) && settings['terminal.docker_mount_cwd_to_workspace'],
    ...(env['PATH'] !== undefined && { programs: env['PATH'] }),
    home: home.root,
    allowedHosts: settings['terminal.allowed_hosts'],
    notice,
  });

/** Files that were sent to a session lie in its folder: only where commands do not see that are they brought along. */
function withReceived(terminal: Terminal, place: TerminalInfo | undefined, { received, cwd, notice }: TerminalPlan): Terminal {
  if (received === undefined || hasLocalFiles(terminal.kind) || findVisibleProject(cwd, place) !== undefined) return terminal;
  return bringReceived(terminal, { from: received, notice });
}

async function placeOf(
  { name, wall, tier = 'bubblewrap' }: ChosenBackend,
  parts: TerminalParts,
  plan: TerminalPlan,
): Promise<TerminalInfo | undefined> {
  const options = { ...backendOptions(parts, plan, wall), cwd: plan.cwd, tier };
  if (name === 'sandbox') return (await import('../../parts/terminals/sandbox/place.ts')).describeSandbox(options);
  return (await import('../../parts/terminals/places.ts')).describePlace(name, options);
}

/** Kinds of terminal that may see the session's folder under a name of their own. */
const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'singularity']);

async function openBackend(
  { name, wall }: ChosenBackend,
  guard: SessionGuard | undefined,
  parts: TerminalParts,
  plan: TerminalPlan,
): Promise<Terminal> {
  const { home, config, env, registered } = parts;
  const open = registered.terminals.get(name);
  if (open === undefined) throw new Error(`there is no terminal back end ${name}; known: ${[...registered.terminals.keys()].join(', ')}`);
  const mounts = name === 'sandbox' ? await guard?.openMounts(wall ?? 'unattended') : {};
  const backend = await open({ ...backendOptions(parts, plan, wall), ...mounts });
  const given = { ...filterCommandEnvironment(env, config.settings['terminal.env_passthrough']), PATH: ownNodeLast(env['PATH']) };
  const runProgram = plan.ports?.editor?.runProgram;
  return backend.open({
    cwd: plan.cwd,
    env: given,
    logs: join(home.root, 'processes'),
    ...(plan.unaided === true && { ownFolder: true }),
    ...(runProgram !== undefined && { runProgram }),
  });
}

/** A place that cannot be opened is the owner's to mend, who is told how. The call that needed it never began, so it fetched nothing. */
function unreachable(error: unknown, notice: (words: string) => void, told: Set<string>): never {
  if (!told.has(toErrorMessage(error))) notice(toErrorMessage(error));
  told.add(toErrorMessage(error));
  throw new ToolRefusal(`Not run: the terminal could not be opened: ${toErrorMessage(error)}`);
}

interface ChosenBackend {
  readonly name: string;
  /** What a sandbox of our own choice shows. */
  readonly wall?: WallProfile;
  readonly tier?: WallTierName;
}

/** The owner's choice; without one a sandbox where there can be one, and a narrow one for work that nobody watches. */
async function backendFor({ home, config, registered }: TerminalParts, { platform, notice }: TerminalPlan): Promise<ChosenBackend> {
  const name = config.settings['terminal.backend'];
  const attended = registered.platforms.get(platform)?.attended === true;
  const wall = attended ? 'attended' : 'unattended';
  if (name !== 'auto' && name !== 'sandbox') return { name };
  const here = await expectSandbox(home.root);
  if (here.ok) return { name: 'sandbox', wall, tier: here.tier };
  if (name === 'sandbox') return { name, wall };
  await tellUnwalled(home, attended ? undefined : `commands of ${platform} run on this machine itself, because ${here.why}`, notice);
  return { name: 'local' };
}

/** What was told for a home in this process: every session and every command that opens a terminal would tell it again. */
const told = new WeakMap<Home, Set<string>>();

async function tellUnwalled(home: Home, unattended: string | undefined, notice: (words: string) => void): Promise<void> {
  const before = told.get(home) ?? new Set();
  const key = unattended ?? '';
  if (before.has(key)) return;
  told.set(home, before.add(key));
  if (unattended === undefined) return notice('Not sandboxed: commands have all of your rights. What to do: hermes doctor');
  const { describeSandboxCure } = await import('../../parts/terminals/sandbox/cure.ts');
  notice(`NOT SANDBOXED: ${unattended}. ${describeSandboxCure()}`);
}

/**
 * What of the profile another machine is given: skills, and the long results of this session alone. The rest of the cache is
 * neither shown nor taken back: results of other sessions lie there, and files that decide what is trusted here.
 */
export function listSyncSources(home: Home, sessionId: string): readonly SyncSource[] {
  const results = toSpillFolder(home.spill, sessionId);
  return [
    { from: join(home.root, 'skills'), to: 'skills', back: true },
    { from: results, to: relative(home.root, results), back: false },
  ];
}

function backendOptions(
  parts: TerminalParts,
  { sessionId, terminalTask, notice, unaided, forGuests }: TerminalPlan,
  wall: WallProfile | undefined,
): FarBackendOptions & OwnBackendOptions {
  const { home, config, env } = parts;
  const openNetwork = findSandboxNetwork(parts, wall ?? 'unattended', notice);
  return {
    ...(wall !== undefined && { wall }),
    ...(forGuests === true && { forGuests: true }),
    ...(openNetwork !== undefined && { openNetwork }),
    notice,
    sync: {
      sources: listSyncSources(home, sessionId),
      lock: join(home.root, 'sync'),
      incoming: join(home.root, 'incoming'),
      notice,
      force: env['HERMES_FORCE_FILE_SYNC'] === '1',
    },
    settings: config.settings,
    home: home.root,
    env,
    task: terminalTask,
    folders: { sandboxes: join(home.root, 'sandboxes'), workspace: join(home.root, 'workspace') },
    skillFolders: () => listSkillFolders(home, config, env),
    openOverShell: async (place) => (await import('../../parts/terminals/remote/over-shell.ts')).openOverShell(place),
    ...(unaided !== true && {
      trash: async (roots) => (await import('../../parts/safety/trash/boxes.ts')).openBox(join(home.root, 'trash'), roots),
    }),
  };
}

/** Where programs are looked for when the host was told of no `PATH`. */
const USUAL_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);

/** Commands that call `node` find one even on a machine that has none of its own: ours, after everything else. */
const ownNodeLast = (path = ''): string => [path === '' ? USUAL_PATH : path, dirname(process.execPath)].join(delimiter);
