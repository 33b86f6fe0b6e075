import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOUNDS } from '../../../src/agent/bounds.ts';
import { withOwnIds } from '../../../src/agent/call-ids.ts';
import { cleanInput } from '../../../src/agent/clean.ts';
import { createNudgeEntries } from '../../../src/agent/nudge.ts';
import { judgeReply, type ReplyVerdict } from '../../../src/agent/reply.ts';
import { createTurnState } from '../../../src/agent/state.ts';
import type { Entry } from '../../../src/contracts/entry.ts';
import { createTextBlock, collectToolCalls, type AssistantMessage, type Message } from '../../../src/contracts/message.ts';
import type { FinishReason } from '../../../src/contracts/provider.ts';
import { RUNTIME } from '../setup.ts';

const CLEAN: readonly (readonly [given: string, kept: string])[] = [
  ['  hello \n', 'hello'],
  ['a\0b', 'a\u{fffd}b'],
  ['half \ud83d', 'half \u{fffd}'],
  ['whole 😀', 'whole 😀'],
  ['a <memory-context>old</memory-context> b', 'a &lt;memory-context>old&lt;/memory-context> b'],
  ['a <MEMORY-CONTEXT>old\nlines</ Memory-Context>', 'a &lt;MEMORY-CONTEXT>old\nlines&lt;/ Memory-Context>'],
  ['Explain <memory-context> in recall.ts, then fix bug 12', 'Explain &lt;memory-context> in recall.ts, then fix bug 12'],
  ['\uFF1Cmemory-context>', '&lt;memory-context>'],
  ['</memory-</memory-context>context>', '</memory-&lt;/memory-context>context>'],
  ['<memory> of <hint> and <outside>', '<memory> of <hint> and <outside>'],
];
for (const [given, kept] of CLEAN)
  test(`${JSON.stringify(given)} is taken as ${JSON.stringify(kept)}`, () => assert.equal(cleanInput(given), kept));

const call = (id: string, malformed?: string) =>
  ({ type: 'tool_call', id, name: 'look', input: {}, trust: 'model', ...(malformed !== undefined && { malformed }) }) as const;
const thought = { type: 'thinking', text: 'hm', trust: 'model' } as const;
const says = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content });
const summary = (reply: ReplyVerdict): string =>
  'failure' in reply ? `${reply.type}:${reply.failure.type}${'keep' in reply && reply.keep ? ':kept' : ''}` : reply.type;

const REPLIES: readonly (readonly [
  name: string,
  message: AssistantMessage,
  finish: FinishReason,
  spent: Record<string, number>,
  verdict: string,
])[] = [
  ['words', says(createTextBlock('hi', 'model')), 'stop', {}, 'answer'],
  ['words after thoughts', says(thought, createTextBlock('hi', 'model')), 'stop', {}, 'answer'],
  ['calls', says(call('1')), 'tool_calls', {}, 'calls'],
  ['a call without arguments at the length limit', says(call('1')), 'length', {}, 'unusable:truncated'],
  ['words cut off', says(createTextBlock('hi', 'model')), 'length', {}, 'fragment:truncated'],
  ['blank words', says(createTextBlock(' \n', 'model')), 'stop', {}, 'unusable:empty'],
  ['blank words at the length limit', says(createTextBlock(' ', 'model')), 'length', {}, 'unusable:empty'],
  ['nothing', says(), 'stop', {}, 'unusable:empty'],
  ['thoughts alone', says(thought), 'stop', {}, 'unusable:thinking_only:kept'],
  ['thoughts alone, asked for words once', says(thought), 'stop', { prefill_thinking: 1 }, 'unusable:thinking_only:kept'],
  [
    'thoughts alone, asked for words in vain',
    says(thought),
    'stop',
    { prefill_thinking: BOUNDS.prefill_thinking.limit },
    'unusable:thinking_only',
  ],
  ['thoughts without text or data', says({ ...thought, text: '' }), 'stop', {}, 'unusable:empty'],
  ['a filtered reply', says(createTextBlock('no', 'model')), 'content_filter', {}, 'unusable:content_blocked'],
  ['filtered calls', says(call('1')), 'content_filter', {}, 'unusable:content_blocked'],
  ['broken arguments', says(call('1', '{"a": oops}')), 'tool_calls', {}, 'calls'],
  ['arguments that are no object', says(call('1', '[1, 2]')), 'tool_calls', {}, 'calls'],
  ['arguments that are words', says(call('1', 'the file a.txt')), 'tool_calls', {}, 'calls'],
  ['two objects', says(call('1', '{"a": 1} {"a": 2}')), 'tool_calls', {}, 'calls'],
  ['cut arguments', says(call('1', '{"a')), 'tool_calls', {}, 'unusable:truncated'],
  ['cut arguments beside whole ones', says(call('1'), call('2', '{"a')), 'tool_calls', {}, 'unusable:truncated'],
  [
    'cut arguments for the last time',
    says(call('1', '{"a')),
    'length',
    { reask_truncated_call: BOUNDS.reask_truncated_call.limit },
    'unusable:truncated',
  ],
  ['broken arguments at the length limit', says(call('1', '{oops}')), 'length', {}, 'unusable:truncated'],
];
for (const [name, message, finish, spent, verdict] of REPLIES) {
  const state = { ...createTurnState({ sessionId: 's', turnId: 't', startedAt: 0, runtime: RUNTIME }), spent };
  test(`${name}: ${verdict}`, () => assert.equal(summary(judgeReply(message, finish, state)), verdict));
}

const entry = (message: Message): Entry => ({ id: 'e', sessionId: 's', seq: 1, at: 0, origin: 'user', type: 'message', message });
const LAST: Readonly<Record<string, Entry>> = {
  user: entry({ role: 'user', content: [createTextBlock('hi', 'owner')] }),
  assistant: entry(says(createTextBlock('hi', 'model'))),
  tool: entry({ role: 'tool', callId: '1', name: 'look', content: [], failed: false }),
};
const NUDGED: readonly (readonly [last: string, sent: boolean, roles: readonly string[]])[] = [
  ['user', false, ['assistant', 'user']],
  ['user', true, ['assistant', 'user']],
  ['assistant', false, ['user']],
  ['assistant', true, ['user']],
  ['tool', false, ['user']],
  ['tool', true, ['assistant', 'user']],
  ['nothing', false, ['user']],
];
for (const [last, sent, roles] of NUDGED) {
  test(`a nudge after ${last}, ${sent ? 'sent' : 'not sent yet'}: ${roles.join(', ')}`, () => {
    const log = LAST[last];
    const added = createNudgeEntries(log === undefined ? [] : [log], 'go on', sent);
    assert.deepEqual(
      added.map((one) => (one.type === 'message' ? one.message.role : one.type)),
      roles,
    );
    assert.deepEqual(new Set(added.map((one) => one.origin)), new Set(['nudge']));
  });
}

const ids = (message: AssistantMessage) => collectToolCalls(message).map(({ id }) => id);
test('ids of calls are made unique within a reply and against the log; a reply without calls is left as it is', () => {
  assert.deepEqual(ids(withOwnIds(says(call('a'), call('a'), call(''), call(' '), call('b')), [entry(says(call('a'), call('b_2')))])), [
    'a_2',
    'a_3',
    'call',
    'call_2',
    'b',
  ]);
  const plain = says(createTextBlock('hi', 'model'));
  assert.equal(withOwnIds(plain, []), plain);
});
