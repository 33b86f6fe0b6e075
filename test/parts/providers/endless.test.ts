import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import type { ModelEvent, Provider } from '../../../src/contracts/provider.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { createCompleter } from '../../../src/parts/providers/completion.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { requestOf, runtimeOf } from './setup.ts';

const EVENTS = 'text/event-stream';

/** Sends pieces for ever, as fast as they are taken. */
async function startEndless(type: string, pieceOf: (index: number) => string): Promise<string> {
  const pour = (response: ServerResponse, from = 0): void => {
    let index = from;
    while (!response.destroyed && response.write(pieceOf(index++)));
    if (!response.destroyed) response.once('drain', () => pour(response, index));
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    pour(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => (server.closeAllConnections(), server.close()));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}/v1`;
}

const data = (frame: unknown): string => `data: ${JSON.stringify(frame)}\n\n`;
const chat = (delta: object): string => data({ choices: [{ index: 0, delta, finish_reason: null }] });
const args = (index: number, words: string): object => ({
  tool_calls: [{ index, id: `c${index}`, function: { name: 'read_file', arguments: words } }],
});
const messages = (words: string, index: number): string =>
  index === 0
    ? data({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'read_file', input: {} } })
    : data({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: words } });
const responses = (words: string, index: number): string =>
  index === 0
    ? data({
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', id: 'i', call_id: 'a', name: 'read_file' },
      })
    : data({ type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'i', delta: words });
/** Text that never repeats. */
const varied = (index: number): string => `${index} ${Math.imul(index, 2_654_435_761).toString(36)} `.repeat(20);

const providerTo = (): Provider => {
  const transport = httpSse();
  after(() => transport[Symbol.dispose]());
  const auth = createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] });
  const deadlines = { connect: 5_000, firstByte: 5_000, idle: 5_000 };
  return createProvider({ formatOf: createWireFormats(() => undefined), transport, auth, deadlinesOf: () => deadlines });
};

async function endOf(url: string, id: ProtocolId): Promise<ModelEvent | undefined> {
  const provider = providerTo();
  const request = requestOf(id, { runtime: runtimeOf(id, { baseUrl: url }) });
  const events = provider.stream(provider.encode(request), { signal: new AbortController().signal, estimate: 100 });
  let last: ModelEvent | undefined;
  for await (const event of events) last = event;
  return last;
}

const OVER = /repeated one piece of text over and over/;
for (const [story, id, type, piece, failure, words] of [
  ['words that repeat', 'openai-chat', EVENTS, () => chat({ content: 'and so on, ' }), 'repetition', OVER],
  ['thoughts that repeat', 'openai-chat', EVENTS, () => chat({ reasoning_content: 'wait, ' }), 'repetition', OVER],
  ['arguments that repeat', 'openai-chat', EVENTS, () => chat(args(0, 'a/b/')), 'repetition', OVER],
  ['arguments that repeat', 'anthropic-messages', EVENTS, (index) => messages('a/b/', index), 'repetition', OVER],
  ['arguments that repeat', 'openai-responses', EVENTS, (index) => responses('a/b/', index), 'repetition', OVER],
  ['words', 'openai-chat', EVENTS, (index) => chat({ content: varied(index) }), 'repetition', /past 4000000 characters/],
  ['arguments', 'openai-chat', EVENTS, (index) => chat(args(0, varied(index))), 'repetition', /past 4000000 characters/],
  ['calls', 'openai-chat', EVENTS, (index) => chat(args(index, '{}')), 'repetition', /more than 256 calls/],
  [
    'one line of a stream',
    'openai-chat',
    EVENTS,
    (index) => (index === 0 ? 'data: "' : varied(index)),
    'malformed',
    /one event of the stream is larger than 32 MB/,
  ],
  [
    'one JSON document',
    'openai-chat',
    'application/json',
    (index) => (index === 0 ? '{"x":"' : varied(index)),
    'malformed',
    /the answer is larger than 32 MB/,
  ],
] as readonly (readonly [string, ProtocolId, string, (index: number) => string, string, RegExp])[]) {
  test(`${id}: ${story} without end are cut off, and what they took is charged`, async () => {
    const end = await endOf(await startEndless(type, piece), id);
    assert.equal(end?.type, 'failed');
    if (end?.type !== 'failed') return;
    assert.equal(end.failure.type, failure);
    assert.match(end.failure.detail, words);
    assert.ok(end.usageEstimated === true && (end.usage?.input ?? 0) > 100);
    if ('partial' in end.failure) assert.ok((end.failure.partial?.text.length ?? 0) <= 20_000);
  });
}

test('a side call whose answer repeats itself for ever ends as well', async () => {
  const url = await startEndless(EVENTS, () => chat({ content: 'The goal is the goal. ' }));
  const complete = createCompleter(
    runtimeOf('openai-chat', { baseUrl: url }),
    { provider: providerTo(), price: () => undefined },
    () => {},
  );
  const completion = await complete({ system: 'Sum up.', text: 'Much.', maxTokens: 100, signal: new AbortController().signal });
  assert.equal(completion.ok, false);
  // Its limit of output comes before the number of repetitions that counts as endless.
  assert.match(completion.ok ? '' : completion.why, /wrote on past the \d+ tokens/);
  assert.ok((completion.call?.usage.output ?? 0) > 1_000);
});

for (const [what, piece, count] of [
  ['8,000 dashes', '-', 8_000],
  ['2,000 equal rows', '2026-01-01,0.0,0.0,0.0,unknown\n', 2_000],
  ['a list of zeros', '0, ', 30_000],
] as const) {
  const whole = piece.repeat(count);
  const pieces = Array.from({ length: Math.ceil(whole.length / 500) }, (_, index) => whole.slice(index * 500, index * 500 + 500));
  const pour = (wrap: (text: string) => string) => (index: number) =>
    index < pieces.length ? wrap(pieces[index] ?? '') : 'data: [DONE]\n\n';
  test(`${what} in an answer or a file are no endless reply`, async () => {
    for (const wrap of [(text: string) => chat({ content: text }), (text: string) => chat(args(0, JSON.stringify(text).slice(1, -1)))]) {
      const end = await endOf(await startEndless(EVENTS, pour(wrap)), 'openai-chat');
      assert.equal(end?.type, 'done');
    }
  });
}

test('a long text that only has much in common with itself is no repetition', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `| row ${index} | same | same |\n`);
  const url = await startEndless(EVENTS, (index) => (index < rows.length ? chat({ content: rows[index] }) : 'data: [DONE]\n\n'));
  const end = await endOf(url, 'openai-chat');
  assert.equal(end?.type, 'done');
});
