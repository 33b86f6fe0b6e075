import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { findPackageRoot } from '../../../base/install-line.ts';
import type { Environment } from '../../../contracts/environment.ts';
import { readHarborTasks, type HarborTask } from '../harbor/read-task.ts';
import { checkSupported, exportLine } from '../harbor/task-needs.ts';
import { layOut, verifySealed } from '../harbor/verify-sealed.ts';

const SPLITS = ['tune', 'held-out'] as const;
/** What the judge does besides running the tests: it opens a place and carries files. */
const JUDGE_SECONDS = 120;

/** The tasks of this project. They need Debian's usual programs and nothing from the network. */
export const hermesTasks: Environment<HarborTask> = {
  name: 'hermes-tasks',
  description: 'Tasks of this project for a shell: data, text, code, configuration, git; verified in a fresh place',
  defaults: { enabled_toolsets: ['terminal', 'file'], max_agent_turns: 60, agent_temperature: 0.6, terminal_timeout: 300 },
  fields: {
    split: {
      kind: 'choice',
      default: 'tune',
      choices: [...SPLITS, 'all'],
      describe: 'Which half: `tune` to improve by, `held-out` to measure by.',
    },
    image: { kind: 'string', default: 'localhost/hermes-tasks:1', describe: 'The image for back ends that run images (tasks/Dockerfile).' },
  },
  load: async ({ settings, own }) => {
    const folder = settings.dataset_name === null ? join(findPackageRoot(), 'tasks') : resolve(settings.dataset_name);
    const evaluation = await readOwnTasks(folder, String(own['split']));
    return {
      evaluation,
      format: ({ instruction }) => instruction,
      place: (task) => ({
        image: String(own['image']),
        agentSeconds: task.agentSeconds,
        rewardSeconds: task.verifierSeconds + JUDGE_SECONDS,
        terminal: {
          'terminal.docker_network': task.allowInternet,
          'terminal.container_cpu': task.cpus,
          'terminal.container_memory': task.memoryMb,
        },
      }),
      prepare: async (task, context) => {
        await layOut(task, context, '.');
        const line = exportLine(task.variables);
        if (line !== '') await context.terminal(line);
      },
      reward: (task, _result, context) => verifySealed(task, context),
    };
  },
};

/** The tasks of one half or both. */
export async function readOwnTasks(folder: string, split: string): Promise<readonly HarborTask[]> {
  const folders = SPLITS.filter((name) => split === 'all' || split === name).map((name) => join(folder, name));
  const tasks = (await Promise.all(folders.filter((path) => existsSync(path)).map(readHarborTasks))).flat();
  if (tasks.length === 0) throw new UsageError(`there are no tasks in ${folders.join(' or ')}. env.dataset_name names another folder.`);
  const twice = tasks.find(({ id }, index) => tasks.findIndex((task) => task.id === id) !== index);
  if (twice !== undefined) throw new UsageError(`there are two tasks named ${twice.id} below ${folder}. Rename one.`);
  for (const task of tasks) checkOwnTask(task);
  return tasks;
}

const DOCKERFILE = ['FROM localhost/hermes-tasks:1', 'WORKDIR /app', 'COPY files/ /app/'];

/** A task of ours is the same in a sandbox as in its image: its Dockerfile copies files, and it says what it leaves. */
function checkOwnTask(task: HarborTask): void {
  const { id, environment, outputs } = task;
  const images = [
    ...(task.workdir === undefined ? [] : ['a folder of its image ([environment] workdir)']),
    ...(task.healthcheck === undefined ? [] : ['a health check ([environment.healthcheck])']),
  ];
  checkSupported({ id, unsupported: [...task.unsupported, ...images] }, 'Remove that from it, or the task.');
  if (outputs.length === 0)
    throw new UsageError(`the task ${id} declares no outputs. Add outputs = ["…"] below [hermes] in its task.toml.`);
  const lines = environment === undefined ? [] : readFileSync(join(environment, 'Dockerfile'), 'utf8').split('\n');
  const plain = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (plain.length > 0 && plain.join('\n') !== DOCKERFILE.join('\n'))
    throw new UsageError(`the Dockerfile of the task ${id} does more than copy files. It must read: ${DOCKERFILE.join(' / ')}`);
}
