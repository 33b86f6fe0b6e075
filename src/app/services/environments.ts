import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { findPackageRoot } from '../../base/install-line.ts';
import { sha256 } from '../../base/sha256.ts';
import type { EnvironmentRequest, EnvironmentService, LayeredValues } from '../../contracts/services/environments.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { writeNewFile } from '../../commands/write-new-file.ts';
import { evaluate } from '../../faces/environments/evaluate.ts';
import { compareRuns } from '../../faces/environments/figures.ts';
import { hashTasks } from '../../faces/environments/hash-tasks.ts';
import { ENVIRONMENTS } from '../../faces/environments/library/all.ts';
import { processTasks } from '../../faces/environments/process.ts';
import { findEnvironment, readAssignments, readConfigFile } from '../../faces/environments/read-environment.ts';
import { readRunSettings, type RunSettings } from '../../faces/environments/read-settings.ts';
import { hashConfig, readLatestRun } from '../../faces/environments/result-file.ts';
import { serve } from '../../faces/environments/serve/serve.ts';
import type { WandbServer } from '../../faces/environments/metrics/wandb.ts';
import { tellEvaluation } from '../../faces/environments/metrics/tell-evaluation.ts';
import { ENVIRONMENT_TEMPLATE } from '../../faces/environments/template.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { openRun, type OpenRun } from './environment-run.ts';

export function createEnvironmentService(
  { processEnv, notice }: Pick<ServiceOptions, 'processEnv' | 'notice'>,
  cwd = process.cwd(),
): EnvironmentService {
  const scene: ModeScene = { processEnv, notice, cwd };
  return {
    list: async () => [...ENVIRONMENTS.values()].map(({ name, description }) => ({ name, description })),
    explain: async (request) => (await readRequest(request, cwd)).settings.explained,
    evaluate: (request, options) => evaluateTasks(request, options, scene),
    process: (request, options) => writeTrajectories(request, options, scene),
    serve: (request, options) => serveTrainer(request, options, scene),
    compare: async (first, second, html) => {
      const comparison = compareRuns(readRun(resolve(cwd, first)), readRun(resolve(cwd, second)));
      if (html === undefined || comparison.tasks === 0) return comparison;
      const { createComparisonPage } = await import('../../faces/environments/report/comparison.ts');
      const page = createComparisonPage({ comparison, names: [first, second], now: Date.now() });
      return { ...comparison, file: writeNewFile(resolve(cwd, html), page, 'the page') };
    },
    // Only a file with such an ending can be loaded.
    create: async (file) =>
      writeNewFile(resolve(cwd, /\.[cm]?[jt]s$/.test(file) ? file : `${file}.ts`), ENVIRONMENT_TEMPLATE, 'the environment'),
  };
}

interface ModeScene extends Pick<ServiceOptions, 'processEnv' | 'notice'> {
  /** Files that are named lie here. */
  readonly cwd: string;
}
type Mode<Name extends 'evaluate' | 'process' | 'serve'> = (
  ...given: [...Parameters<EnvironmentService[Name]>, ModeScene]
) => ReturnType<EnvironmentService[Name]>;

/** What holds for a run, before anything of it is opened. */
async function readRequest(request: EnvironmentRequest, cwd: string) {
  const environment = await findEnvironment(request.environment, cwd);
  const layers: LayeredValues = {
    environment: { env: environment.defaults ?? {}, openai: environment.serverDefaults ?? {} },
    ...(request.config !== undefined && { file: await readConfigFile(resolve(cwd, request.config)) }),
    flag: readAssignments(request.set),
  };
  return { environment, settings: readRunSettings(layers, environment.fields) };
}

const findOut = ({ out }: EnvironmentRequest, { name }: { readonly name: string }, cwd: string): string =>
  resolve(cwd, out ?? join('hermes-runs', name));
const findGroups = ({ env: { data_path_to_save_groups: groups } }: RunSettings, cwd: string): string | null =>
  groups === null ? null : resolve(cwd, groups);

const evaluateTasks: Mode<'evaluate'> = async (request, { signal, onProgress }, { processEnv, notice, cwd }) => {
  const { environment, settings } = await readRequest(request, cwd);
  const out = findOut(request, environment, cwd);
  await using run = await openRun({ environment, settings, request, out, signal, processEnv, notice });
  const configHash = hashAttempts(run, request, settings, cwd);
  const model = run.model === undefined ? {} : { model: run.model };
  const result = await evaluate({ ...run.deps, out, runId: run.id, configHash, ...model, signal, onProgress });
  const { writeReport } = await import('../../faces/environments/report/write.ts');
  writeReport(result, { name: environment.name, configHash, ...model, now: Date.now() });
  const { wandb, project } = readWandb(settings, processEnv, notice);
  const name = settings.env.wandb_name ?? environment.name;
  await tellEvaluation(result, { name, configHash, ...(wandb && { wandb: { ...wandb, project } }), now: Date.now, notice });
  return result;
};

const writeTrajectories: Mode<'process'> = async (request, { signal, onProgress }, { processEnv, notice, cwd }) => {
  const { environment, settings } = await readRequest(request, cwd);
  const out = findOut(request, environment, cwd);
  await using run = await openRun({ environment, settings, request, out, isTraining: true, signal, processEnv, notice });
  return await processTasks({
    ...run.deps,
    out: join(out, 'trajectories.jsonl'),
    groups: findGroups(settings, cwd),
    ...(request.count !== undefined && { count: request.count }),
    runId: run.id,
    configHash: hashSeries(hashAttempts(run, request, settings, cwd), settings),
    signal,
    onProgress,
  });
};

const serveTrainer: Mode<'serve'> = async (request, { signal, onProgress }, { processEnv, notice, cwd }) => {
  const { environment, settings } = await readRequest(request, cwd);
  // Told before anything is paid for: all of them would be kept back.
  if (settings.server.server_type === 'openai' && !request.allowUnfit)
    throw new UsageError(
      'openai.server_type is openai, which tells no tokens, so that no group would be fit for training. Set a server that tells them (vllm, sglang, vllm_tokens), or add --allow-unfit.',
    );
  const out = findOut(request, environment, cwd);
  await using run = await openRun({ environment, settings, request, out, isTraining: true, signal, processEnv, notice });
  const { wandb } = readWandb(settings, processEnv, notice);
  return await serve({
    ...run.deps,
    out,
    groups: findGroups(settings, cwd),
    allowUnfit: request.allowUnfit,
    ...(wandb && { wandb }),
    runId: run.id,
    configHash: hashSeries(hashAttempts(run, request, settings, cwd), settings),
    signal,
    onProgress,
  });
};

function readRun(folder: string) {
  const path = join(folder, 'samples.jsonl');
  if (!existsSync(path))
    throw new UsageError(`there is no samples.jsonl in ${folder}. Give the folder of a run (--out of hermes env evaluate).`);
  return readLatestRun(folder);
}

/** Attempts at tasks that were edited are others: the file of the environment counts, and all that the tasks hold. */
function hashAttempts(
  { configHash, deps }: OpenRun,
  { environment: named }: EnvironmentRequest,
  { env }: RunSettings,
  cwd: string,
): string {
  const own = ENVIRONMENTS.has(named) ? undefined : resolve(cwd, named);
  const folders = [
    deps.folder,
    findPackageRoot(),
    ...(own === undefined ? [] : [dirname(own)]),
    ...(env.dataset_name === null ? [] : [resolve(env.dataset_name)]),
  ];
  return hashConfig({
    configHash,
    file: own === undefined ? null : sha256(readFileSync(own)),
    tasks: hashTasks(deps.environment, folders),
  });
}

/** Groups are numbered over the tasks they are made of, so others of them are other groups. */
const hashSeries = (configHash: string, { env: { task_filter: only, skip_tasks: skipped } }: RunSettings): string =>
  only === null && skipped === null ? configHash : hashConfig({ configHash, only: [...(only ?? [])], skipped: [...(skipped ?? [])] });

/** Metrics go to Weights & Biases when the run says so and there is a key. */
function readWandb(
  { env: { use_wandb: isWanted } }: RunSettings,
  processEnv: Env,
  notice: (words: string) => void,
): { readonly wandb?: WandbServer; readonly project: string } {
  const env = mergeEnvironment(resolveHome(processEnv).env, processEnv);
  const { WANDB_API_KEY: key = '', WANDB_BASE_URL: url = 'https://api.wandb.ai', WANDB_PROJECT: project = 'hermes' } = env;
  if (!isWanted) return { project };
  if (key !== '') return { wandb: { key, url: url.replace(/\/+$/, '') }, project };
  notice('env.use_wandb is on, but WANDB_API_KEY is not set. Metrics are only in the folder of the run.');
  return { project };
}
