import { dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { EnvironmentTask, ScoredAttempt } from '../../contracts/environment.ts';
import type { EvaluationProgress, ProcessResult } from '../../contracts/services/environments.ts';
import { limitWorkers, runLimited } from './evaluate.ts';
import { summarizeAttempts, toFigureFields } from './figures.ts';
import { openGroupFile, toGroup } from './group.ts';
import { openLineReader } from './lines.ts';
import { isLost, isPass, openLineFile, readMadeAttempts, readSample, toRollout, toSampleLine } from './result-file.ts';
import type { Rollout, RolloutDeps } from './rollout.ts';
import { writeFigures } from './run-folder.ts';
import { createGroupSeries, runGroup, type GroupPlan } from './run-group.ts';

export interface ProcessDeps<Task extends EnvironmentTask> extends RolloutDeps<Task> {
  /** One scored trajectory a line. */
  readonly out: string;
  /** Groups as Atropos has them; `null` where nobody wants them. */
  readonly groups: string | null;
  /** How many groups; all tasks once when left out. */
  readonly count?: number;
  readonly runId: string;
  readonly configHash: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: EvaluationProgress) => void;
}

/**
 * Makes scored conversations to learn from, group by group; goes on with what the files do not have yet. Figures of all there are go
 * into a file beside them, also of a run that was stopped.
 */
export async function processTasks<Task extends EnvironmentTask>(deps: ProcessDeps<Task>): Promise<ProcessResult> {
  const { settings, signal } = deps;
  const series = createGroupSeries(deps);
  const count = deps.count ?? series.tasks.length;
  if (count === 0) throw new UsageError(`the environment ${deps.name} generates its tasks. Say how many groups to make: --groups 10.`);
  using attempts = openAttemptFile(deps);
  using groups = deps.groups === null ? undefined : openGroupFile(deps.groups, deps.configHash);
  const resumed = attempts.made.size;
  let running = 0;
  const tell = (last?: Rollout): void =>
    deps.onProgress({ done: attempts.made.size, of: count * settings.group_size, passed: attempts.passed, running, ...toLast(last) });
  const isWhole = (plan: GroupPlan<Task>): boolean =>
    plan.attempts.every((attempt) => attempts.made.has(attempt)) && groups?.has(plan.group) !== false;
  const plans = await Promise.all(Array.from({ length: count }, (_, group) => series.plan(group)));
  const left = plans.filter((plan) => !isWhole(plan));
  tell();
  await runLimited(left, Math.max(1, Math.floor(limitWorkers(settings) / settings.group_size)), signal, async (plan) => {
    const done = attempts.listDone(plan.attempts);
    running += plan.attempts.length - done.size;
    const onAttempt = (_attempt: number, rollout: Rollout): void => {
      attempts.add(rollout);
      running--;
      tell(rollout);
    };
    const rollouts = await runGroup(deps, plan, { done, signal, onAttempt });
    // One that is not whole is written when it is.
    if (rollouts?.some(({ scored }) => isLost(scored)) === false) groups?.add(plan.group, toGroup(rollouts, settings));
  });
  const { size: trajectories } = attempts.made;
  const isStopped = trajectories < count * settings.group_size;
  const all = [...attempts.made.values()];
  const lost = all.filter(isLost).length;
  writeFigures(join(dirname(deps.out), 'trajectories-metrics.json'), {
    run_id: deps.runId,
    config_hash: deps.configHash,
    environment: deps.name,
    stopped: isStopped,
    groups: count,
    lost,
    ...toFigureFields(summarizeAttempts(all, deps.environment.summarize?.(all))),
  });
  return { out: deps.out, groups: count, trajectories, passed: attempts.passed, lost, resumed, isStopped };
}

const toLast = (last: Rollout | undefined): Pick<EvaluationProgress, 'last'> => (last === undefined ? {} : { last: last.scored });

interface AttemptFile extends Disposable {
  /** The figures by the number of the attempt; what was said is in the file. */
  readonly made: ReadonlyMap<number, ScoredAttempt>;
  readonly passed: number;
  add(rollout: Rollout): void;
  /** Those of these attempts that an earlier run made. */
  listDone(attempts: readonly number[]): ReadonlyMap<number, Rollout>;
}

/** Attempts of this configuration: those of earlier runs, and what is added. */
function openAttemptFile({ out, configHash, runId }: Pick<ProcessDeps<EnvironmentTask>, 'out' | 'configHash' | 'runId'>): AttemptFile {
  const stored = new Map(readMadeAttempts(out, configHash).map((attempt) => [attempt.scored.attempt, attempt]));
  const made = new Map([...stored].map(([attempt, { scored }]) => [attempt, scored]));
  const file = openLineFile(out);
  const reader = openLineReader(out);
  return {
    made,
    get passed() {
      return [...made.values()].filter(isPass).length;
    },
    add: (rollout) => {
      file.append(toSampleLine(rollout, { id: runId, configHash }));
      made.set(rollout.scored.attempt, rollout.scored);
    },
    listDone: (wanted) =>
      new Map(
        wanted.flatMap((attempt) => {
          const place = stored.get(attempt);
          const line = place === undefined ? undefined : readSample(reader.read(place));
          return line === undefined ? [] : [[attempt, toRollout(line)] as const];
        }),
      ),
    [Symbol.dispose]: () => {
      reader[Symbol.dispose]();
      file[Symbol.dispose]();
    },
  };
}
