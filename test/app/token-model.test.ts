import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replayCall } from '../../src/agent/replay.ts';
import { openTokenModels } from '../../src/app/services/token-model.ts';
import { flattenSequence, MASKED } from '../../src/contracts/token-trace.ts';
import { toGroup } from '../../src/faces/environments/group.ts';
import { terminalTest } from '../../src/faces/environments/library/terminal-test.ts';
import { readRunSettings } from '../../src/faces/environments/read-settings.ts';
import { isLost } from '../../src/faces/environments/result-file.ts';
import { runRollout } from '../../src/faces/environments/rollout.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { BUILT_IN } from '../../src/parts/providers/catalog/all.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { decodeBytes, writeByteTokenizer } from '../../src/testing/token-server/byte-tokenizer.ts';
import { startTokenServer, type TokenReply, type TokenRequest } from '../../src/testing/token-server/server.ts';
import { noSandbox, stageRollouts } from '../faces/environments/scene.ts';

const signal = new AbortController().signal;
const call = (command: string): string => `<tool_call>\n{"name": "terminal", "arguments": {"command": "${command}"}}\n</tool_call>`;
const settingsFor = (server: object, env: object = {}) =>
  readRunSettings({ flag: { openai: { ...server }, env: { max_token_length: 16_384, ...env } } });

/** Does the task, in the turn after it was asked. */
const solve = ({ prompt }: TokenRequest): TokenReply => {
  const text = decodeBytes(prompt);
  return text.includes('<|im_start|>tool') ? { text: 'Done.' } : { text: `<think>Easy.</think>${call('printf 42 > result.txt')}` };
};

for (const type of ['vllm', 'sglang', 'vllm_tokens'])
  test(`an attempt on a server of type ${type} has its tokens, and its group can be trained on`, { skip: noSandbox }, async () => {
    await using server = await startTokenServer({ answer: solve });
    const settings = settingsFor({ base_url: `${server.url}/v1`, model_name: 'byte-model', server_type: type, health_check: true });
    using models = await openTokenModels({ settings, env: {}, signal, notice: () => {} });
    await using stage = await stageRollouts(terminalTest, []);
    const deps = { ...stage.deps, openModel: () => models.open() ?? {} };
    const [task] = deps.environment.evaluation;
    assert.ok(task);
    const rollouts = [];
    for (const attempt of [1, 2]) rollouts.push(await runRollout(deps, { task, attempt, toolsets: ['terminal'], signal }));
    assert.deepEqual(
      rollouts.map(({ scored }) => [scored.reward, scored.error, scored.finishedNaturally, scored.turnsUsed]),
      [
        [1, undefined, true, 2],
        [1, undefined, true, 2],
      ],
    );
    const [first] = rollouts;
    assert.deepEqual(first?.result.reasoningPerTurn, ['Easy.', null]);
    const sequences = first?.result.managedState?.sequences.map(flattenSequence) ?? [];
    assert.equal(sequences.length, 1);
    assert.equal(
      decodeBytes(sequences[0]?.masks.filter((id) => id !== MASKED) ?? []),
      `<think>Easy.</think>${call('printf 42 > result.txt')}<|im_end|>Done.<|im_end|>`,
    );
    assert.ok((first?.scored.tokensIn ?? 0) > (first?.scored.tokensOut ?? 0));
    // The log is enough to make every request again, sampling included.
    const [session] = await stage.host.store.list();
    const entries = await stage.host.store.entries(session?.id ?? '');
    const calls = await stage.host.store.calls({ sessionId: session?.id ?? '' });
    const { encode } = createWireFormats(BUILT_IN.profileOf)(models.open()?.provider?.runtime ?? assert.fail());
    assert.deepEqual(
      calls.map((each) => [replayCall(each, entries, windowEngine, encode).identical, each.sampling]),
      calls.map(() => [true, { temperature: 1 }]),
    );
    assert.equal(calls.length, 2);
    const group = toGroup(rollouts, settings.env);
    assert.deepEqual(group.group_overrides, {});
    assert.deepEqual(
      group.inference_logprobs?.map(({ length }) => length),
      group.tokens.map(({ length }) => length),
    );
  });

test(
  'an answer at its length limit, and a conversation that is too long, have not finished of their own accord',
  { skip: noSandbox },
  async () => {
    await using server = await startTokenServer({
      answer: (_, index) => (index === 0 ? { text: call('echo again') } : { text: 'I th', finish: 'length' }),
    });
    const settings = settingsFor({ base_url: server.url, server_type: 'sglang' });
    using models = await openTokenModels({ settings, env: {}, signal, notice: () => {} });
    await using stage = await stageRollouts(terminalTest, []);
    const deps = { ...stage.deps, openModel: () => models.open() ?? {} };
    const [task] = deps.environment.evaluation;
    assert.ok(task);
    const { scored, result } = await runRollout(deps, { task, attempt: 1, toolsets: ['terminal'], signal });
    assert.deepEqual([scored.reward, scored.finishedNaturally, scored.turnsUsed], [0, false, 2]);
    const generated = result.managedState?.sequences[0]?.segments.filter(({ type }) => type === 'generated') ?? [];
    assert.deepEqual(
      generated.map((segment) => segment.type === 'generated' && segment.finish),
      ['stop', 'length'],
    );
    using short = await openTokenModels({
      settings: settingsFor({ base_url: server.url, server_type: 'vllm' }, { max_token_length: 50 }),
      env: {},
      signal,
      notice: () => {},
    });
    const long = await runRollout({ ...deps, openModel: () => short.open() ?? {} }, { task, attempt: 2, toolsets: ['terminal'], signal });
    assert.deepEqual([long.scored.finishedNaturally, long.scored.turnsUsed], [false, 0]);
    assert.match(long.scored.error ?? '', /the limit is 50 \(env\.max_token_length/);
    // Half an attempt: it is not judged, and as it would end so again it is not lost either.
    assert.deepEqual([long.scored.reward, long.scored.outgrown, isLost(long.scored)], [0, true, false]);
    const wide = await runRollout(
      { ...deps, openModel: (limits) => short.open(limits) ?? {} },
      { task, attempt: 3, toolsets: ['terminal'], signal, limits: { maxTokens: 16_383 } },
    );
    assert.deepEqual([wide.scored.outgrown, wide.scored.turnsUsed], [undefined, 1], 'the limit of a trainer holds in place of ours');
  },
);

test('what is missing is told before the run: the address, the tokenizer, the server', async () => {
  const open = (server: object, env: object = {}) =>
    openTokenModels({ settings: settingsFor(server, env), env: {}, signal, notice: () => {} });
  await assert.rejects(open({ server_type: 'vllm' }), /openai\.base_url is not set/);
  await assert.rejects(
    open({ server_type: 'vllm_inference', base_url: 'http://127.0.0.1:1' }),
    /tokens without text, and env\.tokenizer_name is not set/,
  );
  const base_url = 'http://127.0.0.1:1';
  await assert.rejects(
    open({ server_type: 'vllm', base_url }, { tokenizer_name: 'NousResearch/nothing' }),
    /there is no tokenizer\.json in .*\/NousResearch\/nothing\. Set env\.tokenizer_name/,
  );
  using plain = await open({});
  assert.equal(plain.open(), undefined);
});

test('a template that knows no tools is told of, and one of several is chosen by whether there are tools', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-template-'));
  try {
    const settings = settingsFor(
      { server_type: 'vllm', base_url: 'http://127.0.0.1:1' },
      { tokenizer_name: writeByteTokenizer(folder, '{{ messages[0].content }}') },
    );
    const notices: string[] = [];
    using _models = await openTokenModels({ settings, env: {}, signal, notice: (words) => void notices.push(words) });
    assert.match(notices.join(), /says nothing of tools/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('several servers share the attempts, and each conversation stays with its own', { skip: noSandbox }, async () => {
  await using first = await startTokenServer({ answer: () => ({ text: 'Done.' }) });
  await using second = await startTokenServer({ answer: () => ({ text: 'Done.' }) });
  const settings = settingsFor({ base_url: `${first.url}, ${second.url}`, server_type: 'vllm' });
  using models = await openTokenModels({ settings, env: {}, signal, notice: () => {} });
  await using stage = await stageRollouts(terminalTest, []);
  const deps = { ...stage.deps, openModel: () => models.open() ?? {} };
  const [task] = deps.environment.evaluation;
  assert.ok(task);
  for (const attempt of [1, 2, 3, 4]) await runRollout(deps, { task, attempt, toolsets: ['none'], signal });
  assert.deepEqual([first.generations().length, second.generations().length], [2, 2]);
});
