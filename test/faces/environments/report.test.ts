import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoredAttempt } from '../../../src/contracts/environment.ts';
import { compareRuns, summarizeAttempts } from '../../../src/faces/environments/figures.ts';
import { createComparisonPage } from '../../../src/faces/environments/report/comparison.ts';
import { createEvaluationPage } from '../../../src/faces/environments/report/evaluation.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'';
const attempt = (task: string, reward: number, extra: Partial<ScoredAttempt> = {}): ScoredAttempt => ({
  task,
  attempt: 1,
  reward,
  metrics: {},
  turnsUsed: 3,
  finishedNaturally: true,
  agentSeconds: 2,
  rewardSeconds: 0.1,
  tokensIn: 100,
  tokensOut: 10,
  ...extra,
});
const pageOf = (scored: readonly ScoredAttempt[], words = 'Hello') =>
  createEvaluationPage({
    name: 'test',
    figures: summarizeAttempts(scored),
    attempts: scored.map((each) => ({
      scored: each,
      messages: [
        { role: 'user', content: words },
        {
          role: 'assistant',
          content: words,
          reasoning_content: words,
          tool_calls: [{ id: 'c', type: 'function', function: { name: words, arguments: words } }],
        },
        { role: 'tool', tool_call_id: 'c', name: 'terminal', content: words },
      ],
    })),
    isStopped: false,
    now: Date.parse('2026-11-16T09:30:00Z'),
  });

test('a report loads nothing, runs nothing, and foreign words in it are words', () => {
  const tasks = [
    attempt(HOSTILE, 1, { category: HOSTILE, difficulty: HOSTILE }),
    attempt('b', 0, { error: HOSTILE, note: HOSTILE, category: 'b' }),
  ];
  for (const page of [
    pageOf(tasks, HOSTILE),
    createComparisonPage({ comparison: compareRuns(tasks, tasks), names: [HOSTILE, HOSTILE], now: 0 }),
  ]) {
    assert.ok(!page.includes('<img'), 'nothing of it became a tag');
    assert.ok(page.includes('&lt;img src=x onerror=alert(1)&gt;'));
    assert.doesNotMatch(page, /<script|https?:\/\/|url\(/);
    assert.match(page, /default-src 'none'/);
  }
});

test('a report can be filtered by outcome, difficulty and category without a script', () => {
  const page = pageOf([
    attempt('a', 1, { difficulty: 'easy' }),
    attempt('b', 0, { difficulty: 'hard' }),
    attempt('c', 0.5, { difficulty: 'hard' }),
  ]);
  const rules = page.match(/body:has\(#[\w-]+:checked\) \.attempt:not\(\.[\w-]+\)/g) ?? [];
  assert.equal(rules.length, 5, 'passed, partial and failed; easy and hard');
  for (const rule of rules) {
    const [, id, name] = /#([\w-]+):checked.*not\(\.([\w-]+)\)/.exec(rule) ?? [];
    assert.ok(id !== undefined && page.includes(`id="${id}"`) && new RegExp(`class="attempt[^"]* ${name}[ "]`).test(page), rule);
  }
  assert.match(page, /Rewards: median 0\.5/);
  assert.match(pageOf([attempt('a', 1), attempt('b', 0)]), /Rewards: median 0\.5/);
  assert.ok(page.indexOf('>easy<') < page.indexOf('>hard<'), 'the easy ones come first');
});

test('the input of a tool is shown as a person would write it', () => {
  const page = pageOf([attempt('a', 1)], '{"command":"echo \\"hi\\" |\\n  wc","timeout":30}');
  assert.match(page, /<p class="label">command<\/p><pre>echo &quot;hi&quot; \|\n {2}wc<\/pre><p class="label">timeout<\/p><pre>30<\/pre>/);
  assert.match(pageOf([attempt('a', 1)], 'no json'), /<p class="label">input<\/p><pre>no json<\/pre>/);
});

test('exit codes stay with their attempts: their mean is no figure', () => {
  const scored = [
    attempt('a', 1, { metrics: { verifier_exit_code: 0, speed: 0.5 } }),
    attempt('b', 0, { metrics: { verifier_exit_code: 2 } }),
  ];
  assert.deepEqual(summarizeAttempts(scored).metrics, { speed: 0.5 });
  assert.doesNotMatch(pageOf(scored), /exit_code/);
});

test('long texts are cut in the page, which says so', () => {
  const long = 'x'.repeat(100_000);
  const page = pageOf([attempt('a', 1)], long);
  assert.ok(page.length < 100_000);
  assert.match(page, /characters left out/);
});
