import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { EnvironmentTask } from '../../../contracts/environment.ts';
import {
  allowsInternet,
  listUnknownKeys,
  listUnsupported,
  listUnsupportedFiles,
  readHealthcheck,
  readVariables,
  type Healthcheck,
  type TaskTable,
  type Variables,
} from './task-needs.ts';

/** A task in the layout of Harbor: a folder with `instruction.md`, `task.toml`, `environment/`, `solution/` and `tests/`. */
export interface HarborTask extends EnvironmentTask {
  readonly instruction: string;
  readonly tags: readonly string[];
  /** The image that is named; absent when it has to be built. */
  readonly image?: string;
  /** The folder with its Dockerfile; absent when there is only an image. */
  readonly environment?: string;
  /** The folder with `test.sh`. */
  readonly tests: string;
  readonly solution?: string;
  readonly agentSeconds: number;
  readonly verifierSeconds: number;
  readonly cpus: number;
  readonly memoryMb: number;
  readonly allowInternet: boolean;
  /** Where the task lies in its image; absent when the image says it. */
  readonly workdir?: string;
  readonly healthcheck?: Healthcheck;
  /** Variables of the model's place and of the tests, and of the tests alone. */
  readonly variables: Variables;
  readonly verifierVariables: Variables;
  /** What it asks for and cannot have, in words; a task with any is not run. */
  readonly unsupported: readonly string[];
  /** What a solution leaves, relative to the working directory; only tasks of ours say so. */
  readonly outputs: readonly string[];
}

/** What Harbor takes where a task says nothing. */
const USUAL = { seconds: 600, cpus: 1, memoryMb: 2_048 } as const;

/** Every task of a folder, by name. A folder that is itself a task is one. */
export async function readHarborTasks(folder: string): Promise<readonly HarborTask[]> {
  if (existsSync(join(folder, 'task.toml'))) return [await readHarborTask(folder)];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'task.toml')))
    .map(({ name }) => name)
    .toSorted();
  return Promise.all(names.map((name) => readHarborTask(join(folder, name))));
}

export async function readHarborTask(folder: string): Promise<HarborTask> {
  const path = join(folder, 'task.toml');
  const { parse } = await import('smol-toml');
  let values: TaskTable;
  try {
    values = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} could not be read: ${toErrorMessage(error)}`);
  }
  const instruction = join(folder, 'instruction.md');
  for (const needed of [instruction, join(folder, 'tests', 'test.sh')])
    if (!existsSync(needed)) throw new UsageError(`${needed} is missing. A task has instruction.md, task.toml and tests/test.sh.`);
  const fields = toTaskFields(values, path);
  return {
    id: basename(folder),
    instruction: readFileSync(instruction, 'utf8'),
    tests: join(folder, 'tests'),
    ...(hasFile(folder, 'environment/Dockerfile') && { environment: join(folder, 'environment') }),
    ...(hasFile(folder, 'solution/solve.sh') && { solution: join(folder, 'solution') }),
    ...fields,
    unsupported: [...fields.unsupported, ...listUnsupportedFiles(folder)],
  };
}

const hasFile = (folder: string, path: string): boolean => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;

type TaskFields = Omit<HarborTask, 'id' | 'instruction' | 'tests' | 'solution' | 'environment'>;

/** The fields of a `task.toml`, of this version and of the older one whose sizes are texts. Pure. */
export function toTaskFields(values: TaskTable, path: string): TaskFields {
  const section = (name: string): TaskTable => (isObject(values[name]) ? values[name] : {});
  const [metadata, environment] = [section('metadata'), section('environment')];
  const { category, difficulty } = metadata;
  const { docker_image: image, workdir } = environment;
  const healthcheck = readHealthcheck(environment['healthcheck']);
  const given = readVariables('environment', environment['env']);
  const ofVerifier = readVariables('verifier', section('verifier')['env']);
  return {
    ...(typeof category === 'string' && { category }),
    ...(typeof difficulty === 'string' && { difficulty }),
    ...(typeof image === 'string' && image !== '' && { image }),
    tags: readWords(metadata['tags']),
    agentSeconds: readNumber(section('agent')['timeout_sec'], USUAL.seconds),
    verifierSeconds: readNumber(section('verifier')['timeout_sec'], USUAL.seconds),
    cpus: readNumber(environment['cpus'], USUAL.cpus),
    memoryMb: readMegabytes(environment['memory_mb'] ?? environment['memory']),
    allowInternet: allowsInternet(environment),
    ...(typeof workdir === 'string' && workdir !== '' && { workdir }),
    ...(healthcheck !== undefined && { healthcheck }),
    variables: given.variables,
    verifierVariables: ofVerifier.variables,
    unsupported: [
      ...listUnknownKeys(values),
      ...listUnsupported({ environment, agent: section('agent'), verifier: section('verifier'), task: values }),
      ...given.unsupported,
      ...ofVerifier.unsupported,
    ],
    outputs: readWords(section('hermes')['outputs']).map((output) => toInsidePath(output, path)),
  };
}

const readNumber = (value: unknown, usual: number): number => (typeof value === 'number' && value > 0 ? value : usual);
const readWords = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

/** `2048`, or `"2G"` as older files have it. */
function readMegabytes(value: unknown): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*([MG])?/i.exec(String(value)) ?? [];
  if (count === undefined) return USUAL.memoryMb;
  return Number(count) * (unit?.toUpperCase() === 'G' ? 1_024 : 1);
}

/** What lies outside the working directory is no result of it. */
function toInsidePath(output: string, path: string): string {
  const plain = posix.normalize(output).replace(/\/$/, '');
  if (posix.isAbsolute(plain) || plain === '.' || plain.startsWith('..'))
    throw new UsageError(`${path}: the output ${output} does not lie in the working directory.`);
  return plain;
}
