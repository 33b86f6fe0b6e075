import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolBlock } from '../../../../src/faces/tui/contract.ts';
import { drawToolResult, summarizeResult } from '../../../../src/faces/tui/draw/tool-result.ts';
import { drawContext } from '../input/draw.ts';

const block = (name: string, result: string, more: Partial<ToolBlock> = {}): ToolBlock => ({
  kind: 'tool',
  call: { type: 'tool_call', id: '1', name, input: {}, trust: 'model' },
  state: 'finished',
  progress: [],
  result,
  ...more,
});

const rows: Readonly<Record<string, readonly [ToolBlock, readonly string[]]>> = {
  'a file that was read is not news': [block('read_file', 'one\ntwo'), []],
  'the answer to a question is': [block('clarify', 'green'), ['  green']],
  'a command shows its output and, when it failed, how it ended': [
    block('terminal', 'no such file\n[exit code 2: not found]', {
      state: 'failed',
      details: { kind: 'command', cwd: '/work', exitCode: 2, ended: 'exited', meaning: 'not found' },
    }),
    ['  no such file', '  exit code 2: not found'],
  ],
  'a long output says what is left out of it, and where all of it is': [
    block('terminal', 'one\ntwo\n[9 characters left out here]\nten', {
      details: {
        kind: 'command',
        cwd: '/work',
        exitCode: 0,
        ended: 'exited',
        omitted: { characters: 1_188_895, file: '/spill/c1-output.txt' },
      },
    }),
    [
      '  one',
      '  two',
      '  [9 characters left out here]',
      '  ten',
      '  1,188,895 characters in the middle are left out. The whole output is in',
      '  /spill/c1-output.txt',
    ],
  ],
  'a command that ran out of time says so': [
    block('terminal', 'tick', { state: 'failed', details: { kind: 'command', cwd: '/work', exitCode: null, ended: 'timeout' } }),
    ['  tick', '  stopped: it ran out of time'],
  ],
  'an interrupted command says so once': [
    block('terminal', 'tick\n[interrupted by the user; parts of it may have taken effect]', {
      state: 'failed',
      details: { kind: 'command', cwd: '/work', exitCode: null, ended: 'aborted' },
    }),
    ['  tick', '  [interrupted by the user; parts of it may have taken effect]'],
  ],
  'tasks are a list with signs': [
    block('todo', '', {
      details: {
        kind: 'tasks',
        tasks: [
          { id: '1', content: 'Read', status: 'completed' },
          { id: '2', content: 'Write', status: 'in_progress', parent: '1' },
          { id: '3', content: 'Test', status: 'pending' },
        ],
      },
    }),
    ['  ✓ Read', '    ▸ Write', '  ○ Test'],
  ],
  'a failure shows why': [block('patch', 'No match in a.ts.', { state: 'failed' }), ['  No match in a.ts.']],
  'a failure without words says that too': [block('patch', '', { state: 'failed' }), ['  no result is stored']],
};
for (const [name, [given, expected]] of Object.entries(rows)) {
  test(`below a tool row: ${name}`, () => assert.deepEqual(drawToolResult(given, drawContext()), expected));
}

test('long results are folded, and open in the viewer', () => {
  const long = block('web_extract', Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n'));
  assert.equal(drawToolResult(long, drawContext()).length, 4);
  assert.equal(drawToolResult(long, drawContext({ expanded: true })).length, 20);
});

test('a row says of its result what fits into two or three words', () => {
  const tasks = rows['tasks are a list with signs']?.[0];
  assert.equal(tasks && summarizeResult(tasks), '1 of 3 done');
  const found = block('search_files', '', { details: { kind: 'data', data: { total_count: 1 } } });
  assert.equal(summarizeResult(found), '1 match');
});
