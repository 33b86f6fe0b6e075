import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { NO_USAGE, type AssistantMessage, type JsonObject } from '../../../src/contracts/message.ts';
import type { ModelEvent } from '../../../src/contracts/provider.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { faults, startWireServer, toEventStream, type Fault } from '../../../src/testing/wire-server/index.ts';
import { deltas, failedAs, requestOf, runtimeOf, said } from './setup.ts';

/** Streams as servers were seen to send them: what was meant is read. */

async function ask(fault: Fault, stream = true): Promise<readonly ModelEvent[]> {
  await using server = await startWireServer({ replies: [{ fault }] });
  using transport = httpSse();
  const provider = createProvider({
    formatOf: createWireFormats(() => undefined),
    transport,
    auth: createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] }),
    deadlinesOf: () => ({ connect: 2_000, firstByte: 2_000, idle: 2_000 }),
  });
  const request = requestOf('openai-chat', { runtime: runtimeOf('openai-chat', { baseUrl: `${server.url}/v1` }) });
  const encoded = provider.encode({ ...request, adjust: { ...request.adjust, stream } });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(encoded, { signal: new AbortController().signal, estimate: 10 })) events.push(event);
  return events;
}

function messageIn(events: readonly ModelEvent[]): AssistantMessage['content'] {
  const end = events.at(-1);
  assert.ok(end?.type === 'done', JSON.stringify(end));
  return end.message.content;
}
const callsIn = (events: readonly ModelEvent[]) =>
  messageIn(events).flatMap((block) => (block.type === 'tool_call' ? [[block.name, block.malformed ?? block.input]] : []));

const choice = (delta: JsonObject, finish: string | null = null): JsonObject => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
const call = (id: string, name: string | undefined, args: string): JsonObject =>
  choice({ tool_calls: [{ index: 0, id, type: 'function', function: { ...(name !== undefined && { name }), arguments: args } }] });
const END = choice({}, 'tool_calls');
const USAGE: JsonObject = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } };
const streamOf = (...frames: readonly JsonObject[]): Fault => faults.verbatim(toEventStream([...frames, USAGE, '[DONE]']));

const CALLS: readonly (readonly [story: string, frames: readonly JsonObject[], calls: readonly unknown[]])[] = [
  [
    'calls with empty ids all under index 0, of different tools',
    [call('', 'read_file', '{"path":"a"}'), call('', 'list', '{"path":"b"}')],
    [
      ['read_file', { path: 'a' }],
      ['list', { path: 'b' }],
    ],
  ],
  [
    'calls with empty ids all under index 0, of one tool',
    [call('', 'read_file', '{"path":"a"}'), call('', 'read_file', '{"path":"b"}'), call('', 'read_file', '{"path":"c"}')],
    [
      ['read_file', { path: 'a' }],
      ['read_file', { path: 'b' }],
      ['read_file', { path: 'c' }],
    ],
  ],
  [
    'a call whose name and empty id come again with every piece',
    [call('', 'read_file', ''), call('', 'read_file', '{"path":'), call('', 'read_file', '"a"}')],
    [['read_file', { path: 'a' }]],
  ],
  [
    'whole arguments that come once more in the last piece',
    [call('c1', 'read_file', '{"path":'), call('c1', undefined, '"a"}'), call('c1', undefined, '{"path": "a"}')],
    [['read_file', { path: 'a' }]],
  ],
];
for (const [story, frames, calls] of CALLS) test(story, async () => assert.deepEqual(callsIn(await ask(streamOf(...frames, END))), calls));

test('a whole message in place of the last piece doubles neither words nor reasoning nor calls', async () => {
  const args = '{"path":"a"}';
  const message = {
    role: 'assistant',
    reasoning_content: 'Hm.',
    content: 'Hello world',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: args } }],
  };
  const events = await ask(
    streamOf(choice({ reasoning_content: 'Hm.' }), choice({ content: 'Hello ' }), call('c1', 'read_file', args), {
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    }),
  );
  assert.equal(deltas(events, 'text_delta'), 'Hello world');
  const [reasoning, words, made, ...more] = messageIn(events);
  assert.deepEqual([reasoning?.type, reasoning?.type === 'thinking' && reasoning.text], ['thinking', 'Hm.']);
  assert.deepEqual([words, made?.type, more], [said('Hello world'), 'tool_call', []]);
});

test('pieces that all come as messages are pieces', async () => {
  const piece = (content: string, finish: string | null = null) => ({
    choices: [{ index: 0, message: { content }, finish_reason: finish }],
  });
  assert.deepEqual(messageIn(await ask(streamOf(piece('a'), piece('and '), piece('b'), piece('', 'stop')))), [said('aand b')]);
});

const HELLO = toEventStream([choice({ content: 'Hello' }), choice({ content: ' you' }, 'stop'), USAGE, '[DONE]']);
const ERROR = JSON.stringify({ error: { message: 'Rate limit reached, try again in 7s', code: 'rate_limit_exceeded' } });

test('a byte order mark before the first event takes nothing away, and the official client agrees', async () => {
  assert.deepEqual(messageIn(await ask(faults.verbatim(`\uFEFF${HELLO}`))), [said('Hello you')]);
  await using server = await startWireServer({ replies: [{ fault: faults.verbatim(HELLO) }] });
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });
  let text = '';
  const stream = await client.chat.completions.create({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] });
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  assert.equal(text, 'Hello you');
});

test('events under the type of JSON are events', async () => {
  const events = await ask(faults.verbatim(`: processing\n\n${HELLO}`, { contentType: 'application/json' }));
  assert.deepEqual(messageIn(events), [said('Hello you')]);
  assert.deepEqual(events.at(-1)?.type === 'done' && events.at(-1), {
    type: 'done',
    message: { role: 'assistant', content: [said('Hello you')] },
    usage: { ...NO_USAGE, input: 10, output: 3 },
    finish: 'stop',
  });
});

for (const prefix of ['', '\n \n', '\uFEFF'])
  test(`an error as JSON under the type of events is that error (${JSON.stringify(prefix)})`, async () => {
    failedAs(await ask(faults.verbatim(prefix + ERROR)), { type: 'rate_limited', retryAfterMs: 7_000 });
  });

test('an answer as JSON under the type of events is that answer', async () => {
  const body = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] });
  assert.deepEqual(messageIn(await ask(faults.verbatim(body))), [said('Hello')]);
  assert.deepEqual(messageIn(await ask(faults.verbatim(`\uFEFF${body}`, { contentType: 'application/json' }), false)), [said('Hello')]);
});

test('a success without a body says so', async () => {
  failedAs(await ask(faults.verbatim('')), { type: 'malformed' });
});

test('what a server did by a tool of its own goes back as it was when it paused', async () => {
  const events: readonly object[] = [
    { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"cats"}' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'web_search_tool_result', tool_use_id: 's1', content: [] } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const request = requestOf('anthropic-messages');
  const format = createWireFormats(() => undefined)(request.runtime);
  const reader = format.fold(request, 10);
  const end = events.flatMap((frame) => reader.take(undefined, JSON.stringify(frame))).at(-1);
  assert.ok(end?.type === 'done' && end.finish === 'paused');
  const { body } = format.encode({ ...request, messages: [...request.messages, { message: end.message }] });
  assert.ok(
    body.includes(
      '{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"cats"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}',
    ),
    body,
  );
});
