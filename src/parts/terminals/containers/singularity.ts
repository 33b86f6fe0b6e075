import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import type { TerminalBackend } from '../../../contracts/terminal.ts';
import { createContainerEngine, type ContainerEngine } from './engine.ts';
import { openInside } from './inside.ts';

/** The command lines of singularity and apptainer, which understand the same words. Pure: tested as a table. */
export interface SingularityPlan {
  readonly name: string;
  /** A `.sif` file or a folder. */
  readonly image: string;
  /** A folder that keeps what commands change; absent for a container that leaves nothing. */
  readonly overlay?: string;
  readonly volumes: readonly string[];
  /** The session's folder on this machine, shown as `/workspace`. */
  readonly workspace?: string;
  readonly network: boolean;
}

export const createInstanceArguments = ({ name, image, overlay, volumes, workspace, network }: SingularityPlan): string[] => [
  'instance',
  'start',
  '--containall',
  '--no-home',
  ...(overlay === undefined ? ['--writable-tmpfs'] : ['--overlay', overlay]),
  ...(network ? [] : ['--net', '--network', 'none']),
  ...[...(workspace === undefined ? [] : [`${workspace}:/workspace`]), ...volumes].flatMap((volume) => ['--bind', volume]),
  image,
  name,
];

/** An instance has no way to detach: what is to go on without us is put into the background by a shell. */
export const createEnterArguments = (name: string, how: 'piped' | 'pty' | 'detached', program: readonly string[]): string[] => [
  'exec',
  '--containall',
  '--no-home',
  `instance://${name}`,
  ...(how === 'detached' ? ['sh', '-c', 'setsid "$@" >/dev/null 2>&1 </dev/null &', 'hermes'] : []),
  ...program,
];

export const createBuildArguments = (file: string, image: string): string[] => ['build', file, image];
export const createStopArguments = (name: string): string[] => ['instance', 'stop', name];
/** `docker://name:tag` as a file name. */
export const formatImageFileName = (image: string): string => `${image.replaceAll(/[^\w.-]+/g, '_')}.sif`;

export interface SingularityOptions {
  readonly image: string;
  readonly task: string;
  readonly store: string;
  readonly volumes: readonly string[];
  readonly forwardEnv: readonly string[];
  readonly mountCwd: boolean;
  readonly network: boolean;
  readonly persistent: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An image is built once; that may fetch all of it. */
const BUILD_MS = 600_000;
const START_MS = 120_000;
const STOP_MS = 30_000;

/** Commands in an instance of singularity or apptainer. */
export const singularityTerminal = (options: SingularityOptions): TerminalBackend => ({
  kind: 'singularity',
  open: async ({ cwd }) => {
    const engine = findSingularity(options.env);
    const plan = await planFor(engine, options, cwd);
    await mustRun(engine, createInstanceArguments(plan), START_MS, 'The container for commands could not be started');
    // The engine hands on what is named so, and takes the name apart itself.
    const forward = options.forwardEnv.filter((name) => options.env[name] !== undefined);
    return openInside({
      kind: 'singularity',
      id: plan.name,
      file: engine.file,
      env: { ...engine.env, ...forwarded(forward, options.env) },
      forward,
      start: options.mountCwd ? '/workspace' : '/root',
      // What is kept are files: an instance ends with its session.
      lasting: false,
      exec: (how, _names, program) => createEnterArguments(plan.name, how, program),
      hand: (name, value) => forwarded([name], { [name]: value }),
      close: async () => void (await engine.run(createStopArguments(plan.name), STOP_MS)),
    });
  },
});

const forwarded = (names: readonly string[], env: SingularityOptions['env']): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => [`SINGULARITYENV_${name}`, `APPTAINERENV_${name}`].map((key) => [key, env[name] ?? ''])));

function findSingularity(env: SingularityOptions['env']): ContainerEngine {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const file = ['apptainer', 'singularity'].flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (file !== undefined) return createContainerEngine(file, env);
  throw new UsageError(
    'Commands cannot be run in a container: there is neither apptainer nor singularity in PATH. Install one, or set terminal.backend.',
  );
}

async function planFor(engine: ContainerEngine, options: SingularityOptions, cwd: string): Promise<SingularityPlan> {
  const folder = join(options.store, 'singularity');
  const overlay = join(folder, options.task, 'overlay');
  if (options.persistent) makeFolder(overlay);
  return {
    name: `hermes-${randomHex(8)}`,
    image: await imageOf(engine, options.image, folder),
    volumes: options.volumes,
    network: options.network,
    ...(options.persistent && { overlay }),
    ...(options.mountCwd && { workspace: cwd }),
  };
}

async function imageOf(engine: ContainerEngine, image: string, folder: string): Promise<string> {
  if (!image.includes('://')) return image;
  const file = join(folder, formatImageFileName(image));
  if (existsSync(file)) return file;
  makeFolder(folder);
  await mustRun(engine, createBuildArguments(file, image), BUILD_MS, `The image ${image} could not be built`);
  return file;
}

async function mustRun(engine: ContainerEngine, args: readonly string[], timeoutMs: number, what: string): Promise<void> {
  const { code, complaint } = await engine.run(args, timeoutMs);
  if (code !== 0)
    throw new UsageError(
      `${what}: \`${engine.file} ${args.join(' ')}\` said: ${complaint || `exit code ${code}`}. See terminal.singularity_image.`,
    );
}
