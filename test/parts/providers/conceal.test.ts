import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelEvent } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { faults, type Reply, startWireServer } from '../../../src/testing/wire-server/index.ts';
import { deltas, requestOf, runtimeOf } from './setup.ts';

/** Of no shape that a pattern knows, with characters an address writes otherwise. */
const KEY = 'Zq+plain/key=of.mine';
const WORDS = `Bad key: ${KEY}`;
const IDS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;

async function ask(id: (typeof IDS)[number], reply: Reply, stream = true): Promise<ModelEvent[]> {
  await using server = await startWireServer({ replies: [reply] });
  const provider = createProvider({
    formatOf: createWireFormats(() => undefined),
    transport: httpSse(),
    auth: createApiKeyAuth({ profileOf: () => undefined, secret: () => `${KEY}\n`, owned: () => [server.url] }),
    deadlinesOf: () => ({ connect: 2000, firstByte: 2000, idle: 2000 }),
  });
  const runtime = runtimeOf(id, { provider: 'acme', baseUrl: `${server.url}/v1`, credential: 'ACME_KEY' });
  const encoded = provider.encode(requestOf(id, { runtime, adjust: { ...DEFAULT_ADJUSTMENTS, stream } }));
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(encoded, { signal: new AbortController().signal, estimate: 1000 })) events.push(event);
  assert.ok(JSON.stringify(server.requests[0]?.headers).includes(KEY), 'the key was sent');
  return events;
}

const ECHOES: readonly (readonly [where: string, reply: Reply])[] = [
  ['a refusal', { fault: faults.status(401, { message: WORDS }) }],
  ['a page', { fault: faults.status(500, { body: `<html>${WORDS}</html>` }) }],
  ['a header', { fault: faults.status(429, { message: 'no', headers: { 'retry-after': KEY, 'x-amzn-errortype': `${KEY}:` } }) }],
  ['an address', { fault: faults.status(403, { message: `see https://h.example/?key=${encodeURIComponent(KEY)}` }) }],
  ['a redirect', { fault: faults.status(307, { headers: { location: `https://h.example/${encodeURIComponent(KEY)}` } }) }],
  ['the place where a long refusal is cut', { fault: faults.status(401, { message: `${'x '.repeat(238)}${WORDS} ${'y '.repeat(50)}` }) }],
  ['a frame', { text: 'Hello world', fault: faults.errorFrame({ type: 'status', status: 401, message: WORDS }) }],
  [
    'the place where a long frame is cut',
    { text: 'Hello', fault: faults.errorFrame({ type: 'status', status: 401, message: `${'x '.repeat(242)}${WORDS} ${'y '.repeat(50)}` }) },
  ],
  ['a success that is none', { fault: faults.status(200, { body: { error: { message: WORDS, code: 401 } } }) }],
  [
    'a frame that is no JSON',
    { fault: faults.status(200, { body: `data: ${WORDS}\n\n`, headers: { 'content-type': 'text/event-stream' } }) },
  ],
];
for (const id of IDS) {
  for (const [where, reply] of ECHOES) {
    test(`${id}: a key repeated in ${where} is not passed on`, async () => {
      const end = (await ask(id, reply)).at(-1);
      const told = end?.type === 'failed' ? end.failure.detail : assert.fail('no failure');
      assert.ok(![KEY, encodeURIComponent(KEY), KEY.slice(0, 6), KEY.slice(-6)].some((part) => told.includes(part)), told);
    });
  }

  test(`${id}: the model’s own words are left as they are`, async () => {
    for (const stream of [true, false]) {
      const events = await ask(id, { text: `Your key is ${KEY}.`, chunk: 100 }, stream);
      assert.equal(events.at(-1)?.type, 'done');
      if (stream) assert.equal(deltas(events, 'text_delta'), `Your key is ${KEY}.`);
      assert.ok(JSON.stringify(events.at(-1)).includes(KEY));
    }
  });
}
