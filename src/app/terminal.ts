import { delimiter, dirname, join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Terminal } from '../contracts/terminal.ts';
import { redactingTerminal } from '../parts/safety/secrets/terminal.ts';
import { BACKENDS, type BackendName } from '../parts/terminals/backends.ts';
import { commandEnvironment } from '../parts/terminals/environment.ts';
import { FAR_BACKENDS, type FarScene } from '../parts/terminals/far-backends.ts';
import type { Env } from './config.ts';
import type { Settings } from './settings.ts';
import { storeNotice } from './store.ts';

export interface TerminalQuestion {
  readonly home: Home;
  readonly settings: Settings;
  readonly env: Env;
  readonly cwd: string;
  readonly platform: string;
  /** Whether the owner named a back end, or the default stands. */
  readonly chosen: boolean;
  readonly secrets?: Secrets;
}

/** Where commands of this run go, with what the owner should know about it. */
export async function openTerminal(
  question: TerminalQuestion,
): Promise<{ readonly terminal: Terminal; readonly notices: readonly string[] }> {
  const { home, settings, env, cwd, secrets } = question;
  const { name, notices } = await backendFor(question);
  const backend = await { ...BACKENDS, ...FAR_BACKENDS }[name](sceneOf(question));
  const given = { ...commandEnvironment(env, settings['terminal.env_passthrough']), PATH: ownNodeLast(env['PATH']) };
  const plain = await backend.open({ cwd, env: given, logs: join(home.root, 'processes') }).catch(mendable);
  return { terminal: secrets === undefined ? plain : redactingTerminal(plain, secrets), notices };
}

/** A place that cannot be reached is the owner's to mend, and says how. */
function mendable(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'unreachable') throw new UsageError(error.message, { cause: error });
  throw error;
}

/** Faces where somebody sits in front; everything else works unwatched. */
const ATTENDED: ReadonlySet<string> = new Set(['cli', 'tui', 'acp', 'desktop', 'webui']);

/** The owner's choice; without one, work nobody watches is kept in a sandbox where there is one. */
async function backendFor({
  settings,
  platform,
  chosen,
}: TerminalQuestion): Promise<{ readonly name: BackendName; readonly notices: readonly string[] }> {
  const name = settings['terminal.backend'];
  if (chosen || ATTENDED.has(platform)) return { name, notices: [] };
  const { sandboxHere } = await import('../parts/terminals/sandbox/probe.ts');
  const here = await sandboxHere();
  if (here.ok) return { name: 'sandbox', notices: [] };
  return { name, notices: [`NOT SANDBOXED: commands of ${platform} run on this machine itself, because ${here.why}`] };
}

const sceneOf = ({ home, settings, env, cwd }: TerminalQuestion): FarScene => ({
  notice: storeNotice,
  sync: {
    sources: ['skills', 'cache'].map((name) => ({ from: join(home.root, name), to: name, back: true })),
    lock: join(home.root, 'sync'),
    notice: storeNotice,
    force: env['HERMES_FORCE_FILE_SYNC'] === '1',
  },
  settings,
  home: home.root,
  env,
  // Sessions in one folder share what a container keeps.
  task: cwd,
  folders: { sandboxes: join(home.root, 'sandboxes'), workspace: join(home.root, 'workspace') },
  trash: async (roots) => (await import('../parts/safety/trash/boxes.ts')).openBox(join(home.root, 'trash'), roots),
});

/** Commands that call `node` find one even on a machine that has none of its own: ours, after everything else. */
const ownNodeLast = (path: string | undefined): string =>
  [...(path === undefined || path === '' ? [] : [path]), dirname(process.execPath)].join(delimiter);
