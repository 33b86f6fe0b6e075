import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CompleteText } from '../../../../src/contracts/complete.ts';
import { compressConversation } from '../../../../src/faces/environments/batch/compress.ts';
import { compressFile } from '../../../../src/faces/environments/batch/compress-file.ts';
import { readPath } from '../../../../src/base/json.ts';
import { exportFile } from '../../../../src/faces/environments/batch/export.ts';
import { eachLine } from '../../../../src/faces/environments/lines.ts';
import { countTokensOf } from '../../../../src/faces/environments/batch/statistics.ts';
import { toShareGpt, type ShareGptTurn } from '../../../../src/faces/environments/batch/sharegpt.ts';

const signal = new AbortController().signal;
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const says =
  (text: string): CompleteText =>
  async () => ({ ok: true, text, usage: USAGE, model: 'm' });

/** A conversation of so many exchanges, each with a result of so many characters. */
const talk = (exchanges: number, size: number): readonly ShareGptTurn[] =>
  toShareGpt(
    [
      { role: 'user', content: 'Do it.' },
      ...Array.from({ length: exchanges }, (_, index) => [
        {
          role: 'assistant' as const,
          content: `Step ${index}.`,
          tool_calls: [
            { id: `c${index}`, type: 'function' as const, function: { name: 'terminal', arguments: `{"command":"step ${index}"}` } },
          ],
        },
        { role: 'tool' as const, content: `${index} `.repeat(size / 2), tool_call_id: `c${index}`, name: 'terminal' },
      ]).flat(),
      { role: 'assistant', content: 'All done.' },
    ],
    [],
  );

/** Every turn of results comes right after a turn that called. */
const isWhole = (turns: readonly ShareGptTurn[]): boolean =>
  turns.every(({ from }, index) => from !== 'tool' || turns[index - 1]?.from === 'gpt') &&
  turns.every(({ from, value }, index) => from !== 'gpt' || !value.includes('<tool_call>') || turns[index + 1]?.from === 'tool');

test('within the budget nothing changes; long results are cut before anything is summarized', async () => {
  const short = talk(2, 40);
  assert.deepEqual((await compressConversation(short, { tokens: 10_000, summaryTokens: 100, lastTurns: 4, signal })).turns, short);
  const long = talk(6, 8_000);
  const never: CompleteText = async () => assert.fail('no model is asked');
  const made = await compressConversation(long, { tokens: 9_000, summaryTokens: 100, lastTurns: 4, complete: never, signal });
  assert.deepEqual([made.kind, made.isOver, made.turns.length], ['clipped', false, long.length]);
  assert.deepEqual(
    [made.turns.slice(0, 4), made.turns.slice(-4)],
    [long.slice(0, 4), long.slice(-4)],
    'the first and the last are as they were',
  );
});

test('older turns become one summary; no result is without its call, at any budget and any number of last turns', async () => {
  const long = talk(20, 1_000);
  for (let lastTurns = 0; lastTurns <= 8; lastTurns++)
    for (let tokens = 400; tokens < countTokensOf(long); tokens += 170) {
      const made = await compressConversation(long, { tokens, summaryTokens: 80, lastTurns, complete: says('It did steps.'), signal });
      assert.ok(isWhole(made.turns), `${tokens} tokens, ${lastTurns} last turns`);
      assert.ok(made.isOver || made.tokensAfter <= tokens);
      assert.deepEqual(made.turns.slice(1, 4), long.slice(1, 4));
      if (lastTurns > 0) assert.deepEqual(made.turns.slice(-lastTurns), long.slice(-lastTurns));
    }
  const made = await compressConversation(long, {
    tokens: 3_000,
    summaryTokens: 80,
    lastTurns: 4,
    complete: says('[CONTEXT SUMMARY]: It did steps.'),
    signal,
  });
  assert.deepEqual([made.kind, made.turns[4]], ['model', { from: 'human', value: '[CONTEXT SUMMARY]: It did steps.' }]);
  assert.match(made.turns[0]?.value ?? '', /replaced by a summary/);
});

test('without a model, or with one that fails, rules write the summary, always the same', async () => {
  const long = talk(20, 1_000);
  const fails: CompleteText = async () => ({ ok: false, why: 'no key', model: 'm', hopeless: true });
  const [plain, failed, again] = await Promise.all(
    [undefined, fails, undefined].map((complete) =>
      compressConversation(long, { tokens: 3_000, summaryTokens: 200, lastTurns: 4, signal, ...(complete !== undefined && { complete }) }),
    ),
  );
  assert.deepEqual([plain?.kind, failed?.kind, failed?.failure], ['rules', 'rules', 'no key']);
  assert.deepEqual(plain?.turns, failed?.turns);
  assert.deepEqual(plain?.turns, again?.turns);
  assert.match(
    plain?.turns[4]?.value ?? '',
    /^\[CONTEXT SUMMARY\]: \d+ turns were left out; calls: terminal \d+\.\nModel: Step 1\.\nCalled terminal with/,
  );
});

test('pairs for DPO: the best against the worst of a task, with a margin, and nothing that broke', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-dpo-'));
  try {
    const line = (task: string, reward: number, more: object = {}): string =>
      JSON.stringify({
        task_name: task,
        reward,
        error: null,
        messages: [
          { role: 'user', content: task },
          { role: 'assistant', content: `worth ${reward}` },
        ],
        ...more,
      });
    const file = join(folder, 'scored.jsonl');
    writeFileSync(
      file,
      `${[line('a', 0.2), line('a', 1), line('a', 0.6), line('a', 0.9), line('b', 0.5), line('b', 0.52), line('c', 1), line('a', 0, { error: 'broke' })].join('\n')}\n{"torn`,
    );
    const options = { file, out: join(folder, 'out.jsonl'), margin: 0.1, pairs: 2 };
    const { lines, dropped } = exportFile('dpo', options);
    assert.deepEqual([lines, dropped], [2, { 'not scored': 2, 'task without a pair': 2 }]);
    const [first, second] = [...eachLine(options.out)].map(({ value }) => value);
    assert.deepEqual(first, {
      prompt: [{ role: 'user', content: 'a' }],
      chosen: [{ role: 'assistant', content: 'worth 1' }],
      rejected: [{ role: 'assistant', content: 'worth 0.2' }],
      score_chosen: 1,
      score_rejected: 0.2,
      margin: 0.8,
      task: 'a',
    });
    assert.deepEqual([second?.['score_chosen'], second?.['score_rejected']], [0.9, 0.6]);
    const best = exportFile('sft', { ...options, minReward: 0.9 });
    assert.deepEqual([best.lines, best.dropped], [3, { 'reward too low': 5, 'no conversation': 1 }]);
    assert.ok(readFileSync(options.out, 'utf8').includes('"messages"'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('conversations of an environment are exported with their tools, and arguments as objects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-sft-'));
  try {
    const tools = [{ type: 'function', function: { name: 'terminal', description: 'Runs', parameters: { type: 'object' } } }];
    const call = { id: 'c1', type: 'function', function: { name: 'terminal', arguments: '{"command":"ls"}' } };
    const line = (reward: number): string =>
      JSON.stringify({
        task_name: 'a',
        reward,
        error: null,
        tools,
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', content: 'x', tool_call_id: 'c1', name: 'terminal' },
        ],
      });
    const options = { file: join(folder, 'scored.jsonl'), out: join(folder, 'out.jsonl'), margin: 0.1, pairs: 1 };
    writeFileSync(options.file, `${line(1)}\n${line(0)}\n`);
    const wanted = { ...call, function: { name: 'terminal', arguments: { command: 'ls' } } };
    exportFile('sft', options);
    const [sft] = [...eachLine(options.out)].map(({ value }) => value);
    assert.deepEqual([sft?.['tools'], readPath(sft, 'messages', 1, 'tool_calls', 0)], [tools, wanted]);
    exportFile('dpo', options);
    const [dpo] = [...eachLine(options.out)].map(({ value }) => value);
    assert.deepEqual([dpo?.['tools'], readPath(dpo, 'rejected', 0, 'tool_calls', 0)], [tools, wanted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what breaks leaves no half of a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-broken-'));
  try {
    const [file, out] = [join(folder, 'talks.jsonl'), join(folder, 'out.jsonl')];
    writeFileSync(file, `${JSON.stringify({ conversations: talk(2, 40) })}\n`);
    const options = { file, out, tokens: 10_000, summaryTokens: 100, lastTurns: 4, signal };
    const onProgress = (): void => assert.fail('whoever looks on broke');
    await assert.rejects(compressFile({ ...options, onProgress }), /whoever looks on broke/);
    mkdirSync(join(folder, 'no-file'));
    for (const format of ['sft', 'dpo'] as const)
      assert.throws(() => exportFile(format, { file: join(folder, 'no-file'), out, margin: 0, pairs: 1 }), { code: 'EISDIR' });
    assert.deepEqual(readdirSync(folder).toSorted(), ['no-file', 'talks.jsonl']);
    await compressFile({ ...options, onProgress: () => {} });
    assert.deepEqual(readdirSync(folder).toSorted(), ['no-file', 'out.jsonl', 'talks.jsonl']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
