import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoredAttempt } from '../../../src/contracts/environment.ts';
import { quantileOfT } from '../../../src/base/student-t.ts';
import { compareRuns } from '../../../src/faces/environments/figures.ts';
import { estimateMean, estimateShare } from '../../../src/faces/environments/intervals.ts';

const createAttempt = (task: string, reward: number): ScoredAttempt => ({
  task,
  attempt: 1,
  reward,
  metrics: {},
  turnsUsed: 1,
  finishedNaturally: true,
  agentSeconds: 1,
  rewardSeconds: 0,
  tokensIn: 1,
  tokensOut: 1,
});

/** What scipy 1.16 gives for `t.ppf(0.975, degrees)`. */
const QUANTILES: readonly (readonly [degrees: number, value: number])[] = [
  [1, 12.706204736174694],
  [2, 4.302652729749462],
  [3, 3.1824463052837078],
  [4, 2.7764451051977934],
  [9, 2.262157162798205],
  [13, 2.1603686564627913],
  [29, 2.045229642132703],
  [99, 1.9842169515864174],
  [999, 1.9623414611334493],
];

test('quantiles of Student’s t are those of scipy', () => {
  for (const [degrees, value] of QUANTILES) assert.ok(Math.abs(quantileOfT(degrees) / value - 1) < 1e-11, `${degrees} degrees`);
});

test('one attempt at each task: Wilson’s interval for shares, Student’s for means', () => {
  const eight = Array.from({ length: 10 }, (_, index) => [index < 8 ? 1 : 0]);
  const share = estimateShare(eight);
  // As tables have it for 8 of 10.
  assert.deepEqual([share.mean, share.low.toFixed(4), share.high.toFixed(4), share.count], [0.8, '0.4902', '0.9433', 10]);
  const mean = estimateMean([0.5, 1, 0, 0.25, 0.75, 1, 1].map((value) => [value]));
  // scipy: t.interval(0.95, 6, loc=mean, scale=sem) = (0.26868, 1.01704); no reward is above 1.
  assert.deepEqual([mean.mean.toFixed(4), mean.low.toFixed(4), mean.high], ['0.6429', '0.2687', 1]);
});

test('attempts at one task are not independent: repeating them makes no false certainty', () => {
  const tasks = [1, 1, 1, 0, 0, 1, 0, 1];
  const [once, often] = [1, 20].map((times) => estimateShare(tasks.map((value) => Array.from({ length: times }, () => value))));
  assert.deepEqual([often?.low, often?.high], [once?.low, once?.high], 'attempts that all say the same are worth one');
  const mixed = estimateShare(
    Array.from({ length: 40 }, (_, task) => Array.from({ length: 10 }, (_each, index) => ((task + index) % 2 === 0 ? 1 : 0))),
  );
  assert.ok(mixed.high - mixed.low < 0.12, 'tasks that do not differ make every attempt count');
  const alone = estimateMean([[1, 1, 1]]);
  assert.deepEqual([alone.mean, alone.low, alone.high], [1, 0, 1], 'one task says nothing of others');
});

test('the interval holds the true share as often as it says, where naive counting does not', () => {
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const [RUNS, TASKS, ATTEMPTS, TRUE] = [600, 20, 5, 0.6];
  const held = { clustered: 0, naive: 0 };
  for (let run = 0; run < RUNS; run++) {
    // Each task is either mostly solved or mostly not: 0.6 on the whole.
    const rows = Array.from({ length: TASKS }, () => {
      const likely = random() < 0.6 ? 0.9 : 0.15;
      return Array.from({ length: ATTEMPTS }, () => (random() < likely ? 1 : 0));
    });
    const holds = ({ low, high }: { readonly low: number; readonly high: number }): number => (low <= TRUE && TRUE <= high ? 1 : 0);
    held.clustered += holds(estimateShare(rows));
    held.naive += holds(estimateShare(rows.flat().map((value) => [value])));
  }
  assert.ok(held.clustered / RUNS > 0.93, `clustered: ${held.clustered} of ${RUNS}`);
  assert.ok(held.naive / RUNS < 0.8, `naive: ${held.naive} of ${RUNS}`);
});

test('tasks that all came out alike are no certainty: their mean allows for others as a share does', () => {
  for (const value of [0, 1])
    for (const tasks of [2, 3, 20]) {
      const clusters = Array.from({ length: tasks }, () => [value]);
      const [mean, share] = [estimateMean(clusters), estimateShare(clusters)];
      for (const end of ['low', 'high'] as const) assert.ok(Math.abs(mean[end] - share[end]) < 1e-12, `${tasks} times ${value}: ${end}`);
    }
  const { low, high } = estimateMean(Array.from({ length: 3 }, () => [0.1, 0.1, 0.1]));
  assert.ok(low < 0.06 && high > 0.5, 'also where a mean of equal values is not quite the value');
});

test('a difference is clear from four tasks on that all changed from failed to passed', () => {
  const run = (tasks: number, reward: number) => Array.from({ length: tasks }, (_, index) => createAttempt(`task ${index}`, reward));
  const compare = (tasks: number, first: number, second: number) => compareRuns(run(tasks, first), run(tasks, second));
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((tasks) => compare(tasks, 0, 1).isClear),
    [false, false, false, true, true],
  );
  const same = compare(2, 1, 1);
  assert.equal(same.isClear, false);
  assert.ok(same.difference.low < 0 && same.difference.high > 0, 'two runs that came out alike may still differ');
});
