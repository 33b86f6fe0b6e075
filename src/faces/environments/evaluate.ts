import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { writeFigures } from './run-folder.ts';
import type { EnvironmentSettings, EnvironmentTask, ScoredAttempt } from '../../contracts/environment.ts';
import type { EvaluationFigures, EvaluationProgress, EvaluationResult } from '../../contracts/services/environments.ts';
import { listEvaluationValues, summarizeAttempts, toFigureFields } from './figures.ts';
import { openLineFile, readMadeAttempts, toSampleLine } from './result-file.ts';
import { runRollout, type RolloutDeps, type RolloutLimits } from './rollout.ts';
import { createToolsetDraw } from './toolsets.ts';

export interface EvaluationDeps<Task extends EnvironmentTask> extends RolloutDeps<Task> {
  /** Where results go: `samples.jsonl`, `metrics.json`. */
  readonly out: string;
  readonly runId: string;
  readonly configHash: string;
  /** The name of the model, where the run names one. */
  readonly model?: string;
  readonly limits?: RolloutLimits;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: EvaluationProgress) => void;
}
interface PlannedAttempt<Task> {
  readonly task: Task;
  readonly attempt: number;
}

/**
 * Tries every task as often as the settings say, several at a time, and writes each attempt down as it ends. Those that stand in the
 * file under the same configuration are not made again.
 */
export async function evaluate<Task extends EnvironmentTask>(deps: EvaluationDeps<Task>): Promise<EvaluationResult> {
  const { environment, settings, signal, out, configHash, runId } = deps;
  const path = join(out, 'samples.jsonl');
  const begun = deps.now();
  const tasks = selectTasks(environment.evaluation, settings);
  const known = readMadeAttempts(path, configHash)
    .map(({ scored }) => scored)
    .filter(({ task }) => tasks.some(({ id }) => id === task));
  const attempts = new Map(known.map((scored) => [keyOf(scored.task, scored.attempt), scored]));
  const left = planAttempts(tasks, settings.attempts).filter(({ task, attempt }) => !attempts.has(keyOf(task.id, attempt)));
  const of = attempts.size + left.length;
  const draw = createToolsetDraw(settings);
  using file = openLineFile(path);
  let running = 0;
  const tell = (last?: ScoredAttempt): void =>
    deps.onProgress({
      done: attempts.size,
      of,
      passed: [...attempts.values()].filter(({ reward }) => reward >= 1).length,
      running,
      ...(last !== undefined && { last }),
    });
  tell();
  await runLimited(left, limitWorkers(settings), signal, async (planned) => {
    running++;
    try {
      const rollout = await runRollout(deps, {
        ...planned,
        toolsets: draw(planned.task.id),
        signal,
        ...(deps.limits && { limits: deps.limits }),
      });
      file.append(toSampleLine(rollout, { id: runId, configHash }));
      attempts.set(keyOf(planned.task.id, planned.attempt), rollout.scored);
      running--;
      tell(rollout.scored);
    } catch (error) {
      running--;
      // What the signal stopped was no attempt; the next run makes it.
      if (!signal.aborted) throw error;
    }
  });
  const all = [...attempts.values()].toSorted((a, b) => (keyOf(a.task, a.attempt) < keyOf(b.task, b.attempt) ? -1 : 1));
  const figures = summarizeAttempts(all, environment.summarize?.(all));
  const isStopped = all.length < of;
  writeFigures(join(out, 'metrics.json'), {
    run_id: runId,
    config_hash: configHash,
    environment: deps.name,
    stopped: isStopped,
    ...toFigureFields(figures),
    ...toPythonFigures(deps, figures, (deps.now() - begun) / 1_000),
  });
  return { out, figures, attempts: all, resumed: known.length, isStopped };
}

/** The same figures where programs that read results of the Python environments look for them. */
function toPythonFigures(
  { name, model, settings }: Pick<EvaluationDeps<EnvironmentTask>, 'name' | 'model' | 'settings'>,
  figures: EvaluationFigures,
  seconds: number,
): object {
  const values = listEvaluationValues(figures);
  return {
    config_general: {
      model_name: model ?? null,
      total_evaluation_time_seconds: String(seconds),
      generation_parameters: { temperature: settings.agent_temperature, max_new_tokens: settings.max_token_length },
    },
    results: { [`atropos|${name}_eval|0`]: values, all: values },
  };
}

const keyOf = (task: string, attempt: number): string => `${task}\n${String(attempt).padStart(6, '0')}`;

/** Those of the filter, less those to skip. A name that fits nothing is somebody's mistake. */
export function selectTasks<Task extends EnvironmentTask>(all: readonly Task[], settings: EnvironmentSettings): readonly Task[] {
  const { task_filter: only, skip_tasks: skipped } = settings;
  const unknown = [...(only ?? []), ...(skipped ?? [])].find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no task ${unknown}. There are ${all.length}: ${all
        .slice(0, 20)
        .map(({ id }) => id)
        .join(', ')}${all.length > 20 ? ' …' : ''}`,
    );
  return all.filter(({ id }) => (only === null || only.includes(id)) && skipped?.includes(id) !== true);
}

/** All first attempts come before the second ones: a run that is stopped has seen every task. */
const planAttempts = <Task>(tasks: readonly Task[], times: number): readonly PlannedAttempt<Task>[] =>
  Array.from({ length: times }, (_, index) => tasks.map((task) => ({ task, attempt: index + 1 }))).flat();

/** An attempt may have one tool call under way at least, so more attempts than calls are not begun. */
export const limitWorkers = ({ max_num_workers: workers, tool_pool_size: calls }: EnvironmentSettings): number => Math.min(workers, calls);

/** So many at a time, in order. The first that throws stops those that have not begun, and is thrown when the others are done. */
export async function runLimited<Item>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted || failures.length > 0) return;
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
