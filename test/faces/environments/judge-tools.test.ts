import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RewardContext } from '../../../src/contracts/environment.ts';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import { noSandbox, stageRollouts } from './scene.ts';

const never = new AbortController().signal;

/** What a judge gets from its tools when the model was given these toolsets. */
async function judgeWith(
  toolsets: readonly string[],
  judge: (context: RewardContext) => Promise<unknown>,
  disabled: readonly string[] = [],
) {
  const answers: unknown[] = [];
  const environment = {
    name: 'judged',
    description: 'a judge that uses tools',
    load: async () => ({
      evaluation: [{ id: 'one' }],
      format: () => 'Say something.',
      reward: async (_task: unknown, _result: unknown, context: RewardContext) => {
        answers.push(await judge(context).catch((error: unknown) => (error instanceof Error ? error.message : String(error))));
        return 1;
      },
    }),
  };
  await using stage = await stageRollouts(environment, [{ text: 'Done.' }], { flag: { env: { disabled_toolsets: disabled } } });
  const { scored } = await runRollout(stage.deps, { task: { id: 'one' }, attempt: 1, toolsets, signal: never });
  assert.deepEqual([scored.reward, scored.error], [1, undefined]);
  return answers[0];
}

for (const toolsets of [['terminal'], ['web'], ['none']])
  test(`a judge has its tools whatever the model has: ${toolsets.join()}`, { skip: noSandbox }, async () => {
    const read = await judgeWith(toolsets, async (context) => {
      await context.writeFile('seen.txt', 'a word of the judge');
      return context.callTool('read_file', { path: 'seen.txt' });
    });
    assert.match(String(read), /a word of the judge/);
    // Loopback is refused by the guard of addresses: the tool itself was reached.
    const page = await judgeWith(toolsets, (context) => context.webExtract(['http://127.0.0.1:1/']));
    assert.match(String(page), /127\.0\.0\.1/);
    assert.doesNotMatch(String(page), /toolset/);
  });

test('an attempt is given the tools of its toolsets alone, and the result says which', { skip: noSandbox }, async () => {
  const environment = {
    name: 'plain',
    description: 'nothing is summed up, so there is nothing to recall',
    load: async () => ({ evaluation: [{ id: 'one' }], format: () => 'Say something.', reward: async () => 1 }),
  };
  await using stage = await stageRollouts(environment, [{ text: 'Done.' }]);
  const { result } = await runRollout(stage.deps, { task: { id: 'one' }, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.deepEqual(result.tools?.map((tool) => tool.function.name).toSorted(), ['process', 'terminal']);
});

test('what the owner keeps is not for judges', { skip: noSandbox }, async () => {
  assert.match(String(await judgeWith(['terminal'], (context) => context.callTool('session_search', { query: 'x' }))), /session_search/);
});
