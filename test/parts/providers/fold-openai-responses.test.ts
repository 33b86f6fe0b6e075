import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiResponses } from '../../../src/parts/providers/protocols/openai-responses.ts';
import { type Case, checkFolds, done, failedAs, MODEL, requestOf, said, thought, USAGE } from './setup.ts';

const protocol = openaiResponses();
const event = (type: string, fields: object = {}) => [type, { type, ...fields }] as const;
const words = (output_index: number, ...parts: readonly string[]) =>
  parts.map((delta) => event('response.output_text.delta', { output_index, content_index: 0, delta }));
const item = (output_index: number, fields: object) => event('response.output_item.done', { output_index, item: fields });
const COMPLETED = event('response.completed', { response: { status: 'completed', output: [] } });
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'xyz' };
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file', arguments: '{"path":"x"}' };
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] };

const CASES: readonly Case[] = [
  {
    name: 'text in pieces',
    frames: [event('response.created'), ...words(0, 'Hel', 'lo'), item(0, MESSAGE), COMPLETED],
    ends: done([said('Hello')]),
  },
  { name: 'a server that tells items only whole', frames: [item(0, MESSAGE), COMPLETED], ends: done([said('Hello')]) },
  {
    name: 'a server that tells everything at the end',
    frames: [event('response.completed', { response: { output: [REASONING, MESSAGE, CALL] } })],
    ends: done([thought('hm', REASONING, 'openai-responses'), said('Hello'), MODEL.call('call_1', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'a call that is told only at the end, after words that were streamed',
    frames: [...words(0, 'Hello'), item(0, MESSAGE), event('response.completed', { response: { output: [MESSAGE, CALL] } })],
    ends: done([said('Hello'), MODEL.call('call_1', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'calls that were streamed are not told twice',
    frames: [item(0, CALL), event('response.completed', { response: { output: [CALL] } })],
    ends: done([MODEL.call('call_1', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'arguments of a call that never comes announce it',
    frames: [...words(0, 'Hello'), event('response.function_call_arguments.delta', { output_index: 1, delta: '{"path"' }), COMPLETED],
    ends: done([said('Hello')], 'tool_calls'),
  },
  {
    name: 'reasoning in summary parts',
    frames: [
      event('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'a' }),
      event('response.reasoning_summary_part.added', { output_index: 0, summary_index: 1 }),
      event('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'b' }),
      item(0, REASONING),
      ...words(1, 'Hi'),
      COMPLETED,
    ],
    ends: done([thought('a\n\nb', REASONING, 'openai-responses'), said('Hi')]),
  },
  {
    name: 'reasoning text',
    frames: [event('response.reasoning_text.delta', { output_index: 0, delta: 'hm' }), ...words(1, 'Hi'), COMPLETED],
    ends: done([thought('hm'), said('Hi')]),
  },
  {
    name: 'reasoning that nobody can send back',
    frames: [item(0, { type: 'reasoning', id: 'rs_1', summary: [] }), ...words(1, 'Hi'), COMPLETED],
    ends: done([said('Hi')]),
  },
  {
    name: 'a call in pieces',
    frames: [
      event('response.output_item.added', { output_index: 0, item: { ...CALL, arguments: '' } }),
      event('response.function_call_arguments.delta', { output_index: 0, delta: '{"path"' }),
      event('response.function_call_arguments.delta', { output_index: 0, delta: ':"x"}' }),
      item(0, CALL),
      COMPLETED,
    ],
    ends: done([MODEL.call('call_1', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'tags in text become reasoning',
    frames: [
      ...words(0, '<think>h', 'm</think>Hi'),
      item(0, { ...MESSAGE, content: [{ type: 'output_text', text: '<think>hm</think>Hi' }] }),
      COMPLETED,
    ],
    ends: done([thought('hm'), said('Hi')]),
  },
  {
    name: 'a refusal',
    frames: [
      event('response.refusal.delta', { output_index: 0, delta: 'I cannot.' }),
      item(0, { type: 'message', content: [{ type: 'refusal', refusal: 'I cannot.' }] }),
      COMPLETED,
    ],
    ends: done([said('I cannot.')], 'content_filter'),
  },
  {
    name: 'out of tokens',
    frames: [...words(0, 'Hel'), event('response.incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' } } })],
    ends: done([said('Hel')], 'length'),
  },
  {
    name: 'filtered',
    frames: [event('response.incomplete', { response: { incomplete_details: { reason: 'content_filter' } } })],
    ends: done([], 'content_filter'),
  },
  {
    name: 'usage',
    frames: [
      ...words(0, 'Hi'),
      event('response.completed', {
        response: {
          usage: {
            input_tokens: 50,
            output_tokens: 9,
            input_tokens_details: { cached_tokens: 40 },
            output_tokens_details: { reasoning_tokens: 4 },
          },
        },
      }),
    ],
    ends: done([said('Hi')], 'stop', { input: 10, output: 9, cacheRead: 40, cacheWrite: 0, reasoning: 4 }),
  },
  { name: 'cut off', frames: words(0, 'Hel'), ends: { type: 'network', partial: { text: 'Hel' } } },
  {
    name: 'response.failed',
    frames: [
      ...words(0, 'Hel'),
      event('response.failed', {
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 2s.' } },
      }),
    ],
    ends: { type: 'rate_limited', retryAfterMs: 2000 },
  },
  {
    name: 'an error frame',
    frames: [event('error', { code: 'server_error', message: 'The server had an error' })],
    ends: { type: 'server_error' },
  },
];

checkFolds(protocol, 'openai-responses', CASES);

test('openai-responses: the whole answer folds like its stream', () => {
  const body = JSON.stringify({
    status: 'completed',
    error: null,
    output: [REASONING, MESSAGE, CALL],
    usage: { input_tokens: 3, output_tokens: 2 },
  });
  const expected = done([thought('hm', REASONING, 'openai-responses'), said('Hello'), MODEL.call('call_1', { path: 'x' })], 'tool_calls', {
    ...USAGE,
    input: 3,
    output: 2,
  });
  assert.deepEqual(protocol.whole(requestOf('openai-responses'), body).at(-1), { type: 'done', ...expected });
});

test('openai-responses: an error as a whole answer', () =>
  failedAs(protocol.whole(requestOf('openai-responses'), '{"error":{"message":"Rate limit","code":"rate_limit_exceeded"}}'), {
    type: 'rate_limited',
  }));

test('openai-responses: a frame that is no JSON is refused', () =>
  assert.throws(() => protocol.parse('response.created', '{"type":'), SyntaxError));
