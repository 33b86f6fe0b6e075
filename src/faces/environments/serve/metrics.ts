import type { ServeCounts } from '../../../contracts/services/environments.ts';
import { average } from '../intervals.ts';
import { isPass } from '../result-file.ts';
import type { TrainerStatus } from './atropos-client.ts';
import type { FinishedGroup } from './producer.ts';

/** What was finished since the last step. */
export interface TrainingTally {
  add(group: FinishedGroup): void;
  /** The figures, and begins anew; nothing when no group was finished. */
  take(): Readonly<Record<string, number>> | undefined;
}

export function createTrainingTally(): TrainingTally {
  let groups: FinishedGroup[] = [];
  return {
    add: (group) => void groups.push(group),
    take: () => {
      if (groups.length === 0) return undefined;
      const values = summarizeGroups(groups);
      groups = [];
      return values;
    },
  };
}

function summarizeGroups(groups: readonly FinishedGroup[]): Readonly<Record<string, number>> {
  const attempts = groups.flatMap(({ rollouts }) => rollouts);
  const scored = attempts.map((each) => each.scored);
  const lengths = groups.flatMap(({ scored: { tokens } }) => tokens.map(({ length }) => length));
  return {
    'train/groups': groups.length,
    'train/items_rejected': groups.filter(({ keptBack }) => keptBack !== undefined).length,
    'train/total_rollouts': attempts.length,
    'train/avg_reward': average(scored.map(({ reward }) => reward)),
    'train/pass_rate': scored.filter(isPass).length / scored.length,
    'train/errors': scored.filter(({ error }) => error !== undefined).length,
    'train/tool_errors_count': attempts.reduce((sum, { result }) => sum + result.toolErrors.length, 0),
    'train/turns': average(scored.map(({ turnsUsed }) => turnsUsed)),
    'train/completion_lengths': average(lengths),
    'train/completion_lengths_std': deviation(lengths),
    'train/completion_lengths_min': Math.min(...lengths),
    'train/completion_lengths_max': Math.max(...lengths),
    'train_perf/task_duration_mean': average(scored.map(({ agentSeconds, rewardSeconds }) => agentSeconds + rewardSeconds)),
  };
}

export const listServeValues = (
  { accepted, waiting, repeated }: ServeCounts,
  { queued, weight }: TrainerStatus,
): Readonly<Record<string, number>> => ({
  'train/items_sent_to_api': accepted,
  'serve/waiting': waiting,
  'serve/repeated': repeated,
  'serve/queued': queued,
  'serve/env_weight': weight,
});

const deviation = (values: readonly number[]): number => {
  const mean = average(values);
  return Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
};
