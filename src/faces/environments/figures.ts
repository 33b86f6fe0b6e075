import type { ScoredAttempt } from '../../contracts/environment.ts';
import type { Estimate, EvaluationFigures, RunComparison, TaskChange } from '../../contracts/services/environments.ts';
import { average, estimateMean, estimateShare, sum, type ClusteredValues } from './intervals.ts';
import { isPass } from './result-file.ts';

export function summarizeAttempts(attempts: readonly ScoredAttempt[], own: Readonly<Record<string, number>> = {}): EvaluationFigures {
  const byTask = Map.groupBy(attempts, ({ task }) => task);
  const passed = attempts.filter(isPass).length;
  return {
    tasks: byTask.size,
    attempts: attempts.length,
    passed,
    errors: attempts.filter(({ error, reward }) => error !== undefined && reward === 0).length,
    passRate: estimateShare(passesByTask(attempts)),
    reward: estimateMean([...byTask.values()].map((tries) => tries.map(({ reward }) => reward))),
    passAny: byTask.size === 0 ? 0 : [...byTask.values()].filter((tries) => tries.some(isPass)).length / byTask.size,
    byCategory: groupShares(attempts, ({ category }) => category),
    byDifficulty: groupShares(attempts, ({ difficulty }) => difficulty),
    turns: average(attempts.map(({ turnsUsed }) => turnsUsed)),
    tokensIn: sum(attempts.map(({ tokensIn }) => tokensIn)),
    tokensOut: sum(attempts.map(({ tokensOut }) => tokensOut)),
    agentSeconds: sum(attempts.map(({ agentSeconds }) => agentSeconds)),
    metrics: { ...averageMetrics(attempts), ...own },
  };
}

/** The figures as files have them: under the names that `--json` prints too. Categories and metrics keep their own. */
export function toFigureFields(figures: EvaluationFigures): object {
  const { passRate, passAny, byCategory, byDifficulty, tokensIn, tokensOut, agentSeconds, ...others } = figures;
  return {
    ...others,
    pass_rate: passRate,
    pass_any: passAny,
    by_category: byCategory,
    by_difficulty: byDifficulty,
    tokens_in: tokensIn,
    tokens_out: tokensOut,
    agent_seconds: agentSeconds,
  };
}

function groupShares(
  attempts: readonly ScoredAttempt[],
  keyOf: (attempt: ScoredAttempt) => string | undefined,
): Readonly<Record<string, Estimate>> {
  const groups = Map.groupBy(
    attempts.filter((attempt) => keyOf(attempt) !== undefined),
    (attempt) => keyOf(attempt) ?? '',
  );
  return Object.fromEntries(
    [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, rows]) => [key, estimateShare(passesByTask(rows))]),
  );
}

function averageMetrics(attempts: readonly ScoredAttempt[]): Readonly<Record<string, number>> {
  const names = new Set(attempts.flatMap(({ metrics }) => Object.keys(metrics).filter((name) => !isExitCode(name))));
  return Object.fromEntries([...names].map((name) => [name, average(attempts.flatMap(({ metrics }) => metrics[name] ?? []))]));
}

/** A code is no amount: its mean says nothing. It stays with each attempt. */
const isExitCode = (name: string): boolean => /(?:^|_)exit_code$/.test(name);

/** What passed is 1, what did not is 0. */
const passesByTask = (attempts: readonly ScoredAttempt[]): ClusteredValues =>
  [...Map.groupBy(attempts, ({ task }) => task).values()].map((tries) => tries.map((tried) => (isPass(tried) ? 1 : 0)));

/** Figures under the names of the Python environments where they have one, for whoever draws them over time. */
export const listEvaluationValues = ({
  attempts,
  passRate,
  reward,
  passAny,
  turns,
  errors,
  metrics,
  byCategory,
  byDifficulty,
}: EvaluationFigures): Readonly<Record<string, number>> => ({
  'eval/attempts': attempts,
  'eval/pass_rate': passRate.mean,
  'eval/pass_any': passAny,
  'eval/avg_reward': reward.mean,
  'eval/turns': turns,
  'eval/errors': errors,
  ...Object.fromEntries([byCategory, byDifficulty].flatMap(listShares)),
  ...Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`eval/${name}`, value])),
});

const listShares = (shares: EvaluationFigures['byCategory']): readonly (readonly [string, number])[] =>
  Object.entries(shares).map(([name, { mean }]) => [`eval/pass_rate_${name.replaceAll(/\W+/g, '_')}`, mean]);

/** Pairs by task: what is hard for both runs says nothing about their difference. */
export function compareRuns(first: readonly ScoredAttempt[], second: readonly ScoredAttempt[]): RunComparison {
  const [one, other] = [Map.groupBy(first, ({ task }) => task), Map.groupBy(second, ({ task }) => task)];
  const changes = [...one].flatMap(([task, before]): readonly TaskChange[] => {
    const after = other.get(task);
    return after === undefined ? [] : [describeChange(task, before, after)];
  });
  const difference = estimateMean(
    changes.map(({ by }) => [by]),
    DIFFERENCES,
  );
  return {
    tasks: changes.length,
    difference,
    better: changes.filter(({ by }) => by > 0).map(({ task }) => task),
    worse: changes.filter(({ by }) => by < 0).map(({ task }) => task),
    onlyFirst: one.size - changes.length,
    onlySecond: other.size - changes.length,
    isClear: changes.length > 1 && (difference.low > 0 || difference.high < 0),
    changes: changes.toSorted((a, b) => b.by - a.by || (a.task < b.task ? -1 : 1)),
    byCategory: groupChanges(changes, ({ category }) => category),
    byDifficulty: groupChanges(changes, ({ difficulty }) => difficulty),
    first: summarizeAttempts(first),
    second: summarizeAttempts(second),
  };
}
const DIFFERENCES = { low: -1, high: 1 };

function describeChange(task: string, before: readonly ScoredAttempt[], after: readonly ScoredAttempt[]): TaskChange {
  const [one, other] = [before, after].map((tries) => average(tries.map(({ reward }) => reward)));
  const { category, difficulty } = after[0] ?? {};
  return {
    task,
    ...(category !== undefined && { category }),
    ...(difficulty !== undefined && { difficulty }),
    first: one ?? 0,
    second: other ?? 0,
    by: (other ?? 0) - (one ?? 0),
  };
}

const groupChanges = (
  changes: readonly TaskChange[],
  keyOf: (change: TaskChange) => string | undefined,
): Readonly<Record<string, Estimate>> =>
  Object.fromEntries(
    [...Map.groupBy(changes, keyOf)]
      .flatMap(([key, rows]) => (key === undefined ? [] : [[key, rows] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, rows]) => [
        key,
        estimateMean(
          rows.map(({ by }) => [by]),
          DIFFERENCES,
        ),
      ]),
  );
