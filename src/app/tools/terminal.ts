import { delimiter, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Terminal } from '../../contracts/terminal.ts';
import { ToolFailure } from '../../contracts/tool.ts';
import { redactingTerminal } from '../../parts/safety/secrets/terminal.ts';
import { BACKENDS, type BackendName } from '../../parts/terminals/backends.ts';
import { deferTerminal } from '../../parts/terminals/deferred.ts';
import { commandEnvironment } from '../../parts/terminals/environment.ts';
import { FAR_BACKENDS, type FarBackendOptions } from '../../parts/terminals/far-backends.ts';
import type { HomeParts } from './home-parts.ts';
import type { SessionPlan } from './home-parts.ts';

export type TerminalParts = Pick<HomeParts, 'home' | 'config' | 'env' | 'secrets'>;
export type TerminalPlan = Pick<SessionPlan, 'platform' | 'cwd' | 'terminalTask' | 'notice'>;

/** Where commands of a session go. Nothing is opened before the first of them. */
export async function openTerminal(parts: TerminalParts, plan: TerminalPlan): Promise<Terminal> {
  const name = await backendFor(parts, plan);
  const open = () => openBackend(name, parts, plan).catch((error: unknown) => unreachable(error, plan.notice));
  // The one on this machine opens nothing before its first command, and knows folder and home from the start.
  const plain = name === 'local' ? await open() : deferTerminal(name, plan.cwd, open);
  return parts.secrets === undefined ? plain : redactingTerminal(plain, parts.secrets);
}

async function openBackend(name: BackendName, parts: TerminalParts, plan: TerminalPlan): Promise<Terminal> {
  const { home, config, env } = parts;
  const backend = await { ...BACKENDS, ...FAR_BACKENDS }[name](backendOptions(parts, plan));
  const given = { ...commandEnvironment(env, config.settings['terminal.env_passthrough']), PATH: ownNodeLast(env['PATH']) };
  return backend.open({ cwd: plan.cwd, env: given, logs: join(home.root, 'processes') });
}

/** A place that cannot be opened is the owner's to mend, who is told how; the call that needed it has failed. */
function unreachable(error: unknown, notice: (words: string) => void): never {
  notice(messageOf(error));
  throw new ToolFailure(`The terminal could not be opened: ${messageOf(error)}`);
}

/** Faces where somebody sits in front; everything else works unwatched. */
const ATTENDED: ReadonlySet<string> = new Set(['cli', 'tui', 'acp', 'desktop', 'webui']);

/** The owner's choice; without one, work nobody watches is kept in a sandbox where there is one. */
async function backendFor({ config: { settings, sources } }: TerminalParts, { platform, notice }: TerminalPlan): Promise<BackendName> {
  const name = settings['terminal.backend'];
  if (sources['terminal.backend'] !== undefined || ATTENDED.has(platform)) return name;
  const { sandboxHere } = await import('../../parts/terminals/sandbox/probe.ts');
  const here = await sandboxHere();
  if (here.ok) return 'sandbox';
  notice(`NOT SANDBOXED: commands of ${platform} run on this machine itself, because ${here.why}`);
  return name;
}

const backendOptions = ({ home, config: { settings }, env }: TerminalParts, { terminalTask, notice }: TerminalPlan): FarBackendOptions => ({
  notice,
  sync: {
    sources: ['skills', 'cache'].map((name) => ({ from: join(home.root, name), to: name, back: true })),
    lock: join(home.root, 'sync'),
    notice,
    force: env['HERMES_FORCE_FILE_SYNC'] === '1',
  },
  settings,
  home: home.root,
  env,
  task: terminalTask,
  folders: { sandboxes: join(home.root, 'sandboxes'), workspace: join(home.root, 'workspace') },
  trash: async (roots) => (await import('../../parts/safety/trash/boxes.ts')).openBox(join(home.root, 'trash'), roots),
});

/** Commands that call `node` find one even on a machine that has none of its own: ours, after everything else. */
const ownNodeLast = (path: string | undefined): string =>
  [...(path === undefined || path === '' ? [] : [path]), dirname(process.execPath)].join(delimiter);
