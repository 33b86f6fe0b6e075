import { join } from 'node:path';
import type { EnvironmentSettings, EnvironmentTask } from '../../../contracts/environment.ts';
import type { EvaluationResult } from '../../../contracts/services/environments.ts';
import { evaluate } from '../evaluate.ts';
import { hashConfig } from '../result-file.ts';
import type { RolloutDeps, RolloutLimits } from '../rollout.ts';
import type { ServeNotebook } from './notes.ts';
import { isEvaluationDue } from './plan.ts';

export interface PeriodicEvaluationDeps<Task extends EnvironmentTask> extends RolloutDeps<Task> {
  readonly out: string;
  readonly runId: string;
  readonly configHash: string;
  readonly notebook: ServeNotebook;
  readonly limits?: RolloutLimits;
  readonly signal: AbortSignal;
  readonly onDone: (step: number, result: EvaluationResult) => void;
}
/** Evaluates again and again while the model is trained, one at a time. */
export interface PeriodicEvaluation extends AsyncDisposable {
  readonly isRunning: boolean;
  readonly count: number;
  /** Begins an evaluation when one has become due. Throws what stopped the last one. */
  noteStep(step: number): void;
  /** Waits for the one that runs. */
  finish(): Promise<void>;
}

export function createPeriodicEvaluation<Task extends EnvironmentTask>(deps: PeriodicEvaluationDeps<Task>): PeriodicEvaluation {
  const { environment, settings, notebook, signal, out } = deps;
  let [count, running, failure]: [number, Promise<void> | undefined, unknown] = [0, undefined, undefined];
  let lastStep = Number.NEGATIVE_INFINITY;
  const run = async (step: number): Promise<void> => {
    const { series, training = 1 } = notebook.notes;
    const result = await evaluate({
      ...deps,
      // A task to learn from may have the same name: attempts at it have other folders and terminals.
      name: `${deps.name}-evaluation`,
      folder: join(deps.folder, 'evaluation'),
      settings: toEvaluationSettings(settings, environment.evaluation),
      // What another model did at the same step counts for this one no more than what one of another folder did.
      configHash: hashConfig({ configHash: deps.configHash, series, training }),
      out: join(out, 'evaluations', ...(training === 1 ? [] : [`training-${training}`]), `step-${step}`),
      onProgress: () => {},
    });
    // One that was stopped is made up for by the next process.
    if (result.isStopped) return;
    if ((notebook.notes.training ?? 1) === training) notebook.write({ evaluatedStep: step });
    count++;
    deps.onDone(step, result);
  };
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    get isRunning() {
      return running !== undefined;
    },
    get count() {
      return count;
    },
    noteStep: (step) => {
      check();
      const { evaluatedStep: before, training = 1 } = notebook.notes;
      if (before === undefined) return notebook.write({ evaluatedStep: step });
      // A trainer that begins anew begins with a model that was never trained.
      const isAnew = step < Math.max(before, lastStep);
      lastStep = step;
      if (isAnew) return notebook.write({ evaluatedStep: step, training: training + 1 });
      if (environment.evaluation.length === 0 || running !== undefined || signal.aborted) return;
      if (!isEvaluationDue(before, step, settings.steps_per_eval)) return;
      running = run(step)
        .catch((error: unknown) => void (failure = error))
        .finally(() => (running = undefined));
    },
    finish: async () => {
      await running;
      check();
    },
    [Symbol.asyncDispose]: async () => {
      await running;
    },
  };
}

/** Filters name tasks of either kind; those that name none of these leave them all. */
function toEvaluationSettings(settings: EnvironmentSettings, tasks: readonly EnvironmentTask[]): EnvironmentSettings {
  const known = (names: readonly string[] | null): readonly string[] | null => {
    const found = names?.filter((name) => tasks.some(({ id }) => id === name)) ?? [];
    return found.length === 0 ? null : found;
  };
  return { ...settings, task_filter: known(settings.task_filter), skip_tasks: known(settings.skip_tasks) };
}
