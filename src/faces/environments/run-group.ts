import { UsageError } from '../../base/errors.ts';
import type { EnvironmentSettings, EnvironmentTask } from '../../contracts/environment.ts';
import { selectTasks } from './evaluate.ts';
import { runRollout, type Rollout, type RolloutDeps, type RolloutLimits } from './rollout.ts';
import { createToolsetDraw, type ToolsetDraw } from './toolsets.ts';

/** Groups in their order: which task each is at, with which attempts and tools. The same number is always the same group. */
export interface GroupSeries<Task> {
  /** Empty where tasks are generated. */
  readonly tasks: readonly Task[];
  plan(group: number): Promise<GroupPlan<Task>>;
}
export interface GroupPlan<Task> {
  readonly group: number;
  readonly task: Task;
  /** Counted over all groups, from 1. */
  readonly attempts: readonly number[];
  readonly toolsets: ReturnType<ToolsetDraw>;
}
export interface GroupRun {
  /** Attempts that an earlier process has made; they are not made again. */
  readonly done: ReadonlyMap<number, Rollout>;
  readonly seconds?: number;
  readonly limits?: RolloutLimits;
  readonly signal: AbortSignal;
  /** An attempt is over; called before its group is. */
  readonly onAttempt: (attempt: number, rollout: Rollout) => void;
}

export function createGroupSeries<Task extends EnvironmentTask>(deps: RolloutDeps<Task>): GroupSeries<Task> {
  const { environment, settings, name } = deps;
  const isGenerated = environment.nextTask !== undefined;
  const tasks = isGenerated ? [] : selectTasks(environment.training ?? environment.evaluation, settings);
  if (tasks.length === 0 && !isGenerated) throw new UsageError(`the environment ${name} has no tasks to learn from.`);
  const draw = createToolsetDraw(settings);
  return {
    tasks,
    plan: async (group) => {
      const task = (await environment.nextTask?.(group)) ?? tasks[group % tasks.length];
      if (task === undefined) throw new Error(`there is no task for group ${group}`);
      return { group, task, attempts: listAttempts(group, settings), toolsets: draw(`${task.id}/${group}`) };
    },
  };
}

const listAttempts = (group: number, { group_size: size }: Pick<EnvironmentSettings, 'group_size'>): readonly number[] =>
  Array.from({ length: size }, (_, index) => group * size + index + 1);

/** All attempts of a group in their order, or nothing when the signal stopped it: what was finished has been handed over. */
export async function runGroup<Task extends EnvironmentTask>(
  deps: RolloutDeps<Task>,
  { task, attempts, toolsets }: GroupPlan<Task>,
  { done, seconds, limits, signal, onAttempt }: GroupRun,
): Promise<readonly Rollout[] | undefined> {
  const attemptOnce = async (attempt: number): Promise<Rollout> => {
    const known = done.get(attempt);
    if (known !== undefined) return known;
    const rollout = await runRollout(deps, {
      task,
      attempt,
      toolsets,
      signal,
      ...(seconds !== undefined && { seconds }),
      ...(limits && { limits }),
    });
    onAttempt(attempt, rollout);
    return rollout;
  };
  const made = await Promise.allSettled(attempts.map(attemptOnce));
  const failed = made.find((each) => each.status === 'rejected');
  if (failed === undefined) return made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (signal.aborted) return undefined;
  throw failed.reason;
}
