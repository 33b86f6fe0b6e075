import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseJson, readPath } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { noSandbox } from '../faces/environments/scene.ts';
import { placeWith } from './mcp-serve-stage.ts';
import { jsonLines } from './hermes.ts';

/** Thinks, runs a command, answers; what it is asked to do wrong it does wrong. */
function answer({ text }: RecordedRequest): Reply {
  if (text.includes('removed, and your text takes their place')) return { text: 'It printed numbers.' };
  if (text.includes('stay silent about reasons')) return { text: 'Done without a thought.' };
  if (text.includes('"role":"tool"')) return { text: 'Done.', thinking: 'The command worked.' };
  return {
    thinking: 'A command does it.',
    calls: [{ name: text.includes('invent a tool') ? 'teleport' : 'terminal', arguments: { command: 'echo "hi there"' } }],
  };
}
const PROMPTS = ['say hi', 'say hi', 'stay silent about reasons', 'invent a tool'].map((prompt) => JSON.stringify({ prompt }));

test('prompts become conversations, once each, and those become files for trainers', { skip: noSandbox }, async () => {
  await using model = await startWireServer({ answer });
  const place = placeWith(model.url, {});
  writeFileSync(place.at('prompts.jsonl'), `${PROMPTS.join('\n')}\nno json\n{"words": 1}\n`);
  const run = [
    'batch',
    'run',
    'prompts.jsonl',
    '--toolsets',
    'terminal',
    '--max-turns',
    '4',
    '--out',
    'data',
    '--model',
    'test-model',
    '--set',
    `openai.base_url=${model.url}/v1`,
  ];
  const first = await place.run(run);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^2 conversations of 4 prompts kept/);
  assert.match(first.out, /1 dropped: no reasoning/);
  assert.match(first.out, /1 dropped: unknown tool/);
  assert.match(first.out, /Line 5 was skipped: it is not a JSON object\./);
  assert.match(first.err, /4\/4 {2}kept 2/);
  const path = place.at('data/trajectories.jsonl');
  const [line, second] = jsonLines(readFileSync(path, 'utf8'));
  assert.deepEqual(Object.keys(line ?? {}), [
    'prompt_index',
    'conversations',
    'metadata',
    'completed',
    'partial',
    'api_calls',
    'toolsets_used',
    'tool_stats',
    'tool_error_counts',
  ]);
  assert.deepEqual(
    [line?.['prompt_index'], second?.['prompt_index'], readPath(line, 'tool_stats', 'terminal')],
    [0, 1, { count: 1, success: 1, failure: 0 }],
  );
  assert.deepEqual(
    readPath(line, 'tool_stats', 'web_search'),
    { count: 0, success: 0, failure: 0 },
    'tools that were not called are there',
  );
  const turns = line?.['conversations'] as readonly { readonly from: string; readonly value: string }[];
  assert.deepEqual(
    turns.map(({ from }) => from),
    ['system', 'human', 'gpt', 'tool', 'gpt'],
  );
  assert.match(turns[0]?.value ?? '', /<tools>\n\[\{"name": "terminal", "description": ".*"required": null\}/);
  assert.equal(
    turns[2]?.value,
    '<think>\nA command does it.\n</think>\n<tool_call>\n{"name": "terminal", "arguments": {"command": "echo \\"hi there\\""}}\n</tool_call>',
  );
  assert.match(
    turns[3]?.value ?? '',
    /^<tool_response>\n\{"tool_call_id": ".*", "name": "terminal", "content": .*hi there.*\}\n<\/tool_response>$/,
  );
  assert.equal(existsSync(place.at('data/work')), false, 'nothing of the attempts is left');

  // A torn line at the end costs its own prompt and no other.
  const asked = model.requests.length;
  const rows = readFileSync(place.at('data/rows.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(place.at('data/rows.jsonl'), `${rows.slice(0, 3).join('\n')}\n${rows[3]?.slice(0, 40)}`);
  appendFileSync(place.at('prompts.jsonl'), `${JSON.stringify({ prompt: 'say hi' })}\n`);
  const again = await place.run([...run, '--keep', 'no_reasoning', '--json']);
  const told = parseJson(again.out);
  assert.deepEqual([readPath(told, 'prompts'), readPath(told, 'resumed'), readPath(told, 'kept')], [5, 3, 4]);
  assert.equal(model.requests.length - asked, 4, 'two conversations of two calls: the torn one and the new one');

  const stats = await place.run(['batch', 'stats', path]);
  assert.match(stats.out, /^4 conversations in .*trajectories\.jsonl by test-model/);
  assert.match(stats.out, /terminal +█+ +3/);
  const sft = await place.run(['batch', 'export', path, '--json']);
  assert.equal(readPath(parseJson(sft.out), 'lines'), 4);
  const [chat] = jsonLines(readFileSync(place.at('data/trajectories_sft.jsonl'), 'utf8'));
  assert.deepEqual(readPath(chat, 'messages', 1, 'reasoning_content'), 'A command does it.');
  const cut = await place.run(['batch', 'compress', path, '--tokens', '60', '--last-turns', '1', '--summary-tokens', '20', '--json']);
  assert.equal(readPath(parseJson(cut.out), 'trajectories'), 4, cut.err);
  const listed = await place.run(['batch', 'distributions']);
  assert.match(listed.out, /^terminal_only +terminal 100, file 100$/m);
  const wrong = await place.run([...run, '--keep', 'nonsense']);
  assert.deepEqual([wrong.code, /there is no filter nonsense/.test(wrong.err)], [2, true]);
});
