import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { FailureType } from '../../../src/contracts/failure.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type ProtocolId } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import type { ProviderProfile } from '../../../src/contracts/provider-profile.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { type Fault, faults, type Reply, startWireServer } from '../../../src/testing/wire-server/index.ts';
import { failedAs, MODEL, requestOf, runtimeOf, said, terminals, thought } from './setup.ts';

const IDS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const ACME: ProviderProfile = {
  id: 'acme',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://api.acme.example/v1',
  keyEnvs: ['ACME_KEY'],
  headers: { 'x-title': 'hermes' },
};
const FAST = { connect: 2000, firstByte: 2000, idle: 2000 };

const providerWith = (deadlines = FAST, owned: readonly string[] = []): Provider =>
  createProvider({
    formatOf: createWireFormats(() => undefined),
    transport: httpSse(),
    auth: createApiKeyAuth({
      profileOf: (id) => (id === 'acme' ? ACME : undefined),
      secret: (name) => (name === 'ACME_KEY' ? 'top-secret\n' : undefined),
      owned: () => owned,
    }),
    deadlinesOf: () => deadlines,
  });

async function ask(provider: Provider, request: ModelRequest, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(provider.encode(request), { signal, estimate: 1000 })) events.push(event);
  assert.equal(terminals(events).length, 1);
  assert.equal(terminals(events)[0], events.at(-1));
  return events;
}
const at = (url: string, id: ProtocolId, more: Partial<ModelRequest> = {}): ModelRequest =>
  requestOf(id, { runtime: runtimeOf(id, { baseUrl: `${url}/v1` }), ...more });

const REPLY: Reply = {
  text: 'Hello, naïve 🙂 world',
  thinking: 'Let me see',
  calls: [{ id: 'call_1', name: 'read_file', arguments: { path: 'x' } }],
  usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 1 },
  chunk: 3,
};

for (const id of IDS)
  test(`${id}: a call is told by its name before its arguments are whole, once for each`, async () => {
    const calls = ['terminal', 'read_file'].map((name, index) => ({
      id: `call_${index}`,
      name,
      arguments: { path: 'folder/'.repeat(60) },
    }));
    await using server = await startWireServer({
      replies: [
        { calls, chunk: 4 },
        { calls, chunk: 4, fault: faults.cut(3_000) },
      ],
    });
    const started = (events: readonly ModelEvent[]) => events.flatMap((event) => (event.type === 'call_start' ? [event.name] : []));
    assert.deepEqual(started(await ask(providerWith(), at(server.url, id))), ['terminal', 'read_file']);
    assert.deepEqual(started(await ask(providerWith(), at(server.url, id))), ['terminal']);
  });

const thoughtFrom = (id: ProtocolId, url: string) => ({
  ...thought('Let me see'),
  ...(id === 'openai-chat' && { native: { protocol: id, issuer: new URL(url).host, data: 'reasoning_content' } }),
});

for (const id of IDS) {
  for (const stream of [true, false]) {
    test(`${id}: an answer, ${stream ? 'streamed' : 'whole'}`, async () => {
      await using server = await startWireServer({ replies: [REPLY] });
      const events = await ask(providerWith(), at(server.url, id, { adjust: { ...DEFAULT_ADJUSTMENTS, stream } }));
      assert.deepEqual(events.at(-1), {
        type: 'done',
        message: {
          role: 'assistant',
          // The chat wire gives plain reasoning back to the server it came from, by the field it came in.
          content: [thoughtFrom(id, server.url), said('Hello, naïve 🙂 world'), MODEL.call('call_1', { path: 'x' })],
        },
        usage: { ...REPLY.usage, ...(id === 'anthropic-messages' && { cacheWrite1h: 0 }) },
        finish: 'tool_calls',
      });
      assert.equal(
        server.requests[0]?.text,
        providerWith().encode(at(server.url, id, { adjust: { ...DEFAULT_ADJUSTMENTS, stream } })).body,
      );
    });
  }

  const KINDS: readonly (readonly [Fault, FailureType])[] = [
    [faults.rateLimited(3), 'rate_limited'],
    [faults.billing(), 'billing'],
    [faults.unauthorized(), 'unauthorized'],
    [faults.payloadTooLarge(), 'payload_too_large'],
    [faults.overflow(), 'context_overflow'],
    [faults.serverError(), 'server_error'],
    [faults.overloaded(), 'overloaded'],
    [faults.streamUnsupported(), 'streaming_refused'],
    [faults.malformedFrame(), 'malformed'],
    [faults.errorFrame(), 'overloaded'],
    [faults.cut(60), 'network'],
  ];
  for (const [fault, type] of KINDS) {
    test(`${id}: ${fault.type} arrives as ${type}`, async () => {
      await using server = await startWireServer({ replies: [{ ...REPLY, fault }] });
      failedAs(await ask(providerWith(), at(server.url, id)), { type, ...(fault.type === 'rate_limited' && { retryAfterMs: 3000 }) });
    });
  }

  test(`${id}: a cut at any byte ends in one terminal event`, async () => {
    const small = { connect: 2000, firstByte: 2000, idle: 500 };
    for (let offset = 0; offset < 4000; offset += 97) {
      await using server = await startWireServer({ replies: [{ ...REPLY, fault: faults.cut(offset) }] });
      const end = (await ask(providerWith(small), at(server.url, id))).at(-1);
      const type = end?.type === 'failed' ? end.failure.type : end?.type;
      assert.ok(type === 'network' || type === 'done', `${offset}: ${type}`);
      if (end?.type === 'failed' && 'partial' in end.failure) assert.ok(REPLY.text?.startsWith(end.failure.partial?.text ?? ''));
    }
  });

  test(`${id}: silence at any byte ends by the clock`, async () => {
    for (const [offset, stage] of [
      [300, 'idle'],
      [700, 'idle'],
    ] as const) {
      await using server = await startWireServer({ replies: [{ ...REPLY, fault: faults.stall(offset) }] });
      failedAs(await ask(providerWith({ ...FAST, idle: 60 }), at(server.url, id)), { type: 'timeout', stage });
    }
    await using server = await startWireServer({ replies: [{ fault: faults.stallBeforeHeaders() }, { fault: faults.stall(0) }] });
    for (const _ of [1, 2])
      failedAs(await ask(providerWith({ ...FAST, firstByte: 60 }), at(server.url, id)), { type: 'timeout', stage: 'first_byte' });
  });

  // alone: deadlines of 60 ms.
  test(`${id}: stop reaches a call at once`, async () => {
    await using server = await startWireServer({
      replies: [{ ...REPLY, fault: faults.stall(400) }, { fault: faults.stallBeforeHeaders() }],
    });
    for (const _ of [1, 2]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      failedAs(await ask(providerWith(), at(server.url, id), controller.signal), { type: 'cancelled' });
    }
    failedAs(await ask(providerWith(), at(server.url, id), AbortSignal.abort()), { type: 'cancelled' });
  });
}

test('a key goes to its own host only', async () => {
  await using server = await startWireServer({ replies: [REPLY] });
  const runtime = runtimeOf('openai-chat', { provider: 'acme', baseUrl: `${server.url}/v1`, credential: 'ACME_KEY' });
  const events = await ask(providerWith(), requestOf('openai-chat', { runtime }));
  failedAs(events, { type: 'forbidden' });
  assert.equal(server.requests.length, 0);
  assert.ok(!JSON.stringify(events).includes('top-secret'));

  await ask(providerWith(FAST, [server.url]), requestOf('openai-chat', { runtime }));
  assert.deepEqual([server.requests[0]?.headers['authorization'], server.requests[0]?.headers['x-title']], ['Bearer top-secret', 'hermes']);
});

test('a missing key is named before anything is sent', async () => {
  const runtime = runtimeOf('openai-chat', { provider: 'acme', baseUrl: ACME.baseUrl, credential: 'ACME_KEY_2' });
  const end = (await ask(providerWith(), requestOf('openai-chat', { runtime }))).at(-1);
  assert.ok(end?.type === 'failed' && end.failure.type === 'unauthorized' && end.failure.detail.includes('ACME_KEY_2'));
});

test('anthropic takes its key and version in headers of its own', async () => {
  await using server = await startWireServer({ replies: [REPLY] });
  const runtime = runtimeOf('anthropic-messages', { provider: 'acme', baseUrl: server.url, credential: 'ACME_KEY' });
  await ask(providerWith(FAST, [server.url]), requestOf('anthropic-messages', { runtime }));
  const { headers, path } = server.requests[0] ?? {};
  assert.deepEqual(
    [path, headers?.['x-api-key'], headers?.['anthropic-version'], headers?.['authorization']],
    ['/v1/messages', 'top-secret', '2023-06-01', undefined],
  );
});

test('a success with an empty body is said to be one', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const events = await ask(providerWith(), at(`http://127.0.0.1:${address.port}`, 'openai-chat'));
  failedAs(events, { type: 'malformed', detail: 'The server answered with success and an empty body.' });
  server.closeAllConnections();
  server.close();
});

test('words that came together are told together, also those before trouble', async () => {
  const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`${piece('one ')}${piece('two ')}${piece('three')}data: {broken\n\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const events = await ask(providerWith(), at(`http://127.0.0.1:${address.port}`, 'openai-chat'));
    assert.deepEqual(events[0], { type: 'text_delta', delta: 'one two three' });
    const last = events.at(-1);
    assert.ok(last?.type === 'failed' && last.failure.type === 'malformed');
    assert.deepEqual(last.failure.partial, { text: 'one two three' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
