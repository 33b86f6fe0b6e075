import type { ScoredAttempt, TrajectoryMessage } from '../../src/contracts/environment.ts';
import type { ReportedAttempt } from '../../src/faces/environments/report/attempts.ts';

const TASKS: readonly (readonly [id: string, category: string, difficulty: string, likely: number])[] = [
  ['rename-branch', 'git', 'easy', 0.97],
  ['find-large-files', 'shell', 'easy', 0.95],
  ['sort-csv', 'data', 'easy', 0.92],
  ['count-words', 'shell', 'easy', 0.98],
  ['fix-merge', 'git', 'medium', 0.75],
  ['split-logs', 'shell', 'medium', 0.7],
  ['join-tables', 'data', 'medium', 0.62],
  ['parse-dates', 'code', 'medium', 0.55],
  ['flaky-test', 'code', 'medium', 0.48],
  ['lost-commit', 'git', 'medium', 0.6],
  ['race-condition', 'code', 'hard', 0.22],
  ['rewrite-history', 'git', 'hard', 0.3],
  ['infer-schema', 'data', 'hard', 0.35],
  ['port-to-c', 'code', 'hard', 0.12],
];

/** A run that looks like one: every number is drawn from the seed. */
export function inventRun(seed: number, attempts: number, gain = 0): readonly ReportedAttempt[] {
  const random = drawFrom(seed);
  return TASKS.flatMap(([task, category, difficulty, likely]) =>
    Array.from({ length: attempts }, (_, index): ReportedAttempt => {
      const luck = random();
      const broke = luck > 0.985;
      const reward = broke ? 0 : luck < likely + gain ? 1 : luck < likely + gain + 0.12 ? 0.5 : 0;
      const turnsUsed = 2 + Math.floor(random() * (difficulty === 'easy' ? 4 : difficulty === 'medium' ? 10 : 22));
      const scored: ScoredAttempt = {
        task,
        category,
        difficulty,
        attempt: index + 1,
        reward,
        metrics: { checks_passed: reward },
        turnsUsed,
        finishedNaturally: !broke,
        agentSeconds: turnsUsed * (1.5 + random() * 3),
        rewardSeconds: 0.4,
        tokensIn: Math.floor(turnsUsed * (900 + random() * 2_600)),
        tokensOut: Math.floor(turnsUsed * (60 + random() * 220)),
        ...(broke && { error: 'the agent was stopped after 120 s' }),
      };
      return { scored, messages: TALK };
    }),
  );
}

/** A number from 0 up to 1 for each call, the same for the same seed (mulberry32). */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TALK: readonly TrajectoryMessage[] = [
  { role: 'user', content: 'Sort in.csv by its second column and write the result to out.csv.' },
  {
    role: 'assistant',
    content: '',
    reasoning_content: 'The first line may be a header. I look before I sort.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'terminal', arguments: '{"command":"head -3 in.csv"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', name: 'terminal', content: 'name,age\nBo,31\nAda,36' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [
      {
        id: 'c2',
        type: 'function',
        function: { name: 'terminal', arguments: '{"command":"(head -1 in.csv; tail -n +2 in.csv | sort -t, -k2,2n) > out.csv"}' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'c2', name: 'terminal', content: '' },
  { role: 'assistant', content: 'out.csv is sorted by age; the header stays on top.' },
];
