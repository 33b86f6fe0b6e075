import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions, TerminalBackend } from '../../../contracts/terminal.ts';
import {
  createContainerExecArguments,
  createFindArguments,
  createRunArguments,
  resolveStartFolder,
  type ContainerPlan,
  type ContainerSettings,
} from './command-lines.ts';
import { findEngine, type ContainerEngine } from './engine.ts';
import { adoptInside, createShellRun, openInside } from './inside.ts';

export interface ContainerOptions {
  readonly settings: ContainerSettings;
  /** Whose container it is; sessions of one task share it while it lives. */
  readonly task: string;
  /** The folder below which persistent containers keep their home and workspace. */
  readonly store: string;
  /** Ours, for the engine itself and for what is forwarded. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Pulling an image takes its time; starting a container does not. */
const START_MS = 120_000;
const SHORT_MS = 30_000;

/** Commands in a container of docker or podman. */
export const containerTerminal = (options: ContainerOptions): TerminalBackend => ({
  kind: 'docker',
  open: async ({ cwd }) => {
    const engine = findEngine(options.env);
    const plan = planFor(options, cwd);
    const id = await containerOf(engine, plan);
    const forward = plan.settings.forwardEnv.filter((name) => options.env[name] !== undefined);
    return openInside({
      kind: 'docker',
      id,
      file: engine.file,
      env: { ...engine.env, ...Object.fromEntries(forward.map((name) => [name, options.env[name] ?? ''])) },
      forward,
      start: resolveStartFolder(plan.settings),
      lasting: plan.settings.persistent,
      exec: (how, names, program) => createContainerExecArguments(id, how, names, program),
      close: async () => void (plan.settings.persistent || (await engine.run(['rm', '-f', '-t', '0', id], SHORT_MS))),
    });
  },
});

function planFor({ settings, task, store }: ContainerOptions, cwd: string): ContainerPlan {
  const folders = { home: join(store, 'docker', task, 'home'), workspace: join(store, 'docker', task, 'workspace') };
  if (settings.persistent) for (const folder of Object.values(folders)) makeFolder(folder);
  return {
    name: `hermes-${randomHex(8)}`,
    task,
    settings,
    cwd: realpathSync(cwd),
    canLimitDisk: false,
    ...(settings.persistent && { store: folders }),
    ...(settings.asHostUser && { user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 } }),
  };
}

/** Only overlay2 on xfs holds a container to a size; others refuse to start it. Asked for a new one alone: it takes a while. */
async function limitsDisk(engine: ContainerEngine): Promise<boolean> {
  const { out } = await engine.run(['info', '--format', '{{json .}}'], SHORT_MS);
  return /"Driver":"overlay2"/.test(out) && /"Backing Filesystem","xfs"/.test(out);
}

/** The one that is there from an earlier session of the task, or a new one. */
async function containerOf(engine: ContainerEngine, plan: ContainerPlan): Promise<string> {
  const found = plan.settings.persistent ? (await engine.run(createFindArguments(plan), SHORT_MS)).out.split('\n')[0] : undefined;
  if (found !== undefined && found !== '') return found;
  const canLimitDisk = plan.settings.diskMB > 0 && (await limitsDisk(engine));
  const { code, out, complaint } = await engine.run(createRunArguments({ ...plan, canLimitDisk }), START_MS);
  if (code === 0) return out.split('\n').at(-1) ?? plan.name;
  await engine.run(['rm', '-f', plan.name], SHORT_MS);
  throw new UsageError(
    `The container for commands could not be started: \`${engine.file} run … ${plan.settings.image}\` said: ${complaint || `exit code ${code}`}. See terminal.docker_image and the other terminal.docker_ settings.`,
  );
}

/** Takes up a process in a container that lives on; `undefined` when it does not. Throws when the engine cannot be asked. */
export async function adoptInContainer(
  trace: DetachedProcessRecord,
  env: ContainerOptions['env'],
  options: StartOptions,
  heard = 0,
): Promise<RunningProcess | undefined> {
  const id = trace.identity['container'];
  if (trace.backend !== 'docker' || typeof id !== 'string') return undefined;
  const { file, env: own } = findEngine(env);
  const bare = createShellRun({ file, env: own, exec: (how, names, program) => createContainerExecArguments(id, how, names, program) });
  return adoptInside(trace, bare, options, heard);
}
