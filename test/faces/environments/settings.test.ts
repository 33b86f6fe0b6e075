import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENVIRONMENT_FIELDS } from '../../../src/faces/environments/fields.ts';
import { readRunSettings } from '../../../src/faces/environments/read-settings.ts';
import { readAssignments } from '../../../src/faces/environments/read-environment.ts';
import { expandDottedOptions } from '../../../src/faces/cli/dotted-options.ts';
import { compareRuns, summarizeAttempts } from '../../../src/faces/environments/figures.ts';
import { checkToolsets, createToolsetDraw, DISTRIBUTIONS } from '../../../src/faces/environments/toolsets.ts';
import { TOOLSETS } from '../../../src/parts/tools/toolsets.ts';
import type { ScoredAttempt } from '../../../src/contracts/environment.ts';

/** Seed 004, Configuration Reference: the fourteen fields and their defaults. */
const SEED = {
  enabled_toolsets: null,
  disabled_toolsets: null,
  distribution: null,
  max_agent_turns: 30,
  agent_temperature: 1,
  system_prompt: null,
  terminal_backend: 'local',
  terminal_timeout: 120,
  terminal_lifetime: 3600,
  dataset_name: null,
  tool_pool_size: 128,
  tool_call_parser: 'hermes',
  extra_body: null,
  eval_handling: 'STOP_TRAIN',
};

test('the fourteen settings of the seed have its names and defaults, in its order', () => {
  const first = Object.entries(ENVIRONMENT_FIELDS).slice(0, 14);
  assert.deepEqual(Object.fromEntries(first.map(([key, field]) => [key, field.default])), SEED);
});

test('flags win over the file, the file over the environment, the environment over the default', () => {
  const { env, explained } = readRunSettings({
    environment: { env: { max_agent_turns: 10, group_size: 2, terminal_timeout: 5 } },
    file: { env: { max_agent_turns: 20, group_size: 8 } },
    flag: readAssignments(['env.max_agent_turns=40', 'env.task_filter=a, b', 'env.extra_body={"top_k": 5}', 'openai.model_name=m']),
  });
  assert.deepEqual(
    [env.max_agent_turns, env.group_size, env.terminal_timeout, env.max_num_workers, env.task_filter, env.extra_body],
    [40, 8, 5, 8, ['a', 'b'], { top_k: 5 }],
  );
  assert.deepEqual(
    explained.filter(({ from }) => from !== 'default').map(({ key, from }) => `${key} ${from}`),
    [
      'env.max_agent_turns flag',
      'env.terminal_timeout environment',
      'env.extra_body flag',
      'env.group_size file',
      'env.task_filter flag',
      'openai.model_name flag',
    ],
  );
});

test('a list may have one word, which may be a number, and null or None is "not set" where that is the default', () => {
  const own = { seeds: { kind: 'list', default: ['1', '2'], describe: 'Seeds.' } } as const;
  const read = (...words: readonly string[]) => readRunSettings({ flag: readAssignments(words) }, own);
  for (const [words, expected] of [
    ['task_filter=123', ['123']],
    ['task_filter=1e3', ['1e3']],
    ['task_filter=007,a', ['007', 'a']],
    ['task_filter=["a,b", 7]', ['a,b', '7']],
    ['task_filter=null', null],
    ['task_filter=None', null],
    ['dataset_name=null', null],
    ['dataset_name=None', null],
    ['seed=None', null],
    ['seed=null', null],
    ['wandb_name=nulls', 'nulls'],
  ] as const)
    assert.deepEqual(Object.entries(read(words).env).find(([key]) => key === words.split('=')[0])?.[1], expected, words);
  assert.deepEqual(read('seeds=1').own, { seeds: ['1'] });
  assert.deepEqual(readRunSettings({ file: { env: { seeds: 5, task_filter: [1, 'b'] } } }, own).own, { seeds: ['5'] });
  assert.equal(read('tool_call_parser=null').env.tool_call_parser, 'null', 'a setting that is always set has no such word');
  assert.throws(() => readRunSettings({ file: { env: { task_filter: [['a']] } } }), /must be a list of words/);
  assert.throws(() => read('group_size=null'), /must be a whole number/);
});

for (const [words, expected] of [
  ['env.max_agent_turns=no', /must be a whole number of at least 1, but is "no"/],
  ['env.max_agent_turns=0', /at least 1/],
  ['env.eval_handling=SOMETIMES', /one of STOP_TRAIN, LIMIT_TRAIN, NONE/],
  ['env.use_wandb=1', /true or false/],
  ['openai.server_type=llama', /one of openai, vllm/],
  ['nonsense', /is not a setting\. Write it like/],
] as const)
  test(`a setting that does not fit is told: ${words}`, () => {
    assert.throws(() => readRunSettings({ flag: readAssignments([words]) }), expected);
  });

test('settings can be options of their own; everything else on the line stays', () => {
  assert.deepEqual(expandDottedOptions(['env', 'evaluate', 'x', '--env.seed', '3', '--openai.model_name=a=b', '--json']), [
    'env',
    'evaluate',
    'x',
    '--set',
    'env.seed=3',
    '--set',
    'openai.model_name=a=b',
    '--json',
  ]);
  assert.deepEqual(expandDottedOptions(['batch', 'run', 'p.jsonl', '--openai.model_name', 'a']), [
    'batch',
    'run',
    'p.jsonl',
    '--set',
    'openai.model_name=a',
  ]);
  assert.deepEqual(expandDottedOptions(['chat', '-q', '--env.seed']), ['chat', '-q', '--env.seed']);
});

test('a distribution draws the same toolsets for the same group, others for other seeds, and never none', () => {
  const draw = (seed: number, distribution = 'balanced') => createToolsetDraw({ enabled_toolsets: null, distribution, seed });
  const sets = Array.from({ length: 200 }, (_, group) => draw(1)(String(group)) ?? []);
  assert.deepEqual(sets[7], draw(1)('7'));
  assert.notDeepEqual(
    sets,
    Array.from({ length: 200 }, (_, group) => draw(2)(String(group))),
  );
  assert.ok(sets.every((set) => set.length > 0));
  const share = sets.filter((set) => set.includes('terminal')).length / sets.length;
  assert.ok(share > 0.35 && share < 0.65, `terminal in ${share}`);
  assert.equal(Object.keys(DISTRIBUTIONS).length, 17);
  assert.throws(() => createToolsetDraw({ enabled_toolsets: ['web'], distribution: 'safe', seed: null }), /exclude each other/);
});

test('every toolset of a distribution is there, and a name nobody knows is told before anything runs', () => {
  const none = { enabled_toolsets: null, disabled_toolsets: null, distribution: null };
  for (const distribution of Object.keys(DISTRIBUTIONS)) checkToolsets({ ...none, distribution }, TOOLSETS);
  const known = TOOLSETS.filter(({ name }) => name !== 'moa');
  assert.throws(() => checkToolsets({ ...none, distribution: 'research' }, known), /there is no toolset moa/);
  assert.throws(() => checkToolsets({ ...none, enabled_toolsets: ['terminl'] }, TOOLSETS), /no toolset terminl; did you mean terminal\?/);
});

const attempt = (task: string, reward: number, more: Partial<ScoredAttempt> = {}): ScoredAttempt => ({
  task,
  attempt: 1,
  reward,
  metrics: {},
  turnsUsed: 2,
  finishedNaturally: true,
  agentSeconds: 1,
  rewardSeconds: 0,
  tokensIn: 10,
  tokensOut: 5,
  ...more,
});

test('figures: shares with an interval, by difficulty, tasks that passed at least once', () => {
  const figures = summarizeAttempts([
    attempt('a', 1, { difficulty: 'easy' }),
    attempt('a', 0, { attempt: 2, difficulty: 'easy' }),
    attempt('b', 0.5, { difficulty: 'hard', metrics: { lines: 4 } }),
    attempt('c', 0, { difficulty: 'hard', error: 'the place broke' }),
  ]);
  assert.deepEqual(
    [figures.tasks, figures.attempts, figures.passed, figures.errors, figures.passAny, figures.reward.mean],
    [3, 4, 1, 1, 1 / 3, 0.375],
  );
  assert.deepEqual([figures.byDifficulty['easy']?.mean, figures.byDifficulty['hard']?.mean, figures.metrics['lines']], [0.5, 0, 4]);
});

test('two runs are compared by the tasks that both tried', () => {
  const before = ['a', 'b', 'c', 'd', 'e'].map((task) => attempt(task, 0));
  const after = [...['a', 'b', 'c', 'd'].map((task) => attempt(task, 1)), attempt('e', 0), attempt('f', 1)];
  const { tasks, better, worse, onlySecond, difference, isClear } = compareRuns(before, after);
  assert.deepEqual([tasks, better.length, worse, onlySecond, difference.mean, isClear], [5, 4, [], 1, 0.8, true]);
  assert.equal(compareRuns(before, before).isClear, false);
});
