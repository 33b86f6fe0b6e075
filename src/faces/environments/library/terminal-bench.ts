import { statSync } from 'node:fs';
import { systemClock } from '../../../base/clock.ts';
import { UsageError } from '../../../base/errors.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import type { Environment, EnvironmentContext, EnvironmentSettings, RewardContext } from '../../../contracts/environment.ts';
import { findDataset } from '../datasets/hub.ts';
import { buildImage, findImageEngine, readImageFolder } from '../harbor/build-image.ts';
import { readHarborRows } from '../harbor/read-rows.ts';
import { readHarborTasks, type HarborTask } from '../harbor/read-task.ts';
import { checkSupported, exportLine, type Healthcheck } from '../harbor/task-needs.ts';
import { verifyInPlace } from '../harbor/verify-in-place.ts';

/** Back ends that run an image, and whether they can build one here. */
const IMAGE_BACKENDS: Readonly<Record<string, boolean>> = { docker: true, singularity: false, modal: false, daytona: false };
/** Need a machine inside the machine, or more time than a sandbox of Modal has. */
const NOT_ON_MODAL = ['qemu-startup', 'qemu-alpine-ssh', 'crack-7z-hash'] as const;
/** The judge also carries the tests there. */
const JUDGE_SECONDS = 120;

interface BenchmarkOptions {
  readonly name: string;
  readonly description: string;
  /** Where the data set is published, for whoever has none yet. */
  readonly dataset: string;
  readonly defaults?: Partial<EnvironmentSettings>;
}

/** Tasks in the layout of Harbor, each in an image of its own and verified there, as the benchmark wants it. */
const createTerminalBenchmark = ({ name, description, dataset, defaults }: BenchmarkOptions): Environment<HarborTask> => ({
  name,
  description,
  defaults: {
    enabled_toolsets: ['terminal', 'file'],
    max_agent_turns: 60,
    agent_temperature: 0.6,
    max_token_length: 16_000,
    terminal_timeout: 300,
    terminal_backend: 'docker',
    ...defaults,
  },
  fields: {
    force_build: { kind: 'boolean', default: false, describe: 'Build images from the Dockerfiles even where one is named.' },
    engine: {
      kind: 'string',
      default: null,
      describe: 'What has the images: docker, podman or the path of either. Not set: the one that terminals use.',
    },
    working_directory: {
      kind: 'string',
      default: null,
      describe: 'Where tasks begin and tests run in every image. Not set: the working directory of each image with docker, else /app.',
    },
  },
  load: async (context) => {
    const tasks = await readTasks(context, dataset);
    const { settings, signal } = context;
    const images = new Map<string, string>();
    for (const task of tasks.filter((one) => isChosen(one, settings))) {
      checkSupported(task, `Leave it out: --env.skip_tasks ${task.id}`);
      images.set(task.id, await findImage(task, context, signal));
    }
    const imageOf = (task: HarborTask): string => images.get(task.id) ?? '';
    const folderOf = createFolderFinder(context);
    return {
      evaluation: tasks,
      format: ({ instruction }) => instruction,
      place: (task) => ({
        image: imageOf(task),
        agentSeconds: task.agentSeconds,
        rewardSeconds: task.verifierSeconds + JUDGE_SECONDS,
        terminal: {
          'terminal.docker_network': task.allowInternet,
          'terminal.container_cpu': task.cpus,
          'terminal.container_memory': task.memoryMb,
        },
      }),
      // The shell of the model begins where the task lies.
      prepare: async (task, { terminal, signal: over }) => {
        const folder = await folderOf(imageOf(task), task.workdir);
        const at = quoteShellWord(folder);
        const { exitCode, output } = await terminal(`${exportLine(task.variables)}mkdir -p ${at} && cd ${at}`);
        if (exitCode !== 0) throw new Error(`the task cannot begin in ${folder}: ${output.trim()}`);
        if (task.healthcheck !== undefined) await waitUntilHealthy(task.healthcheck, terminal, over);
      },
      reward: async (task, _result, place) => verifyInPlace(task, place, await folderOf(imageOf(task), task.workdir)),
    };
  },
});

export const terminalBench = createTerminalBenchmark({
  name: 'terminal-bench',
  description: 'Terminal-Bench 2: tasks for a shell, each in an image of its own (needs a data set)',
  dataset: 'NousResearch/terminal-bench-2',
});
export const tblite = createTerminalBenchmark({
  name: 'tblite',
  description: 'OpenThoughts-TBLite: 100 smaller tasks of the same kind, rated by difficulty (needs a data set)',
  dataset: 'NousResearch/openthoughts-tblite',
});

async function waitUntilHealthy(
  { command, timeoutSeconds, intervalSeconds, retries }: Healthcheck,
  terminal: RewardContext['terminal'],
  signal: AbortSignal,
): Promise<void> {
  for (let left = retries; ; left--) {
    const { exitCode, output } = await terminal(`( ${command}\n)`, timeoutSeconds);
    if (exitCode === 0) return;
    if (left <= 1) throw new Error(`the place of the task is not healthy (${command}): ${output.trim().slice(-500)}`);
    await systemClock.sleep(intervalSeconds * 1_000, signal);
  }
}

/** Where tasks of an image begin. Each image is asked once, when the first of its containers runs. */
function createFolderFinder({ own, settings, signal }: EnvironmentContext): (image: string, workdir?: string) => Promise<string> {
  const known = new Map<string, string>();
  const named = own['working_directory'];
  return async (image, workdir) => {
    if (typeof named === 'string') return named;
    if (workdir !== undefined) return workdir;
    if (settings.terminal_backend !== 'docker') return UNKNOWN_FOLDER;
    const folder = known.get(image) ?? (await readImageFolder(image, engineOf(own), signal));
    known.set(image, folder);
    return folder;
  };
}
/** Most images of these sets begin there; those of far away cannot be asked from here. */
const UNKNOWN_FOLDER = '/app';
const engineOf = (own: EnvironmentContext['own']): string => (typeof own['engine'] === 'string' ? own['engine'] : findImageEngine());

async function readTasks(context: EnvironmentContext, dataset: string): Promise<readonly HarborTask[]> {
  const { folder, settings } = context;
  const { dataset_name: named, terminal_backend: backend } = settings;
  if (IMAGE_BACKENDS[backend] === undefined)
    throw new UsageError(
      `these tasks run in images, which ${backend} does not. Set env.terminal_backend to ${Object.keys(IMAGE_BACKENDS).join(', ')}.`,
    );
  if (named === null)
    throw new UsageError(
      `env.dataset_name must name the tasks. To download them from Hugging Face: --env.dataset_name ${dataset}. A Parquet file of them or a folder of Harbor tasks does as well.`,
    );
  const paths = await findDataset(named, { configs: ['default'], splits: ['train'] }, context);
  const read = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? readHarborTasks(path) : readHarborRows(path, folder);
  const tasks = (await Promise.all(paths.map(read))).flat();
  if (tasks.length === 0) throw new UsageError(`there are no tasks in ${paths.join(', ')}. A task is a folder with a task.toml.`);
  return backend === 'modal' ? tasks.filter(({ id }) => !NOT_ON_MODAL.some((name) => name === id)) : tasks;
}

/** Nothing is built for tasks that are not run; `selectTasks` is the judge of names that fit nothing. */
const isChosen = ({ id }: HarborTask, { task_filter: only, skip_tasks: skipped }: EnvironmentSettings): boolean =>
  (only === null || only.includes(id)) && skipped?.includes(id) !== true;

async function findImage({ id, image, environment }: HarborTask, context: EnvironmentContext, signal: AbortSignal): Promise<string> {
  const { own, settings, notice } = context;
  if (image !== undefined && own['force_build'] !== true) return image;
  if (environment === undefined) throw new UsageError(`the task ${id} has neither an image nor a Dockerfile.`);
  if (IMAGE_BACKENDS[settings.terminal_backend] !== true)
    throw new UsageError(`the task ${id} names no image, and ${settings.terminal_backend} builds none here. Use docker, or skip it.`);
  notice(`Building the image of ${id}.`);
  return buildImage(environment, engineOf(own), signal);
}
