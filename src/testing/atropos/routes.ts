import { isObject, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { countQueued, findLargest, takeBatch, takeWhole, type QueuedGroup } from './queue.ts';
import { checkGroup, checkRegistration, GROUP_KEYS, type Problem } from './validate.ts';

const MIN_ENV_WEIGHT = 0.01;

interface RegisteredEnvironment {
  readonly name: string;
  readonly contextLength: number;
  readonly weight: number;
  readonly minimum: number | null;
  groupSize: number;
  isConnected: boolean;
}
/** All of it is memory, as there. */
export interface AtroposState {
  /** Absent until somebody registers or sends something. */
  queue?: QueuedGroup[];
  trainer?: JsonObject;
  isStarted?: boolean;
  step: number;
  batches: QueuedGroup[][];
  envs: RegisteredEnvironment[];
  buffers: Map<number, QueuedGroup[]>;
}
export interface AtroposRouteAnswer {
  readonly status?: number;
  readonly body: Json;
}
type AtroposRoute = (state: AtroposState, body: Json | undefined) => AtroposRouteAnswer;

export const emptyState = (): AtroposState => ({ step: 0, batches: [], envs: [], buffers: new Map() });
const invalid = (detail: readonly Problem[]): AtroposRouteAnswer => ({
  status: 422,
  body: { detail: detail.map((each) => ({ ...each, loc: [...each.loc] })) },
});
const numberAt = (body: Json | undefined, key: string): number => (isObject(body) ? Number(body[key]) : Number.NaN);

/** By method and path. */
export const ROUTES: Readonly<Record<string, AtroposRoute>> = {
  'GET /': () => ({ body: { message: 'AtroposLib API' } }),
  'POST /register': (state, body) => {
    if (state.queue === undefined && isObject(body))
      Object.assign(state, { ...emptyState(), queue: [], trainer: body, isStarted: false, step: Number(body['starting_step']) });
    return { body: { uuid: 1 } };
  },
  'POST /register-env': registerEnvironment,
  'POST /disconnect-env': ({ envs }, body) => {
    const env = envs[numberAt(body, 'env_id')];
    if (env === undefined) return { body: { status: 'failure', error: 'list index out of range' } };
    env.isConnected = false;
    return { body: { status: 'success' } };
  },
  'GET /wandb_info': ({ trainer }) => ({ body: { group: trainer?.['wandb_group'] ?? null, project: trainer?.['wandb_project'] ?? null } }),
  'GET /info': ({ trainer }) => ({ body: { batch_size: trainer?.['batch_size'] ?? -1, max_token_len: trainer?.['max_token_len'] ?? -1 } }),
  'GET /batch': giveBatch,
  'POST /scored_data': (state, body) => {
    const problems = checkGroup(body);
    return problems.length > 0 ? invalid(problems) : { body: takeGroup(state, toQueued(body)) };
  },
  'POST /scored_data_list': (state, body) => {
    const groups = Array.isArray(body) ? body : [];
    const problems = groups.flatMap((group, index) => checkGroup(group, ['body', index]));
    if (problems.length > 0) return invalid(problems);
    const told = groups.map((group) => takeGroup(state, toQueued(group))).filter(({ status }) => status === 'buffered');
    const last = told.at(-1)?.['buffer_size'];
    return {
      body: {
        status: 'received',
        groups_processed: groups.length,
        ...(last !== undefined && { buffered: told.length, last_buffer_size: last }),
      },
    };
  },
  'GET /status': ({ step, queue }) => ({ body: { current_step: step, queue_size: queue?.length ?? 0 } }),
  'GET /status-env': tellEnvironment,
  'GET /reset_data': (state) => {
    delete state.queue;
    delete state.trainer;
    Object.assign(state, { ...emptyState(), isStarted: false });
    return { body: 'Reset successful' };
  },
};

function registerEnvironment(state: AtroposState, body: Json | undefined): AtroposRouteAnswer {
  const problems = checkRegistration(body);
  if (problems.length > 0) return invalid(problems);
  if (state.isStarted !== true || !isObject(body)) return { body: { status: 'wait for trainer to start' } };
  const { trainer = {}, envs, step } = state;
  const name = readStringAt(body, 'desired_name') ?? '';
  const minimum = body['min_batch_allocation'];
  const wandb_name = `${name}_${envs.filter((env) => env.name === name).length}`;
  envs.push({
    name,
    contextLength: Number(body['max_token_length']),
    weight: Number(body['weight']),
    minimum: typeof minimum === 'number' ? minimum : null,
    groupSize: Number(body['group_size']),
    isConnected: true,
  });
  return {
    body: {
      status: 'success',
      env_id: envs.length - 1,
      wandb_name,
      checkpoint_dir: trainer['checkpoint_dir'] ?? '',
      starting_step: step,
      checkpoint_interval: trainer['save_checkpoint_interval'] ?? -1,
      num_steps: trainer['num_steps'] ?? -1,
    },
  };
}

/** All batches that can be made are made at once; the last of them is given first. */
function giveBatch(state: AtroposState): AtroposRouteAnswer {
  if (state.isStarted === undefined)
    return { body: { status: 'error', message: 'Trainer not registered. Call /register first.', batch: [] } };
  state.isStarted = true;
  if (state.batches.length === 0) {
    const { queue = [], trainer } = state;
    for (
      let batch = takeBatch(queue, numberAt(trainer, 'batch_size'));
      batch !== undefined;
      batch = takeBatch(queue, numberAt(trainer, 'batch_size'))
    )
      state.batches.push(batch);
    state.step += state.batches.length;
  }
  return { body: { batch: state.batches.pop() ?? null } };
}

const toQueued = (body: Json | undefined): QueuedGroup =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked field by field
  Object.fromEntries(GROUP_KEYS.map((key) => [key, (isObject(body) ? body[key] : undefined) ?? null])) as unknown as QueuedGroup;

/** A group of another size than its environment registered with waits until others make it whole. */
function takeGroup(state: AtroposState, group: QueuedGroup): JsonObject {
  const queue = (state.queue ??= []);
  const env = state.envs[group.env_id ?? -1];
  if (env === undefined || group.env_id === null || env.groupSize === group.tokens.length) {
    queue.push(group);
    return { status: 'received' };
  }
  const buffer = state.buffers.get(group.env_id) ?? [];
  state.buffers.set(group.env_id, buffer);
  buffer.push(group);
  queue.push(...takeWhole(buffer, env.groupSize));
  return { status: 'buffered', buffer_size: buffer.reduce((sum, { tokens }) => sum + tokens.length, 0) };
}

function tellEnvironment({ envs, queue = [], step, trainer }: AtroposState, body: Json | undefined): AtroposRouteAnswer {
  const envId = numberAt(body, 'env_id');
  const env = envs[envId];
  if (env === undefined) return { status: 500, body: 'Internal Server Error' };
  const connected = envs.filter(({ isConnected }) => isConnected);
  const total = connected.reduce((sum, { contextLength, weight }) => sum + contextLength * Math.max(0, weight), 0);
  const own = queue.filter((group) => group.env_id === envId);
  env.groupSize = Math.max(env.groupSize, ...own.map(({ tokens }) => tokens.length));
  const minimums = new Map(
    envs.flatMap(({ minimum, isConnected }, id) =>
      minimum !== null && isConnected ? [[id, Math.floor(numberAt(trainer, 'batch_size') * minimum)] as const] : [],
    ),
  );
  const counted = countQueued(queue, envId, env.groupSize, minimums);
  return {
    body: {
      current_step: step,
      queue_size: counted.queued,
      unallocated_fraction:
        1 -
        Math.min(
          1,
          connected.reduce((sum, { minimum }) => sum + (minimum ?? 0), 0),
        ),
      self_queue_size: counted.own,
      max_group_size: findLargest(queue),
      env_weight: Math.max(MIN_ENV_WEIGHT, (env.contextLength * env.weight) / total),
    },
  };
}
