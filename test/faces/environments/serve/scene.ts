import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from '../../../../src/app/open-host.ts';
import { isObject, parseJson, readPath, readStringAt } from '../../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../../src/base/json-types.ts';
import type { Environment } from '../../../../src/contracts/environment.ts';
import type { ServeProgress } from '../../../../src/contracts/services/environments.ts';
import type { TokenTrace } from '../../../../src/contracts/token-trace.ts';
import { limitWorkers } from '../../../../src/faces/environments/evaluate.ts';
import { readRunSettings } from '../../../../src/faces/environments/read-settings.ts';
import { readLines } from '../../../../src/faces/environments/result-file.ts';
import type { TrainerServeDeps } from '../../../../src/faces/environments/serve/stage.ts';
import { createSlots } from '../../../../src/faces/environments/slots.ts';
import type { AtroposCall } from '../../../../src/testing/atropos/call.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../../src/testing/scripted-route.ts';

/** The model says a number, which is the reward. Nothing of it needs a terminal. */
export const numbers: Environment = {
  name: 'numbers',
  description: 'Rewards the number the model says',
  load: async () => ({
    training: ['one', 'two', 'three'].map((id) => ({ id })),
    evaluation: ['four', 'five'].map((id) => ({ id })),
    format: ({ id }) => `Say a number for ${id}.`,
    reward: async (_task, { messages }) => Number(messages.at(-1)?.content),
  }),
};

export interface ServeScene extends AsyncDisposable {
  readonly out: string;
  /** How often the model was asked for each task. */
  readonly asked: Map<string, number>;
  /** All that was told. */
  readonly told: readonly ServeProgress[];
  deps(signal: AbortSignal): TrainerServeDeps<{ readonly id: string }>;
}
export interface ServeSceneOptions {
  readonly url: string;
  readonly env?: JsonObject;
  readonly out?: string;
  /** What the model says to each attempt; 0 and 1 in turn when left out. */
  readonly answer?: (attempt: number, prompt: string) => ScriptedAnswer | Promise<ScriptedAnswer>;
  /** What its server tells of tokens; `null` when it tells none. */
  readonly trace?: ((attempt: number) => TokenTrace) | null;
  readonly wandb?: { readonly key: string; readonly url: string };
  readonly allowUnfit?: boolean;
  readonly onProgress?: (progress: ServeProgress) => void;
}

/** A conversation whose generated tokens are its own: no other attempt has them. */
export const traceOf = (mark: number): TokenTrace => ({
  sequences: [
    {
      segments: [
        { type: 'prompt', tokens: [1, 40, 41] },
        { type: 'generated', tokens: [mark, 2], logprobs: [-0.25, -0.5], finish: 'stop' },
      ],
    },
  ],
});

export async function stageServe(options: ServeSceneOptions): Promise<ServeScene> {
  const { url, env = {}, answer = (attempt) => ({ text: String(attempt % 2) }), trace = traceOf } = options;
  const folder = options.out ?? mkdtempSync(join(tmpdir(), 'hermes-serve-'));
  const host = await openHost({ env: { PATH: process.env['PATH'] } });
  const settings = readRunSettings({ flag: { env: { rollout_server_url: url, group_size: 2, enabled_toolsets: ['none'], ...env } } }).env;
  const environment = await numbers.load({
    settings,
    own: {},
    folder,
    downloads: folder,
    signal: new AbortController().signal,
    notice: () => {},
  });
  const asked = new Map<string, number>();
  const told: ServeProgress[] = [];
  let opened = 0;
  const openModel = () => {
    const attempt = opened++;
    const provider = scriptedProvider(({ messages }) => {
      const prompt = JSON.stringify(messages);
      const task = /number for (\w+)/.exec(prompt)?.[1] ?? '';
      asked.set(task, (asked.get(task) ?? 0) + 1);
      return answer(attempt, prompt);
    });
    return { provider: scriptedRoute(provider), ...(trace !== null && { trace: () => trace(attempt) }) };
  };
  return {
    out: folder,
    asked,
    told,
    deps: (signal) => ({
      host,
      name: numbers.name,
      environment,
      settings,
      openModel,
      folder: join(folder, 'work'),
      now: Date.now,
      slots: createSlots(limitWorkers(settings)),
      out: folder,
      groups: join(folder, 'groups.jsonl'),
      runId: 'run',
      configHash: 'hash',
      allowUnfit: options.allowUnfit ?? false,
      ...(options.wandb !== undefined && { wandb: options.wandb }),
      signal,
      onProgress: (progress) => {
        told.push(progress);
        options.onProgress?.(progress);
      },
      pollMs: 10,
    }),
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      if (options.out === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One batch, as its groups; nothing while there is none. */
export async function pull(call: AtroposCall): Promise<readonly JsonObject[]> {
  const batch = readPath((await call('GET', '/batch')).body, 'batch');
  return Array.isArray(batch) ? batch.filter((group: Json) => isObject(group)) : [];
}

/** The names under which groups came, and what each holds but for who sent it. */
export const nameOf = (group: JsonObject): string => readStringAt(group, 'group_overrides', 'group_id') ?? '';
export const contentOf = ({ tokens, masks, scores, inference_logprobs }: JsonObject) => ({ tokens, masks, scores, inference_logprobs });

/** What an environment wrote down when it made its groups, by the name each has at the trainer. */
export const madeGroups = (out: string): readonly (readonly [string, ReturnType<typeof contentOf>])[] =>
  readLines(join(out, 'groups.jsonl')).map((line) => [`${seriesOf(out)}/${Number(line['group'])}`, contentOf(line)]);

export const metricsOf = (out: string): readonly JsonObject[] => readLines(join(out, 'metrics.jsonl'));
export const seriesOf = (out: string): string => readStringAt(parseJson(readFileSync(join(out, 'serve.json'), 'utf8')), 'series') ?? '';
