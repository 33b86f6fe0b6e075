import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropicMessages } from '../../../src/parts/providers/protocols/anthropic-messages.ts';
import { type Case, checkFolds, done, failedAs, MODEL, requestOf, said, thought, USAGE } from './setup.ts';

const protocol = anthropicMessages();
const event = (type: string, fields: object = {}) => [type, { type, ...fields }] as const;
const open = (index: number, content_block: object) => event('content_block_start', { index, content_block });
const delta = (index: number, fields: object) => event('content_block_delta', { index, delta: fields });
const close = (index: number) => event('content_block_stop', { index });
const text = (index: number, ...parts: readonly string[]) => [
  open(index, { type: 'text', text: '' }),
  ...parts.map((part) => delta(index, { type: 'text_delta', text: part })),
  close(index),
];
const START = event('message_start', {
  message: { usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 } },
});
const END = (stop_reason: string) => [
  event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 7 } }),
  event('message_stop'),
];
const COUNTED = { input: 10, output: 7, cacheRead: 5, cacheWrite: 2, reasoning: 0 };

const CASES: readonly Case[] = [
  {
    name: 'text in pieces, with a ping',
    frames: [START, ['ping', { type: 'ping' }], ...text(0, 'Hel', 'lo'), ...END('end_turn')],
    ends: done([said('Hello')], 'stop', COUNTED),
  },
  {
    name: 'signed reasoning goes back whole',
    frames: [
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 's1' }),
      close(0),
      ...text(1, 'Hi'),
      event('message_stop'),
    ],
    ends: done([thought('hm', { type: 'thinking', thinking: 'hm', signature: 's1' }, 'anthropic-messages'), said('Hi')]),
  },
  {
    name: 'redacted reasoning is kept',
    frames: [open(0, { type: 'redacted_thinking', data: 'xyz' }), close(0), ...text(1, 'Hi'), event('message_stop')],
    ends: done([thought('', { type: 'redacted_thinking', data: 'xyz' }, 'anthropic-messages'), said('Hi')]),
  },
  {
    name: 'unsigned reasoning has nothing to go back',
    frames: [open(0, { type: 'thinking', thinking: 'hm' }), close(0), ...text(1, 'Hi'), event('message_stop')],
    ends: done([thought('hm'), said('Hi')]),
  },
  {
    name: 'a call in pieces',
    frames: [
      ...text(0, 'Reading.'),
      open(1, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"path"' }),
      delta(1, { type: 'input_json_delta', partial_json: ':"x"}' }),
      close(1),
      ...END('tool_use'),
    ],
    ends: done([said('Reading.'), MODEL.call('toolu_1', { path: 'x' })], 'tool_calls', { ...USAGE, output: 7 }),
  },
  {
    name: 'a call without arguments',
    frames: [open(0, { type: 'tool_use', id: 'a', name: 'read_file', input: {} }), close(0), ...END('tool_use')],
    ends: done([MODEL.call('a', {})], 'tool_calls', { ...USAGE, output: 7 }),
  },
  {
    name: 'arguments cut off',
    frames: [
      open(0, { type: 'tool_use', id: 'a', name: 'read_file', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"pa' }),
      close(0),
      ...END('max_tokens'),
    ],
    ends: done([{ ...MODEL.call('a', {}), malformed: '{"pa' }], 'length', { ...USAGE, output: 7 }),
  },
  {
    name: 'tags in text become reasoning',
    frames: [...text(0, '<think>hm</th', 'ink>Hi'), ...END('end_turn')],
    ends: done([thought('hm'), said('Hi')], 'stop', { ...USAGE, output: 7 }),
  },
  { name: 'a refusal', frames: END('refusal'), ends: done([], 'content_filter', { ...USAGE, output: 7 }) },
  {
    name: 'the window is full',
    frames: [...text(0, 'Hi'), ...END('model_context_window_exceeded')],
    ends: done([said('Hi')], 'length', { ...USAGE, output: 7 }),
  },
  {
    name: 'no message_stop after a stop reason',
    frames: [...text(0, 'Hi'), event('message_delta', { delta: { stop_reason: 'end_turn' } })],
    ends: done([said('Hi')]),
  },
  { name: 'cut off', frames: [START, ...text(0, 'Hel').slice(0, 2)], ends: { type: 'network', partial: { text: 'Hel' } } },
  {
    name: 'an error frame',
    frames: [START, ...text(0, 'Hel'), event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
    ends: { type: 'overloaded' },
  },
  {
    name: 'an error without a type',
    frames: [['error', { error: { type: 'api_error', message: 'Internal server error' } }]],
    ends: { type: 'server_error' },
  },
  {
    name: 'unknown frames and blocks mean nothing',
    frames: [event('novelty'), open(0, { type: 'hologram', id: 'x', name: 'web' }), close(0), ...text(1, 'Hi'), event('message_stop')],
    ends: done([said('Hi')]),
  },
];

checkFolds(protocol, 'anthropic-messages', CASES);

test('anthropic-messages: the whole answer folds like its stream', () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
  ];
  const body = JSON.stringify({ type: 'message', content, stop_reason: 'tool_use', usage: { input_tokens: 3, output_tokens: 2 } });
  const expected = done([thought('hm', content[0], 'anthropic-messages'), said('Hi'), MODEL.call('a', { path: 'x' })], 'tool_calls', {
    ...USAGE,
    input: 3,
    output: 2,
  });
  assert.deepEqual(protocol.whole(requestOf('anthropic-messages'), body).at(-1), { type: 'done', ...expected });
});

test('anthropic-messages: an error as a whole answer', () =>
  failedAs(
    protocol.whole(
      requestOf('anthropic-messages'),
      '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    ),
    { type: 'unauthorized' },
  ));

test('anthropic-messages: a frame that is no JSON is refused', () =>
  assert.throws(() => protocol.parse('message_start', '{"type":'), SyntaxError));
