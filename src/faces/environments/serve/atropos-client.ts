import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { gzipSync } from 'node:zlib';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { ScoredGroup } from '../group.ts';

const MIN_GZIP_BYTES = 1_024;
/** A group may be large, and the API is one process. */
const PUSH_MS = 60_000;
const ANSWER_MS = 10_000;
/** Whoever leaves does not wait for long. */
const LEAVE_MS = 2_000;

export interface Registration {
  readonly envId: number;
  readonly name: string;
  readonly totalSteps: number;
  readonly batchSize: number;
  /** Longest sequence the trainer takes; absent where it does not say. */
  readonly maxTokens?: number;
}
export interface TrainerStatus {
  readonly step: number;
  /** Groups of our size that wait. */
  readonly queued: number;
  readonly selfQueued: number;
  /** The share of a batch that no environment has reserved. */
  readonly unallocated: number;
  /** Our share among the environments of the trainer. */
  readonly weight: number;
}
/**
 * What came of a push. `unsent`: it cannot have arrived. `withheld`: it may have. `refused`: it never will be taken.
 */
export type PushOutcome = { readonly type: 'accepted' | 'unsent' | 'withheld' } | { readonly type: 'refused'; readonly why: string };

export interface AtroposClient {
  register(wanted: EnvironmentRegistration): Promise<Registration | NotRegistered>;
  /** Nothing when the API is not there or does not know us: register again. */
  status(envId: number): Promise<TrainerStatus | undefined>;
  push(group: ScoredGroup & { readonly env_id: number }): Promise<PushOutcome>;
  disconnect(envId: number): Promise<void>;
  /** Where the trainer keeps its metrics. */
  askWandb(): Promise<{ readonly project?: string; readonly group?: string }>;
}
/** Whom an environment waits for: the API is not there, or its trainer has not started. */
export type NotRegistered = 'no_api' | 'no_trainer';

/** What the API is told of an environment; none may be left out. */
export interface EnvironmentRegistration {
  readonly max_token_length: number;
  readonly desired_name: string;
  readonly weight: number;
  readonly group_size: number;
  readonly min_batch_allocation: number | null;
}

interface AtroposAnswer {
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
}
/** No connection was made, so nothing can have arrived. */
const UNSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

export function createAtroposClient(url: string): AtroposClient {
  const call = (method: 'GET' | 'POST', path: string, body: object | undefined, timeout: number): Promise<AtroposAnswer> =>
    send(new URL(path, url), { method, timeout }, body);
  const ask = (method: 'GET' | 'POST', path: string, body?: object, timeout = ANSWER_MS): Promise<JsonObject | undefined> =>
    call(method, path, body, timeout).then(
      (answer) => (answer.status === 200 ? answer.body : undefined),
      () => undefined,
    );
  return {
    register: async (wanted) => {
      const info = await ask('GET', '/info');
      if (info === undefined) return 'no_api';
      const [batchSize, maxTokens] = [Number(info['batch_size']), Number(info['max_token_len'])];
      // Data that comes before the trainer makes the API ignore the trainer: nothing is sent until it has told its batch size.
      if (!(batchSize >= 1)) return 'no_trainer';
      const given = await ask('POST', '/register-env', wanted);
      if (given?.['status'] !== 'success') return 'no_trainer';
      return {
        envId: Number(given['env_id']),
        name: readStringAt(given, 'wandb_name') ?? '',
        totalSteps: Number(given['num_steps']),
        batchSize,
        ...(maxTokens > 0 && { maxTokens }),
      };
    },
    status: async (envId) => {
      const given = await ask('GET', '/status-env', { env_id: envId });
      if (given === undefined) return undefined;
      return {
        step: Number(given['current_step']),
        queued: Number(given['queue_size']),
        selfQueued: Number(given['self_queue_size']),
        unallocated: Number(given['unallocated_fraction']),
        weight: Number(given['env_weight']),
      };
    },
    push: (group) => call('POST', '/scored_data', group, PUSH_MS).then(toPushOutcome, toFailedPush),
    disconnect: async (envId) => {
      await ask('POST', '/disconnect-env', { env_id: envId }, LEAVE_MS);
    },
    askWandb: async () => {
      const { project, group } = (await ask('GET', '/wandb_info')) ?? {};
      return { ...(typeof project === 'string' && { project }), ...(typeof group === 'string' && { group }) };
    },
  };
}

const toPushOutcome = ({ status, text }: AtroposAnswer): PushOutcome => {
  if (status === 200) return { type: 'accepted' };
  return status >= 500 ? { type: 'withheld' } : { type: 'refused', why: `the API answered ${status}: ${text.slice(0, 500)}` };
};

const toFailedPush = (error: unknown): PushOutcome =>
  error instanceof Error && 'code' in error && UNSENT.has(String(error.code)) ? { type: 'unsent' } : { type: 'withheld' };

/** `fetch` sends no body with GET, which `/status-env` needs. A connection of its own: one that was kept could be dead. */
function send(url: URL, options: { readonly method: string; readonly timeout: number }, body: object | undefined): Promise<AtroposAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const isLong = text !== undefined && text.length >= MIN_GZIP_BYTES;
  const bytes = isLong ? gzipSync(text) : text;
  const headers = {
    ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
    ...(isLong && { 'content-encoding': 'gzip' }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...options, headers, agent: false }, (response) => {
      response.toArray().then((chunks) => {
        const told = Buffer.concat(chunks).toString('utf8');
        const value = readBody(told);
        resolve({ status: response.statusCode ?? 0, body: value, text: told });
      }, reject);
    });
    asked.on('timeout', () => asked.destroy(new Error('the API did not answer in time')));
    asked.on('error', reject);
    asked.end(bytes);
  });
}

function readBody(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
