import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';

export interface AtroposReply {
  readonly status: number;
  readonly text: string;
  readonly body: Json | undefined;
}
export interface AtroposCallOptions {
  /** Sent as it is, with the header that says it is compressed. */
  readonly gzipped?: Buffer;
}
/** Asks an Atropos API as trainers and environments do: a body may go with GET. */
export type AtroposCall = (method: 'GET' | 'POST', path: string, body?: unknown, options?: AtroposCallOptions) => Promise<AtroposReply>;

export const createAtroposCall =
  (url: string): AtroposCall =>
  (method, path, body, { gzipped } = {}) => {
    const bytes = gzipped ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const headers = {
      ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
      ...(gzipped !== undefined && { 'content-encoding': 'gzip' }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(new URL(path, url), { method, headers, agent: false }, (response) => {
        response.toArray().then((chunks) => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, body: readJson(text) });
        }, reject);
      });
      asked.on('error', reject);
      asked.end(bytes);
    });
  };

export const gzipJson = (value: unknown): Buffer => gzipSync(JSON.stringify(value));

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What a trainer says of itself when it registers. */
export const trainerOf = (batchSize: number, steps = 50, startingStep = 0) => ({
  wandb_group: 'group',
  wandb_project: 'project',
  batch_size: batchSize,
  max_token_len: 4_096,
  checkpoint_dir: 'ck',
  save_checkpoint_interval: 10,
  starting_step: startingStep,
  num_steps: steps,
});

/** Registers a trainer and has it ask once, after which environments are let in. */
export async function startTrainer(call: AtroposCall, batchSize: number, steps?: number, startingStep?: number): Promise<void> {
  await call('POST', '/register', trainerOf(batchSize, steps, startingStep));
  await call('GET', '/batch');
}
