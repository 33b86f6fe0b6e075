import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EnvironmentSettings, EnvironmentTask } from '../../../contracts/environment.ts';
import type { EvaluationResult, ServeProgress } from '../../../contracts/services/environments.ts';
import { listEvaluationValues } from '../figures.ts';
import { openMetricsFile, type MetricsSink } from '../metrics/sink.ts';
import { createWandbSink, type WandbDeps, type WandbServer } from '../metrics/wandb.ts';
import { openGroupFile } from '../group.ts';
import { openLineFile } from '../result-file.ts';
import type { RolloutDeps } from '../rollout.ts';
import { createAtroposClient, type EnvironmentRegistration } from './atropos-client.ts';
import { createTrainingTally, type TrainingTally } from './metrics.ts';
import { openNotebook } from './notes.ts';
import { openOutbox, type Outbox } from './outbox.ts';
import { createPeriodicEvaluation, type PeriodicEvaluation } from './periodic-evaluation.ts';
import { createGroupProducer, type FinishedGroup, type GroupProducer } from './producer.ts';
import { sendWaiting } from './send-waiting.ts';
import { createTrainerLink, type TrainerLink } from './trainer-link.ts';

export interface TrainerServeDeps<Task extends EnvironmentTask> extends RolloutDeps<Task> {
  /** The folder with all that the next process needs to go on. */
  readonly out: string;
  /** A file for groups as Atropos has them; `null` where nobody wants them. */
  readonly groups: string | null;
  readonly runId: string;
  readonly configHash: string;
  /** Send groups without tokens too. */
  readonly allowUnfit: boolean;
  /** Metrics go to Weights & Biases as well. */
  readonly wandb?: WandbServer;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ServeProgress) => void;
  readonly pollMs?: number;
}

/** All that `serve` holds open; closing it stops what is under way. */
export interface ServeStage extends AsyncDisposable {
  readonly outbox: Outbox;
  readonly link: TrainerLink;
  readonly producer: GroupProducer;
  readonly evaluation: PeriodicEvaluation;
  readonly tally: TrainingTally;
  readonly metrics: MetricsSink;
  /** What a group must keep to; the trainer tells the length. */
  readonly limits: { maxTokens: number; limitedBy: string; readonly allowUnfit: boolean };
  /** Says whether all that waits has gone. */
  send(envId: number): Promise<boolean>;
}

export async function openServeStage<Task extends EnvironmentTask>(
  deps: TrainerServeDeps<Task>,
  onNews: (words: string) => void,
): Promise<ServeStage> {
  const { out, settings, configHash } = deps;
  const { rollout_server_url: url } = settings;
  await using opened = new AsyncDisposableStack();
  const outbox = opened.use(openOutbox(out, configHash, { onNews }));
  const keptBack = opened.use(openLineFile(join(out, 'kept-back.jsonl')));
  const groups = deps.groups === null ? undefined : opened.use(openGroupFile(deps.groups, configHash));
  const notebook = openNotebook(out, randomUUID);
  const client = createAtroposClient(url);
  const wanted = toRegistration(settings, deps.name);
  const metrics = opened.use(openMetrics(deps, { notebook, name: wanted.desired_name, askProject: client.askWandb, onNews }));
  const link = opened.use(createTrainerLink({ client, url, wanted, notebook, onNews }));
  const ending = new AbortController();
  const signal = AbortSignal.any([deps.signal, ending.signal]);
  const tally = createTrainingTally();
  const limits = { ...limitTokens(settings), allowUnfit: deps.allowUnfit };
  const ofRollout = {
    get maxTokens() {
      return limits.maxTokens - 1;
    },
  };
  const evaluation = opened.use(
    createPeriodicEvaluation({ ...deps, limits: ofRollout, notebook, signal, onDone: tellEvaluation(metrics, onNews) }),
  );
  const onFinished = (finished: FinishedGroup): void => {
    tally.add(finished);
    if (finished.keptBack !== undefined) onNews(`group ${finished.group} is kept back: ${finished.keptBack.why}`);
  };
  const producer = opened.use(createGroupProducer({ ...deps, outbox, keptBack, groups, limits, signal, onFinished }));
  opened.defer(() => ending.abort());
  const closing = opened.move();
  const send = (envId: number): Promise<boolean> =>
    sendWaiting({ client, outbox, keptBack, series: notebook.notes.series, signal, onNews }, envId);
  return { outbox, link, producer, evaluation, tally, metrics, limits, send, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The trainer's limit holds, and where it names none, ours. */
export const limitTokens = (
  { max_token_length: own }: Pick<EnvironmentSettings, 'max_token_length'>,
  ofTrainer?: number,
): Pick<ServeStage['limits'], 'maxTokens' | 'limitedBy'> =>
  ofTrainer === undefined
    ? { maxTokens: own, limitedBy: 'env.max_token_length' }
    : { maxTokens: ofTrainer, limitedBy: 'told by the trainer' };

const tellEvaluation =
  (metrics: MetricsSink, onNews: (words: string) => void) =>
  (step: number, { figures }: Pick<EvaluationResult, 'figures'>): void => {
    metrics.log({ step, values: listEvaluationValues(figures) });
    onNews(`evaluated at step ${step}: ${figures.passed} of ${figures.attempts} passed`);
  };

function openMetrics<Task extends EnvironmentTask>(
  { out, now, wandb, settings, name }: TrainerServeDeps<Task>,
  deps: Pick<WandbDeps, 'notebook' | 'name' | 'askProject' | 'onNews'>,
): MetricsSink {
  const path = join(out, 'metrics.jsonl');
  const file = openMetricsFile(path, now);
  if (wandb === undefined) return file;
  const { group_size, tokenizer_name, max_token_length } = settings;
  return joinSinks([
    file,
    createWandbSink({ ...deps, ...wandb, path, now, config: { environment: name, group_size, tokenizer_name, max_token_length } }),
  ]);
}

const toRegistration = (settings: EnvironmentSettings, name: string): EnvironmentRegistration => ({
  max_token_length: settings.max_token_length,
  // The API refuses an environment without a name, also where nobody uses Weights & Biases.
  desired_name: settings.wandb_name ?? name,
  weight: settings.inference_weight,
  group_size: settings.group_size,
  min_batch_allocation: settings.min_batch_allocation,
});

const joinSinks = (sinks: readonly MetricsSink[]): MetricsSink => ({
  log: (line) => sinks.forEach((sink) => sink.log(line)),
  [Symbol.asyncDispose]: async () => {
    for (const sink of sinks) await sink[Symbol.asyncDispose]();
  },
});
