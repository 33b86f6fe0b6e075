import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claimFile } from '../../base/claim-file.ts';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import { createTimeId } from '../../base/ids.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Environment, EnvironmentSettings, ServerSettings } from '../../contracts/environment.ts';
import type { ModelSelection } from '../../contracts/host.ts';
import type { EnvironmentRequest } from '../../contracts/services/environments.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { limitWorkers } from '../../faces/environments/evaluate.ts';
import { loadDataset } from '../../faces/environments/datasets/load-dataset.ts';
import type { RunSettings } from '../../faces/environments/read-settings.ts';
import { hashConfig } from '../../faces/environments/result-file.ts';
import type { RolloutDeps } from '../../faces/environments/rollout.ts';
import { watchRunFolder, RUN_CLAIM, RUN_HOME } from '../../faces/environments/run-folder.ts';
import { createSlots } from '../../faces/environments/slots.ts';
import { checkToolsets } from '../../faces/environments/toolsets.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { findToolCallParser } from '../../parts/tool-call-parsers/all.ts';
import { sandboxHere } from '../../parts/terminals/sandbox/probe.ts';
import { removeLabelled } from '../../parts/terminals/containers/leftovers.ts';
import { createRunConfig, listAsides, readOwnPlace } from './run-config.ts';
import { listServers, openTokenModels, takeTurns } from './token-model.ts';
import { TOOLSETS } from '../../parts/tools/toolsets.ts';

interface OpenRunOptions extends Pick<ServiceOptions, 'processEnv' | 'notice'> {
  readonly environment: Environment;
  readonly settings: RunSettings;
  readonly request: EnvironmentRequest;
  readonly out: string;
  readonly isTraining?: true;
  readonly signal: AbortSignal;
}
export interface OpenRun extends AsyncDisposable {
  readonly id: string;
  readonly configHash: string;
  /** What answers, where it is known by a name. */
  readonly model?: string;
  readonly deps: RolloutDeps<{ readonly id: string }>;
}

/** A host of its own for the run, with a store of its own: nothing of it reaches the owner's sessions, and nothing of the owner's reaches it. */
export async function openRun(options: OpenRunOptions): Promise<OpenRun> {
  const { environment, settings, request, out, signal, processEnv, notice } = options;
  const { env: values, server } = settings;
  // A name nobody knows is told before anything is opened.
  findToolCallParser(values.tool_call_parser);
  checkToolsets(values, TOOLSETS);
  const owner = resolveHome(processEnv);
  const { HERMES_HOME: _home, ...env } = withServerKey(mergeEnvironment(owner.env, processEnv), server.api_key_env);
  // Where there is a sandbox, nobody has to do without.
  const hasNoWall = values.terminal_backend === 'local' && !(await sandboxHere()).ok;
  if (hasNoWall) {
    if (!request.unconfined)
      throw new UsageError(
        'this machine cannot make a sandbox, so that commands of the model would run with all of your rights. Install bubblewrap, set env.terminal_backend to docker, or add --unconfined.',
      );
    notice('Commands of the model run on this machine with all of your rights (--unconfined).');
  }
  const unfit = listAsides(settings).filter((name) => values.enabled_toolsets?.includes(name));
  if (unfit.length > 0)
    notice(`Off, because they ask the model beside the conversation, which breaks its sequence of tokens: ${unfit.join(', ')}.`);
  const { openHost } = await import('../host/host.ts');
  await using opened = new AsyncDisposableStack();
  const runFolder = opened.use(watchRunFolder(out));
  const claimed = await claimFile(join(out, RUN_CLAIM), {});
  if (!claimed.ok)
    throw new UsageError(`process ${claimed.holder.pid} makes attempts in ${out} already. Wait until it is done, or give another --out.`);
  opened.use(claimed.claim);
  opened.defer(() => runFolder.removeUnusedHome());
  const folder = join(out, 'work');
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const home = opened.adopt(createRunHome(out, owner), removeRunSettings);
  const place = await readOwnPlace(owner, env, values.terminal_backend);
  replaceFile(home.config, createRunConfig(owner, { settings, place, hasNoWall }), 0o600);
  const ownModel = await findOwnModel(settings, home, { env, notice });
  const tokens = opened.use(await openTokenModels({ settings, env, signal, notice, downloads: findDownloads(processEnv) }));
  // A judge may open a place beside the model's.
  const host = opened.use(await openHost({ env, home, maxOpenSessions: 2 * limitWorkers(values) + 1 }));
  const loading = join(folder, 'tasks');
  mkdirSync(loading, { recursive: true });
  const loaded = await environment.load({
    settings: values,
    own: settings.own,
    folder: loading,
    downloads: findDownloads(processEnv),
    ...(env['HF_TOKEN'] !== undefined && { token: env['HF_TOKEN'] }),
    loadDataset: (named, part = {}) =>
      loadDataset(named, part, { downloads: findDownloads(processEnv), signal, notice, token: env['HF_TOKEN'] ?? '' }),
    ...(options.isTraining === true && { isTraining: true }),
    signal,
    notice,
  });
  if (loaded[Symbol.asyncDispose] !== undefined) opened.defer(async () => loaded[Symbol.asyncDispose]?.());
  const containerLabel = `hermes.run=${sha256(out).slice(0, 16)}`;
  // Those of a process that was killed; without an engine each attempt says what is missing.
  if (values.terminal_backend === 'docker') await removeLabelled(containerLabel, env).catch(() => {});
  const closing = opened.move();
  const nextServer = takeTurns(listServers(server.base_url));
  const model = ownModel.model ?? server.model_name ?? undefined;
  return {
    id: createTimeId('run', Date.now()),
    ...(model !== undefined && { model }),
    configHash: hashConfig(
      JSON.parse(JSON.stringify({ environment: environment.name, ...listCounted(environment, settings), ...ownModel, place })),
    ),
    deps: {
      host,
      name: environment.name,
      environment: loaded,
      settings: hasNoWall ? { ...values, terminal_backend: 'unconfined' } : values,
      openModel: (limits) => tokens.open(limits) ?? { selection: selectModel(settings, nextServer()) },
      folder,
      containerLabel,
      now: Date.now,
      slots: createSlots(limitWorkers(values)),
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/**
 * The run's own home lies in its folder, but not its settings: they may hold keys of the owner's, and a folder of results is one that
 * people pass on. They stay in the owner's home, also when the run is killed; the next run in the same folder writes over them.
 */
function createRunHome(out: string, owner: Home): Home {
  const home = resolveHome({ HERMES_HOME: join(out, RUN_HOME) });
  makeFolder(home.root);
  // Earlier versions left theirs.
  rmSync(home.config, { force: true });
  return { ...home, config: join(owner.root, 'cache', 'runs', sha256(out).slice(0, 16), 'config.yaml') };
}

const removeRunSettings = ({ config }: Pick<Home, 'config'>): void => rmSync(dirname(config), { recursive: true, force: true });

/** Data sets are the same for all runs. */
const findDownloads = (processEnv: Env): string => join(resolveHome(processEnv).root, 'cache', 'datasets');

/**
 * What the owner's settings say of the model: attempts of another one are others, and a run without any is refused before something
 * is begun. Nothing where the run names a model and its address itself.
 */
async function findOwnModel(
  settings: RunSettings,
  { config: path }: Pick<Home, 'config'>,
  { env, notice }: { readonly env: Env; readonly notice: (words: string) => void },
): Promise<Partial<Record<'provider' | 'model' | 'base_url', string>>> {
  const { server_type: type, base_url: url, model_name: name } = settings.server;
  if (type !== 'openai' || (url !== null && name !== null)) return {};
  const [{ resolveRoute }, { readConfig, toAppConfig }] = await Promise.all([
    import('../../parts/providers/connect.ts'),
    import('../config/config.ts'),
  ]);
  const config = toAppConfig(await readConfig(path, env));
  const selection = selectModel(settings, listServers(url)[0] ?? '');
  const { provider, model, baseUrl } = await resolveRoute({ selection, config, env, kept: undefined, notice });
  return { provider, model, base_url: baseUrl };
}

const selectModel = ({ server: { model_name: model } }: RunSettings, baseUrl: string): ModelSelection => ({
  ...(model !== null && { model }),
  ...(baseUrl !== '' && { baseUrl, apiMode: 'chat_completions' }),
});

/** What makes attempts others when it changes. */
function listCounted({ fields = {} }: Environment, { env, own, server }: RunSettings): object {
  const pick = (values: object, isCounted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => isCounted(key)));
  return {
    ...pick(env, (key) => !UNCOUNTED.has(key)),
    own: pick(own, (key) => fields[key]?.isUncounted !== true),
    server: pick(server, (key) => !UNCOUNTED_OF_SERVER.has(key)),
  };
}

/** Settings that change nothing of an attempt: what was made under others of them counts, and is sent. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'max_num_workers',
  'tool_pool_size',
  'data_path_to_save_groups',
  'task_filter',
  'skip_tasks',
  'attempts',
  'include_messages',
  'ensure_scores_are_not_same',
  'rollout_server_url',
  'use_wandb',
  'wandb_name',
  'total_steps',
  'steps_per_eval',
  'eval_handling',
  'eval_limit_ratio',
  'max_batches_offpolicy',
  'min_batch_allocation',
  'inference_weight',
] satisfies (keyof EnvironmentSettings)[]);
const UNCOUNTED_OF_SERVER: ReadonlySet<string> = new Set(['api_key_env', 'health_check'] satisfies (keyof ServerSettings)[]);

/** A server that is named by its address takes the usual key of its kind. A name with a mistake in it must not send it another key. */
function withServerKey(env: Env, name: string | null): Env {
  if (name === null) return env;
  const key = env[name] ?? '';
  if (key === '') throw new UsageError(`openai.api_key_env is ${name}, but no variable ${name} is set. Set it, or correct the name.`);
  return { ...env, OPENAI_API_KEY: key };
}
