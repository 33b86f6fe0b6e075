import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import { terminalTest } from '../../../src/faces/environments/library/terminal-test.ts';
import { noSandbox, stageRollouts } from './scene.ts';

const never = new AbortController().signal;
const command = (words: string) => ({ calls: [{ id: 'c1', name: 'terminal', input: { command: words } }] });

test('an attempt that does the task is scored by what lies in its own folder', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, [command('printf 42 > result.txt'), { text: 'Done.', thinking: 'I am sure.' }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored, result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.deepEqual(
    [scored.reward, scored.error, scored.turnsUsed, scored.finishedNaturally, result.reasoningPerTurn],
    [1, undefined, 2, true, [null, 'I am sure.']],
  );
  assert.deepEqual(
    result.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  );
  const second = await runRollout(stage.deps, { task, attempt: 2, toolsets: ['terminal'], signal: never });
  assert.equal(second.scored.reward, 1);
});

test('nobody guards the folder of an attempt: the model hears what its command said, and nothing else', { skip: noSandbox }, async () => {
  const line = 'printf 42 > result.txt; mkdir -p .git/hooks; echo : > .git/hooks/pre-commit; echo : > .envrc; rm .envrc; ls -A .git/hooks';
  await using stage = await stageRollouts(terminalTest, [command(line), { text: 'Done.' }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.equal(result.messages.find(({ role }) => role === 'tool')?.content, 'pre-commit');
});

test('a model that runs out of calls is told nothing and has not finished of its own accord', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, () => command('echo again'), { flag: { env: { max_agent_turns: 3 } } });
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored, result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.deepEqual([scored.reward, scored.turnsUsed, scored.finishedNaturally], [0, 3, false]);
  assert.deepEqual(
    result.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'],
  );
  assert.ok(!result.messages.some(({ content }) => content.includes('Nothing new will come')), 'the loop guard says nothing');
});

test('what breaks is a failure with its reason, and what was stopped is no attempt', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, [{ fails: { type: 'forbidden', detail: 'no such key' } }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.equal(scored.reward, 0);
  assert.match(scored.error ?? '', /key/);
  await assert.rejects(runRollout(stage.deps, { task, attempt: 2, toolsets: ['terminal'], signal: AbortSignal.abort() }));
});
