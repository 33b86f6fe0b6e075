import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openaiChat } from '../../../src/parts/providers/protocols/openai-chat.ts';
import { type Case, checkFolds, done, failedAs, fold, MODEL, requestOf, said, thought, USAGE } from './setup.ts';

const protocol = openaiChat();
const delta = (fields: object, more: object = {}) =>
  [undefined, { choices: [{ index: 0, delta: fields, finish_reason: null }], ...more }] as const;
const finish = (reason: unknown) => [undefined, { choices: [{ index: 0, delta: {}, finish_reason: reason }] }] as const;
const DONE = [undefined, '[DONE]'] as const;
const call = (index: number, id: string | undefined, name: string | undefined, args: string, more: object = {}) =>
  delta({
    tool_calls: [{ index, ...(id !== undefined && { id }), function: { ...(name !== undefined && { name }), arguments: args }, ...more }],
  });

const CASES: readonly Case[] = [
  {
    name: 'text in pieces',
    frames: [delta({ role: 'assistant', content: '' }), delta({ content: 'Hel' }), delta({ content: 'lo' }), finish('stop'), DONE],
    ends: done([said('Hello')]),
  },
  { name: 'no [DONE] after a finish reason', frames: [delta({ content: 'Hi' }), finish('stop')], ends: done([said('Hi')]) },
  {
    name: 'reasoning_content',
    frames: [delta({ reasoning_content: 'hm' }), delta({ content: 'Hi' }), finish('stop'), DONE],
    ends: done([thought('hm'), said('Hi')]),
  },
  {
    name: 'reasoning under two names is shown once',
    frames: [
      delta({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }),
      delta({ content: 'Hi' }),
      finish('stop'),
    ],
    ends: done([thought('hm', [{ type: 'reasoning.text', text: 'hm', index: 0 }]), said('Hi')]),
  },
  {
    name: 'reasoning_details are put together again',
    frames: [
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0 }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'b', index: 0, signature: 's' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1 }] }),
      finish('stop'),
    ],
    ends: done([
      thought('ab', [
        { type: 'reasoning.text', text: 'ab', index: 0, signature: 's' },
        { type: 'reasoning.encrypted', data: 'xyz', index: 1 },
      ]),
    ]),
  },
  {
    name: 'tags in content become reasoning',
    frames: [delta({ content: '<thi' }), delta({ content: 'nk>hm</think>\n\nHi' }), finish('stop'), DONE],
    ends: done([thought('hm'), said('Hi')]),
  },
  {
    name: 'tags beside the field are dropped',
    frames: [delta({ reasoning_content: 'real' }), delta({ content: '<think>echo</think>Hi' }), finish('stop'), DONE],
    ends: done([thought('real'), said('Hi')]),
  },
  {
    name: 'legacy function_call deltas are a call',
    frames: [
      delta({ role: 'assistant', content: null, function_call: { name: 'read_file', arguments: '' } }),
      delta({ function_call: { arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"x"}' } }),
      finish('function_call'),
      DONE,
    ],
    ends: done([MODEL.call('call_d6cb0418ae99811befdaf6c0', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'two calls in pieces',
    frames: [
      call(0, 'a', 'read_file', ''),
      call(0, undefined, undefined, '{"path":'),
      call(1, 'b', 'read_file', '{"path":"y"}'),
      call(0, undefined, undefined, '"x"}'),
      finish('tool_calls'),
      DONE,
    ],
    ends: done([MODEL.call('a', { path: 'x' }), MODEL.call('b', { path: 'y' })], 'tool_calls'),
  },
  {
    name: 'calls whose pieces come in another order run in the order of their index',
    frames: [
      call(1, 'b', 'read_file', '{"path":"y"}'),
      call(0, 'a', 'read_file', '{"path":'),
      call(0, undefined, undefined, '"x"}'),
      finish('tool_calls'),
      DONE,
    ],
    ends: done([MODEL.call('a', { path: 'x' }), MODEL.call('b', { path: 'y' })], 'tool_calls'),
  },
  {
    name: 'whole calls that all claim index 0',
    frames: [call(0, 'a', 'read_file', '{"path":"x"}'), call(0, 'b', 'read_file', '{"path":"y"}'), finish('stop')],
    ends: done([MODEL.call('a', { path: 'x' }), MODEL.call('b', { path: 'y' })], 'tool_calls'),
  },
  {
    name: 'calls without an index',
    frames: [
      delta({ tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path"' } }] }),
      delta({ tool_calls: [{ function: { arguments: ':"x"}' } }] }),
      finish('tool_calls'),
    ],
    ends: done([MODEL.call('a', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'a repeated id',
    frames: [call(0, 'a', 'read_file', '{"path":"x"}'), call(1, 'a', 'read_file', '{"path":"y"}'), finish('tool_calls')],
    ends: done([MODEL.call('a', { path: 'x' }), MODEL.call('a_d2', { path: 'y' })], 'tool_calls'),
  },
  {
    name: 'no arguments at all',
    frames: [call(0, 'a', 'read_file', ''), finish('tool_calls')],
    ends: done([MODEL.call('a', {})], 'tool_calls'),
  },
  {
    name: 'arguments wrapped in a string',
    frames: [call(0, 'a', 'read_file', '"{\\"path\\":\\"x\\"}"'), finish('tool_calls')],
    ends: done([MODEL.call('a', { path: 'x' })], 'tool_calls'),
  },
  {
    name: 'arguments that are no JSON',
    frames: [call(0, 'a', 'read_file', '{"path":'), finish('length')],
    ends: done([{ ...MODEL.call('a', {}), malformed: '{"path":' }], 'length'),
  },
  {
    name: 'a Gemini signature stays with its call',
    frames: [call(0, 'a', 'read_file', '{}', { extra_content: { google: { thought_signature: 's' } } }), finish('tool_calls')],
    ends: done([{ ...MODEL.call('a', {}), native: MODEL.native('openai-chat', { google: { thought_signature: 's' } }) }], 'tool_calls'),
  },
  { name: 'length', frames: [delta({ content: 'Hi' }), finish('length'), DONE], ends: done([said('Hi')], 'length') },
  {
    name: 'a call that was announced and did not come stays announced',
    frames: [delta({ content: 'I will run it.' }), finish('tool_calls'), DONE],
    ends: done([said('I will run it.')], 'tool_calls'),
  },
  { name: 'nothing at all is still an answer', frames: [finish('stop'), DONE], ends: done([]) },
  { name: 'an unknown or numeric reason', frames: [delta({ content: 'Hi' }), finish(7)], ends: done([said('Hi')]) },
  { name: 'a refusal alone', frames: [delta({ refusal: 'I cannot.' }), finish('stop')], ends: done([said('I cannot.')], 'content_filter') },
  { name: 'content filter', frames: [finish('content_filter')], ends: done([], 'content_filter') },
  {
    name: 'usage after the finish',
    frames: [
      delta({ content: 'Hi' }),
      finish('stop'),
      [
        undefined,
        {
          choices: [],
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
            completion_tokens_details: { reasoning_tokens: 5 },
          },
        },
      ],
      DONE,
    ],
    ends: done([said('Hi')], 'stop', { input: 30, output: 20, cacheRead: 60, cacheWrite: 10, reasoning: 5 }),
  },
  {
    name: 'usage as DeepSeek counts',
    frames: [
      finish('stop'),
      [
        undefined,
        { choices: [], usage: { prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 } },
      ],
    ],
    ends: done([], 'stop', { ...USAGE, input: 36, output: 1, cacheRead: 64 }),
  },
  {
    name: 'usage as Kimi counts',
    frames: [
      [
        undefined,
        { choices: [{ delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 4 } }] },
      ],
    ],
    ends: done([], 'stop', { ...USAGE, input: 6, output: 1, cacheRead: 4 }),
  },
  { name: 'cut off', frames: [delta({ content: 'Hel' })], ends: { type: 'network', partial: { text: 'Hel' } } },
  {
    name: 'cut off with letters held back',
    frames: [delta({ content: 'Hel <thi' })],
    ends: { type: 'network', partial: { text: 'Hel <thi' } },
  },
  {
    name: 'an error frame',
    frames: [delta({ content: 'Hel' }), [undefined, { error: { message: 'Overloaded', type: 'overloaded_error' } }]],
    ends: { type: 'overloaded' },
  },
  { name: 'an event named error', frames: [['error', { message: 'Too many requests', code: 429 }]], ends: { type: 'rate_limited' } },
  {
    name: 'an error in a choice',
    frames: [[undefined, { choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'bad gateway' } }] }]],
    ends: { type: 'server_error' },
  },
  { name: 'a broken finish', frames: [delta({ content: 'Hel' }), finish('insufficient_system_resource')], ends: { type: 'overloaded' } },
  {
    name: 'nothing counts after the end',
    frames: [delta({ content: 'Hi' }), finish('stop'), DONE, delta({ content: '!' }), DONE],
    ends: done([said('Hi')]),
  },
];

checkFolds(protocol, 'openai-chat', CASES);

test('openai-chat: a frame that is no JSON is refused', () => {
  assert.throws(() => protocol.parse(undefined, '{"choices":['), SyntaxError);
  assert.throws(() => protocol.parse(undefined, '[1]'), SyntaxError);
  assert.equal(protocol.parse(undefined, ''), undefined);
});

/** The id given to a call that came without one, after a transcript of that length. */
function idIn(length: number): string {
  const request = requestOf('openai-chat', {
    messages: Array.from({ length }, () => requestOf('openai-chat').messages[0]).filter((one) => one !== undefined),
  });
  const [state] = protocol.step(protocol.begin(request), {
    choices: [{ delta: { tool_calls: [{ function: { name: 'read_file', arguments: '{}' } }] }, finish_reason: 'tool_calls' }],
  });
  const end = protocol.end(state).at(-1);
  const block = end?.type === 'done' ? end.message.content[0] : undefined;
  return block?.type === 'tool_call' ? block.id : '';
}

test('openai-chat: the same call without an id gets the same id, and another one later in the transcript', () => {
  assert.match(idIn(1), /^call_[0-9a-f]{24}$/);
  assert.equal(idIn(1), idIn(1));
  assert.notEqual(idIn(1), idIn(3));
});

test('openai-chat: the whole answer folds like its stream', () => {
  const message = {
    role: 'assistant',
    content: '<think>hm</think>Hi',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } }],
  };
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 3, completion_tokens: 2 } });
  assert.deepEqual(protocol.whole(requestOf('openai-chat'), body).at(-1), {
    type: 'done',
    ...done([thought('hm'), said('Hi'), MODEL.call('a', { path: 'x' })], 'tool_calls', { ...USAGE, input: 3, output: 2 }),
  });
});

for (const [body, type] of [
  ['<html>Sign in</html>', 'malformed'],
  ['{"choices":[{"message":{"content":"The', 'malformed'],
  ['{}', 'server_error'],
  ['', 'server_error'],
  ['{"error":{"message":"Invalid API key","code":401}}', 'unauthorized'],
  ['{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}', 'billing'],
] as const) {
  test(`openai-chat: a success that is none: ${body.slice(0, 40)} is ${type}`, () =>
    failedAs(protocol.whole(requestOf('openai-chat'), body), { type }));
}

const endOf = (frames: Parameters<typeof fold>[2]) => fold(protocol, requestOf('openai-chat'), frames).at(-1);

test('openai-chat: a thought the template opened is no part of the final text, for any chunking', () => {
  const reply = 'plan it\n\n</think>\n\nHi';
  const message = done([thought('plan it'), said('Hi')]).message;
  for (const size of [1, 2, 3, 7, reply.length]) {
    const chunks = Array.from({ length: Math.ceil(reply.length / size) }, (_, place) => reply.slice(place * size, (place + 1) * size));
    const end = endOf([...chunks.map((content) => delta({ content })), finish('stop'), DONE]);
    assert.deepEqual(end?.type === 'done' ? end.message : end, message, `${size} characters at a time`);
  }
});

test('openai-chat: where reasoning has its own field, a stray closing tag takes no words away', () => {
  const end = endOf([delta({ reasoning_content: 'real' }), delta({ content: 'Hi</think>\nyou' }), finish('stop'), DONE]);
  assert.deepEqual(end?.type === 'done' ? end.message.content : end, [thought('real'), said('Hi\nyou')]);
});
