import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSchemaProblems, type RecordedLine } from '../../../acp/schema.ts';

type Planted = readonly [from: RecordedLine['from'], message: object];

const line = ([from, message]: Planted): RecordedLine => ({ from, at: 0, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const update = (change: object): Planted => ['agent', { method: 'session/update', params: { sessionId: 's', update: change } }];
const ask = (method: string, params: object): Planted => ['client', { id: 1, method, params }];

const PROMPT = ask('session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'hi' }] });
const permission = (kind: string): Planted => [
  'agent',
  {
    id: 9,
    method: 'session/request_permission',
    params: { sessionId: 's', toolCall: { toolCallId: 'c' }, options: [{ optionId: '0', name: 'Yes', kind }] },
  },
];

const FINE: readonly (readonly Planted[])[] = [
  [PROMPT, ['agent', { id: 1, result: { stopReason: 'end_turn' } }]],
  [update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Read', kind: 'read', status: 'in_progress' })],
  [permission('allow_once'), ['client', { id: 9, result: { outcome: { outcome: 'cancelled' } } }]],
];

/** One thing is wrong with each; a check that lets one pass would prove nothing. */
const WRONG: Readonly<Record<string, readonly Planted[]>> = {
  'no session': [['agent', { method: 'session/update', params: { update: { sessionUpdate: 'plan', entries: [] } } }]],
  'a tool call without a title': [update({ sessionUpdate: 'tool_call', toolCallId: 'c' })],
  'a chunk without content': [update({ sessionUpdate: 'agent_message_chunk' })],
  'a plan whose entry has no status': [update({ sessionUpdate: 'plan', entries: [{ content: 'x', priority: 'low' }] })],
  'a diff without a path': [
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [{ type: 'diff', oldText: 'a', newText: 'b' }] }),
  ],
  'usage in words': [update({ sessionUpdate: 'usage_update', used: 'much', size: 1 })],
  'an answer without a stop reason': [PROMPT, ['agent', { id: 1, result: {} }]],
  'an error without a code': [PROMPT, ['agent', { id: 1, error: { message: 'no' } }]],
  'an answer to nothing': [['agent', { id: 5, result: {} }]],
  'a method that does not exist': [ask('session/dance', {})],
  'a request of the wrong side': [['agent', { id: 3, method: 'session/prompt', params: { sessionId: 's', prompt: [] } }]],
  'a session without a folder': [ask('session/new', { mcpServers: [] })],
  'an outcome without the chosen option': [permission('allow_once'), ['client', { id: 9, result: { outcome: { outcome: 'selected' } } }]],
};

for (const [what, lines] of Object.entries(WRONG))
  test(`the schema check finds ${what}`, () => {
    assert.equal(findSchemaProblems(lines.map(line)).length, 1);
  });

test('the schema check finds nothing in what is right', () => {
  assert.deepEqual(
    FINE.flatMap((lines) => findSchemaProblems(lines.map(line))),
    [],
  );
});
