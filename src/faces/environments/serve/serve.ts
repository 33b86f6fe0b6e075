import { mkdirSync } from 'node:fs';
import { systemClock } from '../../../base/clock.ts';
import { UsageError } from '../../../base/errors.ts';
import { waitUnlessAborted } from '../../../base/waits.ts';
import type { EnvironmentSettings, EnvironmentTask } from '../../../contracts/environment.ts';
import type { ServeProgress, ServeResult } from '../../../contracts/services/environments.ts';
import { limitWorkers } from '../evaluate.ts';
import type { Registration, TrainerStatus } from './atropos-client.ts';
import { listServeValues } from './metrics.ts';
import { countNewGroups } from './plan.ts';
import { limitTokens, openServeStage, type ServeStage, type TrainerServeDeps } from './stage.ts';

const POLL_MS = 250;
const WAIT_MS = 1_000;
/** After a push without an answer, the next look at the trainer waits longer each time. */
const MAX_WAIT_MS = 30_000;

/**
 * Gives a trainer groups until it has made all its steps. What is finished is on disk before it is sent, and nothing that is
 * finished is thrown away; a slow trainer only stops new groups.
 */
export async function serve<Task extends EnvironmentTask>(deps: TrainerServeDeps<Task>): Promise<ServeResult> {
  const { rollout_server_url: url } = deps.settings;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`env.rollout_server_url must be an address such as http://127.0.0.1:8000, but is ${url}.`);
  mkdirSync(deps.out, { recursive: true });
  const reporter = createReporter(deps.onProgress);
  await using stage = await openServeStage(deps, reporter.onNews);
  return await followTrainer(deps, stage, reporter);
}

async function followTrainer<Task extends EnvironmentTask>(
  deps: TrainerServeDeps<Task>,
  stage: ServeStage,
  { report }: ServeReporter,
): Promise<ServeResult> {
  const { signal, settings, pollMs = POLL_MS } = deps;
  const pace = createPace(pollMs);
  let [step, totalSteps] = [0, -1];
  const tell = (phase: ServeProgress['phase']): void =>
    report({ phase, step, totalSteps, running: stage.producer.running, counts: stage.outbox.counts });
  const end = (isStopped: boolean): ServeResult => ({
    out: deps.out,
    step,
    totalSteps,
    counts: stage.outbox.counts,
    evaluations: stage.evaluation.count,
    isStopped,
  });
  for (let lastStep: number | undefined; !signal.aborted;) {
    stage.producer.check();
    const known = await waitUnlessAborted(stage.link.poll(), signal);
    if (known === undefined) {
      tell('waiting');
      await systemClock.sleep(Math.max(WAIT_MS, pollMs), signal);
      continue;
    }
    const { registration, status } = known;
    [step, totalSteps] = [status.step, readTotalSteps(settings, registration)];
    Object.assign(stage.limits, limitTokens(settings, registration.maxTokens));
    stage.evaluation.noteStep(step);
    if (lastStep !== undefined && lastStep !== step)
      stage.metrics.log({ step, values: { ...stage.tally.take(), ...listServeValues(stage.outbox.counts, status) } });
    lastStep = step;
    if (step >= totalSteps) {
      tell(stage.evaluation.isRunning ? 'evaluating' : 'training');
      await stage.evaluation.finish();
      return end(signal.aborted);
    }
    stage.producer.begin(planGroups(stage, settings, { registration, status, totalSteps }));
    tell(readPhase(stage, settings));
    await systemClock.sleep(pace(await stage.send(registration.envId)), signal);
  }
  return end(true);
}

interface TrainerFacts {
  readonly registration: Registration;
  readonly status: TrainerStatus;
  readonly totalSteps: number;
}
const planGroups = ({ producer, outbox, evaluation }: ServeStage, settings: EnvironmentSettings, trainer: TrainerFacts): number =>
  countNewGroups(
    {
      status: trainer.status,
      batchSize: trainer.registration.batchSize,
      totalSteps: trainer.totalSteps,
      maxGroups: countMaxGroups(settings),
      running: producer.running,
      waiting: outbox.counts.waiting,
      isEvaluating: evaluation.isRunning,
    },
    settings,
  );

const countMaxGroups = (settings: EnvironmentSettings): number => Math.max(1, Math.floor(limitWorkers(settings) / settings.group_size));

const readPhase = ({ evaluation, producer }: ServeStage, settings: EnvironmentSettings): ServeProgress['phase'] => {
  if (evaluation.isRunning) return 'evaluating';
  if (producer.isFailing) return 'failing';
  return producer.running < countMaxGroups(settings) ? 'held' : 'training';
};

function readTotalSteps({ total_steps: own }: EnvironmentSettings, { totalSteps }: Registration): number {
  const steps = own >= 0 ? own : totalSteps;
  if (steps < 0) throw new UsageError('the trainer does not say how many steps it makes. Set env.total_steps.');
  return steps;
}

/** How long to wait after each look: longer and longer while pushes get no answer. */
function createPace(pollMs: number): (isSent: boolean) => number {
  let waitMs = pollMs;
  return (isSent) => (waitMs = isSent ? pollMs : Math.min(MAX_WAIT_MS, waitMs * 2));
}

interface ServeReporter {
  readonly report: (progress: ServeProgress) => void;
  readonly onNews: (words: string) => void;
}

/** Tells what has changed, and nothing twice. */
function createReporter(onProgress: (progress: ServeProgress) => void): ServeReporter {
  let told = '';
  let last: ServeProgress = {
    phase: 'waiting',
    step: 0,
    totalSteps: -1,
    running: 0,
    counts: { finished: 0, accepted: 0, waiting: 0, repeated: 0, keptBack: {} },
  };
  return {
    report: (progress) => {
      const words = JSON.stringify(progress);
      last = progress;
      if (words !== told) onProgress(progress);
      told = words;
    },
    onNews: (news) => onProgress({ ...last, news }),
  };
}
