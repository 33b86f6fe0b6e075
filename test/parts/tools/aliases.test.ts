import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock, type Json, type JsonObject, type ToolCall } from '../../../src/contracts/message.ts';
import type { AnyTool, ResolvedCall, ToolOutput } from '../../../src/contracts/tool.ts';
import { resolve } from '../../../src/parts/tools/resolve.ts';
import { testTool } from '../../agent/setup.ts';

const strict = (properties: Readonly<Record<string, Json>>, required: readonly string[]) => ({
  input: { type: 'object', properties, required, additionalProperties: false },
});
const run = async (): Promise<ToolOutput> => ({ content: [createTextBlock('done', 'tool')] });
const word = { type: 'string' };
const TOOLS: readonly AnyTool[] = [
  testTool('terminal', run, {
    ...strict({ command: word, timeout: { type: 'integer', minimum: 1 } }, ['command']),
    effects: () => ({ kind: 'write', resources: ['*'] }),
  }),
  testTool(
    'read_file',
    run,
    strict({ path: word, offset: { type: 'integer', minimum: 1 }, limit: { type: 'integer', minimum: 1, maximum: 2000 } }, ['path']),
  ),
  testTool('write_file', run, strict({ path: word, content: word }, ['path', 'content'])),
  testTool('patch', run, strict({ path: word, old_string: word, new_string: word }, ['path'])),
  testTool('delegate_task', run, strict({ goal: word, context: word }, ['goal'])),
  testTool(
    'todo',
    run,
    strict({ todos: { type: 'array', items: { type: 'object', properties: { id: word, content: word }, required: ['id'] } } }, []),
  ),
  testTool('search_files', run, strict({ pattern: word, path: word, file_glob: word, target: word }, ['pattern'])),
];
const calls = (name: string, input: Json): ToolCall => ({ type: 'tool_call', trust: 'model', id: '1', name, input });
const meet = (name: string, input: Json, absent: readonly string[] = []): ResolvedCall => {
  const here = TOOLS.filter((tool) => !absent.includes(tool.name));
  return resolve(calls(name, input), {
    tools: new Map(here.map((tool) => [tool.name, tool])),
    absent: new Map(absent.map((gone) => [gone, 'it is switched off (tools.disabled)'])),
  });
};
const met = (resolved: ResolvedCall): unknown => (resolved.ok ? [resolved.tool.name, resolved.input] : [resolved.problem, resolved.words]);

test('Bash, Read and Grep find their tools by a table of known aliases', () => {
  assert.deepEqual(met(meet('Bash', { command: 'ls' })), ['terminal', { command: 'ls' }]);
  assert.deepEqual(met(meet('Read', { file_path: 'a.ts', limit: 5 })), ['read_file', { path: 'a.ts', limit: 5 }]);
  assert.deepEqual(met(meet('Grep', { pattern: 'x', glob: '*.ts' })), ['search_files', { pattern: 'x', file_glob: '*.ts' }]);
  assert.deepEqual(met(meet('Glob', { pattern: '*.ts' })), ['search_files', { pattern: '*.ts', target: 'files' }]);
});

test('Task, TodoWrite, LS and str_replace_editor come with what they say in another form', () => {
  const task = { description: 'look', prompt: 'Look at it', subagent_type: 'general-purpose' };
  assert.deepEqual(met(meet('Task', task)), ['delegate_task', { goal: 'Look at it' }]);
  const todos = [
    { content: 'x', status: 'pending', activeForm: 'Doing x' },
    { id: 'b', content: 'y' },
  ];
  assert.deepEqual(met(meet('TodoWrite', { todos })), [
    'todo',
    {
      todos: [
        { id: '1', content: 'x', status: 'pending' },
        { id: 'b', content: 'y' },
      ],
    },
  ]);
  assert.deepEqual(met(meet('LS', { path: "it's here", ignore: ['*.o'] })), ['terminal', { command: `ls -la -- 'it'\\''s here'` }]);
  assert.deepEqual(met(meet('LS', {})), ['terminal', { command: "ls -la -- '.'" }]);
  const edit = (input: JsonObject) => met(meet('str_replace_editor', input));
  assert.deepEqual(edit({ command: 'view', path: 'a', view_range: [3, 7] }), ['read_file', { path: 'a', offset: 3, limit: 5 }]);
  assert.deepEqual(edit({ command: 'view', path: 'a', view_range: [3, -1] }), ['read_file', { path: 'a', offset: 3 }]);
  assert.deepEqual(edit({ command: 'create', path: 'a', file_text: 'x' }), ['write_file', { path: 'a', content: 'x' }]);
  assert.deepEqual(edit({ command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' }), [
    'patch',
    { path: 'a', old_string: 'x', new_string: 'y' },
  ]);
  assert.match(String(edit({ command: 'undo_edit', path: 'a' })), /^unknown_tool,Not run: there is no tool named str_replace_editor/);
});

test('an alias of a tool that is switched off is that tool, switched off', () => {
  const resolved = meet('Bash', { command: 'ls' }, ['terminal']);
  assert.ok(!resolved.ok);
  assert.deepEqual([resolved.problem, resolved.meant], ['absent_tool', 'terminal']);
  assert.match(resolved.words, /terminal is not available in this session: it is switched off/);
});

test('a tool that really has the name comes first, and a name nobody listed stays unknown', () => {
  const own = testTool('bash', run);
  const resolved = resolve(calls('Bash', {}), {
    tools: new Map([['bash', own], ...TOOLS.map((tool) => [tool.name, tool] as const)]),
    absent: new Map(),
  });
  assert.ok(resolved.ok && resolved.tool === own);
  for (const name of ['Basher', 'Reader', 'constructor']) assert.equal(meet(name, {}).ok, false, name);
});

test('unknown extra arguments and offset: 0 are dropped with a note for tools that only read', () => {
  const resolved = meet('read_file', { path: 'a', offset: 0, encoding: 'utf8', limit: 9_000 });
  assert.ok(resolved.ok);
  assert.deepEqual(resolved.input, { path: 'a' });
  assert.equal(resolved.note, '[Ignored: offset must be at least 1; encoding is not a parameter; limit must be at most 2000.]');
  const missing = meet('read_file', { offset: 0 });
  assert.ok(!missing.ok && /path is missing/.test(missing.words));
});

test('others answer with the nearest name', () => {
  const resolved = meet('terminal', { command: 'rm -r x', timeout_ms: 5 });
  assert.ok(!resolved.ok);
  assert.match(resolved.words, /^Not run: timeout_ms is not a parameter, did you mean timeout\? \(there are: command, timeout\)\.$/);
});
