import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectFileChanges, unwrapToolCall } from '../../src/agent/artefacts.ts';
import type { JsonObject, ToolCall } from '../../src/contracts/message.ts';

const call = (name: string, input: JsonObject): ToolCall => ({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
const patch = (...lines: readonly string[]) =>
  call('patch', { mode: 'patch', patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

/** Calls one after the other, and what they did to files. */
const CASES: readonly (readonly [what: string, calls: readonly ToolCall[], written: readonly string[], deleted: readonly string[]])[] = [
  [
    'files written, each once',
    [call('write_file', { path: 'a' }), call('write_file', { path: '/w/a' }), call('patch', { path: 'b' })],
    ['/w/a', '/w/b'],
    [],
  ],
  ['a call through another', [call('tool_call', { name: 'write_file', arguments: { path: 'x/y' } })], ['/w/x/y'], []],
  [
    'every act of a patch',
    [patch('*** Add File: a', '+1', '*** Update File: b', '*** Delete File: c', '*** Move File: d -> e')],
    ['/w/a', '/w/b', '/w/e'],
    ['/w/c', '/w/d'],
  ],
  ['what became of it last', [call('write_file', { path: 'a' }), patch('*** Delete File: a')], [], ['/w/a']],
  ['reading and commands', [call('read_file', { path: 'a' }), call('terminal', { command: 'touch b' })], [], []],
  ['nonsense', [call('write_file', { path: 7 }), call('patch', { patch: 7 }), call('tool_call', { name: 7 })], [], []],
];
for (const [what, calls, written, deleted] of CASES)
  test(`what file tools did: ${what}`, () => {
    const changes = collectFileChanges(calls, '/w');
    const those = (fate: string) => changes.filter((change) => change.fate === fate).map(({ path }) => path);
    assert.deepEqual([those('written'), those('deleted')], [written, deleted]);
  });

test('a call through several others is the innermost', () => {
  const inner = call('tool_call', { name: 'tool_call', arguments: { name: 'terminal', arguments: { command: 'ls' } } });
  assert.deepEqual([unwrapToolCall(inner).name, unwrapToolCall(inner).input], ['terminal', { command: 'ls' }]);
});
