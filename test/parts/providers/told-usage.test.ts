import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type JsonObject, type Usage } from '../../../src/contracts/message.ts';
import type { ModelEvent } from '../../../src/contracts/provider.ts';
import type { ProtocolId, Runtime } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { calculatePrice } from '../../../src/parts/providers/prices.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { faults, startWireServer, toEventStream, type Fault, type Reply } from '../../../src/testing/wire-server/index.ts';
import { requestOf, runtimeOf } from './setup.ts';

/** What a server told of the cost of a call is kept, however the call ends. */

async function ask(
  id: ProtocolId,
  given: Fault | Reply,
  stop?: AbortController,
  more: Partial<Runtime> = {},
): Promise<readonly ModelEvent[]> {
  await using server = await startWireServer({ replies: ['type' in given ? { fault: given } : given] });
  using transport = httpSse();
  const provider = createProvider({
    formatOf: createWireFormats(() => undefined),
    transport,
    auth: createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] }),
    deadlinesOf: () => ({ connect: 2_000, firstByte: 2_000, idle: 300 }),
  });
  const request = requestOf(id, { runtime: runtimeOf(id, { baseUrl: `${server.url}/v1`, ...more }) });
  const events: ModelEvent[] = [];
  const signal = stop?.signal ?? new AbortController().signal;
  for await (const event of provider.stream(provider.encode(request), { signal, estimate: 1_000 })) {
    events.push(event);
    if (event.type === 'text_delta') stop?.abort('interrupted');
  }
  return events;
}

const chargedFor = (events: readonly ModelEvent[]) => {
  const end = events.at(-1);
  assert.ok(end !== undefined && 'usage' in end);
  return { type: end.type, usage: end.usage, estimated: end.usageEstimated === true };
};

const frame = (type: string, more: JsonObject): readonly string[] => [
  `event: ${type}`,
  `data: ${JSON.stringify({ type, ...more })}`,
  '',
  '',
];
const START = frame('message_start', {
  message: {
    id: 'm',
    role: 'assistant',
    content: [],
    usage: {
      input_tokens: 12,
      cache_read_input_tokens: 9_000,
      cache_creation_input_tokens: 3_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
      output_tokens: 1,
    },
  },
}).join('\n');
const WORDS = [
  ...frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word '.repeat(60) } }),
]
  .join('\n')
  .replaceAll('\n\n\n', '\n\n');
const TOLD: Usage = { input: 12, output: 101, cacheRead: 9_000, cacheWrite: 3_000, reasoning: 0, cacheWrite1h: 2_000 };

for (const [story, fault, stop] of [
  ['is reset', faults.verbatim(START + WORDS, { ending: 'cut' }), undefined],
  ['goes silent', faults.verbatim(START + WORDS, { ending: 'stall' }), undefined],
  ['is stopped', faults.verbatim(START + WORDS, { ending: 'stall' }), new AbortController()],
] as const)
  test(`a stream that ${story} keeps the prompt its server counted, and only the rest is our own count`, async () => {
    assert.deepEqual(chargedFor(await ask('anthropic-messages', fault, stop)), { type: 'failed', usage: TOLD, estimated: true });
  });

test('how long the server keeps the tokens decides what writing them costs, whatever was asked for', () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };
  const usage = { ...NO_USAGE, cacheWrite: 3_000, cacheWrite1h: 2_000 };
  assert.equal(calculatePrice(prices, usage, '5m'), (1_000 * 3.75 + 2_000 * 6) / 1e6);
  assert.equal(calculatePrice(prices, usage, '1h'), (1_000 * 3.75 + 2_000 * 6) / 1e6);
});

const delta = (text: string): JsonObject => ({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
const FINISH: JsonObject = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const chat = (...frames: readonly unknown[]): Fault => faults.verbatim(toEventStream(frames));

test('a count that came after the last word is exact, though the connection is reset behind it', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
  const body = toEventStream([delta('many words of one token each, perhaps'), { choices: [], usage }]);
  const charged = chargedFor(await ask('openai-chat', faults.verbatim(body, { ending: 'cut' })));
  assert.deepEqual(charged, { type: 'failed', usage: { ...NO_USAGE, input: 100, output: 7 }, estimated: false });
});

const ENDED: readonly { readonly story: string; readonly id?: ProtocolId; readonly fault: Fault; readonly usage: Usage }[] = [
  {
    story: 'zeros in the last chunk do not erase earlier counts',
    fault: chat(
      { ...delta('Hi'), usage: { prompt_tokens: 50, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 20 } } },
      { ...FINISH, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
      '[DONE]',
    ),
    usage: { input: 30, output: 3, cacheRead: 20, cacheWrite: 0, reasoning: 0 },
  },
  {
    story: 'zeros at the end of a message do not erase its beginning',
    id: 'anthropic-messages',
    fault: faults.verbatim(
      START +
        frame('message_delta', {
          delta: { stop_reason: 'end_turn' },
          usage: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 9 },
        }).join('\n') +
        frame('message_stop', {}).join('\n'),
    ),
    usage: { ...TOLD, output: 9 },
  },
  {
    story: 'reasoning that only the sum includes is output (Gemini)',
    fault: chat(delta('Hi'), { ...FINISH, usage: { prompt_tokens: 21, completion_tokens: 10, total_tokens: 531 } }, '[DONE]'),
    usage: { ...NO_USAGE, input: 21, output: 510, reasoning: 500 },
  },
  {
    story: 'reasoning that is named beside the answer is output (xAI)',
    fault: chat(
      delta('Hi'),
      {
        ...FINISH,
        usage: {
          prompt_tokens: 32,
          completion_tokens: 9,
          total_tokens: 135,
          prompt_tokens_details: { cached_tokens: 6 },
          completion_tokens_details: { reasoning_tokens: 94 },
          cost_in_usd_ticks: 25_000_000,
        },
      },
      '[DONE]',
    ),
    usage: { input: 26, output: 103, cacheRead: 6, cacheWrite: 0, reasoning: 94, cost: 0.0025 },
  },
  {
    story: 'cached tokens that a gateway leaves out of the prompt are no output',
    fault: chat(
      delta('Hi'),
      { ...FINISH, usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 915, cache_read_input_tokens: 900 } },
      '[DONE]',
    ),
    usage: { input: 10, output: 5, cacheRead: 900, cacheWrite: 0, reasoning: 0 },
  },
  {
    story: 'what OpenRouter says it charged comes along, with the bill of a key of the owner',
    fault: chat(
      delta('Hi'),
      {
        ...FINISH,
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          cost: 0.001,
          is_byok: true,
          cost_details: { upstream_inference_cost: 0.02 },
        },
      },
      '[DONE]',
    ),
    usage: { ...NO_USAGE, input: 10, output: 5, cost: 0.021 },
  },
];
for (const { story, id = 'openai-chat', fault, usage } of ENDED)
  test(story, async () => {
    assert.deepEqual(chargedFor(await ask(id, fault)), { type: 'done', usage, estimated: false });
  });

test('a response that failed has cost what its last frame says', async () => {
  const usage = { input_tokens: 400, output_tokens: 60, output_tokens_details: { reasoning_tokens: 60 } };
  const failed = { type: 'response.failed', response: { error: { code: 'server_error', message: 'It broke.' }, usage } };
  const charged = chargedFor(await ask('openai-responses', faults.verbatim(toEventStream([failed]))));
  assert.deepEqual(charged, { type: 'failed', usage: { ...NO_USAGE, input: 400, output: 60, reasoning: 60 }, estimated: false });
});

const prose = (words: number): string => Array.from({ length: words }, (_, n) => `word${n % 10} of`).join(' ');

test('a server that writes on past the limit it was given is cut off there, and the person is told', async () => {
  const runtime = { limits: { window: 100_000, maxOutput: 500 } };
  const events = await ask(
    'openai-chat',
    { text: Array.from({ length: 200 }, (_, n) => `${n} ${prose(30)}`).join(' '), chunk: 200, paceMs: 1 },
    undefined,
    runtime,
  );
  const end = events.at(-1);
  assert.ok(end?.type === 'failed' && end.failure.type === 'truncated', JSON.stringify(end));
  assert.match(end.failure.detail, /past the 500 tokens/);
  const letters = end.failure.partial.text.length;
  assert.ok(letters > 500 * 4 && letters < 500 * 7, `${letters} letters`);
  assert.ok((end.usage?.output ?? 0) >= 500);
});

test('a server that keeps to its limit is never cut off: not in prose, not in tables of dashes, not in Chinese', async () => {
  const runtime = { limits: { window: 100_000, maxOutput: 500 } };
  for (const text of [prose(200), '-'.repeat(4_000), '时间过得很快'.repeat(50).slice(0, 300), 'x'.repeat(9).concat(' ').repeat(40)]) {
    const events = await ask('openai-chat', chat(delta(text), FINISH, '[DONE]'), undefined, runtime);
    assert.equal(events.at(-1)?.type, 'done', text.slice(0, 20));
  }
});
