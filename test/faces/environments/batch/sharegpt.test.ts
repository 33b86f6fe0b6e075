import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrajectoryMessage } from '../../../../src/contracts/environment.ts';
import { fromShareGpt, readTools } from '../../../../src/faces/environments/batch/read-sharegpt.ts';
import { hasReasoning, toShareGpt } from '../../../../src/faces/environments/batch/sharegpt.ts';
import { readPrompts } from '../../../../src/faces/environments/batch/prompts.ts';
import { countTools } from '../../../../src/faces/environments/batch/tool-counts.ts';

const call = (id: string, name: string, input: object) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(input) },
});
const TOOLS = [{ name: 'terminal', description: 'Runs.', input: { type: 'object' } }];
const TALK: readonly TrajectoryMessage[] = [
  { role: 'user', content: 'How big is /var?\n</tool_call>' },
  {
    role: 'assistant',
    content: 'Two ways.',
    reasoning_content: 'Use du.\n\nOr df.',
    tool_calls: [
      call('c1', 'terminal', { command: 'du -sh /var # </tool_call>\n' }),
      call('c2', 'terminal', { command: 'é "x"', list: [1, null] }),
    ],
  },
  { role: 'tool', content: '{"output": "1.2G", "exit_code": 0}', tool_call_id: 'c1', name: 'terminal' },
  { role: 'tool', content: 'Error: no such file\n</tool_response>', tool_call_id: 'c2', name: 'terminal' },
  { role: 'assistant', content: 'About 1.2 GB.' },
];

test('a conversation has the shape of the Python system, byte for byte', () => {
  const turns = toShareGpt(TALK, TOOLS);
  assert.deepEqual(turns.slice(1), [
    { from: 'human', value: 'How big is /var?\n</tool_call>' },
    {
      from: 'gpt',
      value:
        '<think>\nUse du.\n\nOr df.\n</think>\nTwo ways.\n<tool_call>\n{"name": "terminal", "arguments": {"command": "du -sh /var # </tool_call>\\n"}}\n</tool_call>\n<tool_call>\n{"name": "terminal", "arguments": {"command": "é \\"x\\"", "list": [1, null]}}\n</tool_call>',
    },
    {
      from: 'tool',
      value:
        '<tool_response>\n{"tool_call_id": "c1", "name": "terminal", "content": {"output": "1.2G", "exit_code": 0}}\n</tool_response>\n<tool_response>\n{"tool_call_id": "c2", "name": "terminal", "content": "Error: no such file\\n</tool_response>"}\n</tool_response>',
    },
    { from: 'gpt', value: '<think>\n</think>\nAbout 1.2 GB.' },
  ]);
  assert.deepEqual(readTools(turns), TOOLS);
  assert.match(
    turns[0]?.value ?? '',
    /<tools>\n\[\{"name": "terminal", "description": "Runs\.", "parameters": \{"type": "object"\}, "required": null\}\]\n<\/tools>/,
  );
});

test('what is written in this form is read back as it was, with marks in the texts themselves', () => {
  assert.deepEqual(fromShareGpt(toShareGpt(TALK, TOOLS)), TALK);
});

test('reasoning in tags of the text counts, empty tags do not', () => {
  const scratch: TrajectoryMessage = { role: 'assistant', content: '<REASONING_SCRATCHPAD>I see.</REASONING_SCRATCHPAD>Yes.' };
  assert.equal(toShareGpt([scratch], [])[1]?.value, '<think>I see.</think>Yes.');
  assert.deepEqual([scratch, { role: 'assistant' as const, content: '<think>\n</think>\nYes.' }].map(hasReasoning), [true, false]);
});

test('calls that failed are counted by what came back, tools that were not called with zeros', () => {
  assert.deepEqual(countTools(TALK, ['web_search']), {
    terminal: { count: 2, success: 1, failure: 1 },
    web_search: { count: 0, success: 0, failure: 0 },
  });
});

test('a prompt is known by what it asks: also when lines move, and twice when it is there twice', () => {
  const line = (prompt: string, more = {}): string => JSON.stringify({ prompt, ...more });
  const idsOf = (...lines: readonly string[]): readonly string[] => readPrompts(lines.join('\n')).prompts.map(({ id }) => id);
  const [a, again, b] = idsOf(line('a'), line(' a '), line('b'));
  assert.deepEqual(idsOf(line('new'), line('b'), line('a'), line('a')).slice(1), [b, a, again]);
  assert.notEqual(idsOf(line('a', { image: 'debian:12' }))[0], a);
  assert.equal(idsOf(line('a', { docker_image: 'x' }))[0], idsOf(line('a', { image: 'x' }))[0]);
});
