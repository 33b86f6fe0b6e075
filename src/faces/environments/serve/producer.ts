import { UsageError } from '../../../base/errors.ts';
import type { EnvironmentSettings, EnvironmentTask } from '../../../contracts/environment.ts';
import { toGroup, type GroupFile, type ScoredGroup } from '../group.ts';
import type { LineFile } from '../result-file.ts';
import type { Rollout, RolloutDeps } from '../rollout.ts';
import { createGroupSeries, runGroup } from '../run-group.ts';
import { findReasonToKeepBack, type GroupLimits, type KeptBack } from './keep-back.ts';
import type { Outbox } from './outbox.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** So many groups in a row in which not one request fit: others will not fit either. */
const MAX_OUTGROWN = 8;

export interface ProducerDeps<Task extends EnvironmentTask> extends RolloutDeps<Task> {
  readonly outbox: Outbox;
  /** What is not sent is kept here. */
  readonly keptBack: LineFile;
  /** Every finished group, where somebody wants them. */
  readonly groups: GroupFile | undefined;
  /** As they are when a group is finished. */
  readonly limits: Omit<GroupLimits, 'settings'>;
  readonly signal: AbortSignal;
  readonly onFinished: (group: FinishedGroup) => void;
}
export interface FinishedGroup {
  readonly group: number;
  readonly rollouts: readonly Rollout[];
  readonly scored: ScoredGroup;
  readonly keptBack?: KeptBack;
}
/** Makes groups and puts them into the outbox. What an earlier process left half done comes first. */
export interface GroupProducer extends AsyncDisposable {
  readonly running: number;
  /** The model fails: nothing is begun for a while. */
  readonly isFailing: boolean;
  begin(count: number): void;
  /** Throws what stopped a group, other than an attempt that failed. */
  check(): void;
}

export function createGroupProducer<Task extends EnvironmentTask>(deps: ProducerDeps<Task>): GroupProducer {
  const { outbox, settings, signal, now } = deps;
  const series = createGroupSeries(deps);
  const running = new Map<number, Promise<void>>();
  const failures: unknown[] = [];
  let nextGroup = outbox.next;
  let pauseMs = 0;
  let outgrown = 0;
  let notBefore = 0;

  const produce = async (group: number): Promise<void> => {
    const rollouts = await runGroup(deps, await series.plan(group), {
      done: outbox.halfDone.get(group) ?? new Map(),
      signal,
      ...toSeconds(settings),
      // A sequence must have fewer tokens than the limit.
      limits: { maxTokens: deps.limits.maxTokens - 1 },
      onAttempt: (attempt, rollout) => outbox.addAttempt(group, attempt, rollout),
    });
    if (rollouts === undefined) return;
    const finished = finish(group, rollouts);
    // A model that is gone for a while must not cost every task its turn.
    pauseMs = finished.keptBack?.reason === 'broken' ? Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2)) : 0;
    notBefore = now() + pauseMs;
    outgrown = rollouts.every(({ scored }) => scored.outgrown === true && scored.turnsUsed === 0) ? outgrown + 1 : 0;
    if (outgrown >= Math.min(MAX_OUTGROWN, series.tasks.length || MAX_OUTGROWN))
      throw new UsageError(
        `no task fits: the model could not be asked even once in ${outgrown} groups. ${finished.keptBack?.why ?? ''} Raise that limit, or give the model fewer tools (env.enabled_toolsets) or shorter tasks.`,
      );
    deps.onFinished(finished);
  };
  const finish = (group: number, rollouts: readonly Rollout[]): FinishedGroup => {
    const scored = toGroup(rollouts, settings);
    const keptBack = findReasonToKeepBack(rollouts, scored, { settings, ...deps.limits });
    if (deps.groups?.has(group) === false) deps.groups.add(group, scored);
    if (keptBack === undefined) outbox.addGroup(group, scored);
    else {
      deps.keptBack.append({ group, ...keptBack, scored });
      outbox.keepBack(group, keptBack.reason);
    }
    return { group, rollouts, scored, ...(keptBack !== undefined && { keptBack }) };
  };
  const pickGroup = (): number => [...outbox.halfDone.keys()].find((group) => !running.has(group)) ?? nextGroup++;
  return {
    get running() {
      return running.size;
    },
    get isFailing() {
      return now() < notBefore;
    },
    begin: (count) => {
      if (now() < notBefore) return;
      for (let index = 0; index < count; index++) {
        const group = pickGroup();
        const work = produce(group)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(group));
        running.set(group, work);
      }
    },
    check: () => {
      if (failures.length > 0) throw failures[0];
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(running.values());
    },
  };
}

const toSeconds = ({ worker_timeout: seconds }: Pick<EnvironmentSettings, 'worker_timeout'>): { readonly seconds?: number } =>
  seconds > 0 ? { seconds } : {};
