import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Anthropic,
  APIError,
  AuthenticationError,
  BadRequestError,
  ContentTooLargeError,
  InternalServerError,
  OverloadedError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { faults, startWireServer, type ProviderFault, type WireServer } from '../../src/testing/wire-server/index.ts';

const asked = { model: 'claude-test', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'Weather?' }] };

function clientOf(server: WireServer): Anthropic {
  return new Anthropic({ apiKey: 'test', baseURL: server.url, maxRetries: 0, logLevel: 'off' });
}

/** Both ways to ask, brought to the same shape by the official SDK. */
const ways = {
  whole: (client: Anthropic) => client.messages.create(asked),
  streamed: (client: Anthropic) => client.messages.stream(asked).finalMessage(),
};

for (const [way, ask] of Object.entries(ways)) {
  describe(`the anthropic SDK on messages, ${way}`, () => {
    it('reads thinking with its signature, then text, and the usage', async () => {
      const usage = { input: 10, cacheRead: 100, cacheWrite: 5, output: 7, reasoning: 3 };
      const reply = { thinking: 'Look outside first.', signature: 'sig==', text: 'Sunny 🌞 all day long.', chunk: 3, usage };
      await using server = await startWireServer({ replies: [reply] });
      const message = await ask(clientOf(server));
      assert.deepEqual(message.content, [
        { type: 'thinking', thinking: 'Look outside first.', signature: 'sig==' },
        { type: 'text', text: 'Sunny 🌞 all day long.', citations: null },
      ]);
      assert.deepEqual([message.stop_reason, message.model, message.role], ['end_turn', 'claude-test', 'assistant']);
      assert.partialDeepStrictEqual(message.usage, {
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 5,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
      });
    });

    it('reads text and several tool calls in parallel', async () => {
      const calls = [
        { id: 'toolu_a', name: 'weather', arguments: { city: 'Zürich', days: 3 } },
        { name: 'clock', arguments: {} },
      ];
      await using server = await startWireServer({ replies: [{ text: 'Let me see.', calls }] });
      const message = await ask(clientOf(server));
      const caller = { type: 'direct' };
      assert.equal(message.stop_reason, 'tool_use');
      assert.deepEqual(message.content, [
        { type: 'text', text: 'Let me see.', citations: null },
        { type: 'tool_use', id: 'toolu_a', name: 'weather', input: { city: 'Zürich', days: 3 }, caller },
        { type: 'tool_use', id: 'toolu_0_1', name: 'clock', input: {}, caller },
      ]);
    });

    it('stops at the length limit and at a refusal', async () => {
      await using server = await startWireServer({ replies: [{ text: 'Once', fault: faults.length() }, { finish: 'content_filter' }] });
      assert.equal((await ask(clientOf(server))).stop_reason, 'max_tokens');
      assert.partialDeepStrictEqual(await ask(clientOf(server)), {
        stop_reason: 'refusal',
        stop_details: { type: 'refusal' },
        content: [],
      });
    });

    it('is given every refusal as the typed error of its status', async () => {
      await using server = await startWireServer();
      for (const { problem, type, status, kind } of refusals) {
        server.script({ fault: problem });
        const error = await failureOf(ask(clientOf(server)));
        assert.ok(error instanceof type, `${problem.type} became ${error.constructor.name}`);
        assert.deepEqual([error.status, error.type], [status, kind], problem.type);
      }
    });
  });
}

describe('the anthropic SDK on messages', () => {
  it('sees every event in order', async () => {
    await using server = await startWireServer({ replies: [{ thinking: 'ab', signature: 's', text: 'cd', chunk: 1 }] });
    const seen = [];
    for await (const event of await clientOf(server).messages.create({ ...asked, stream: true })) {
      seen.push(event.type === 'content_block_delta' ? event.delta.type : event.type);
    }
    const opening = ['message_start', 'content_block_start', 'thinking_delta', 'thinking_delta', 'signature_delta', 'content_block_stop'];
    const rest = ['content_block_start', 'text_delta', 'text_delta', 'content_block_stop', 'message_delta', 'message_stop'];
    assert.deepEqual(seen, [...opening, ...rest]);
  });

  it('turns an error frame into an API error', async () => {
    await using server = await startWireServer({ replies: [{ text: 'Half of this arrives.', fault: faults.errorFrame() }] });
    const error = await failureOf(clientOf(server).messages.stream(asked).finalMessage());
    assert.equal(error.type, 'overloaded_error');
  });

  it('carries the request id in header and body', async () => {
    await using server = await startWireServer({ replies: [{ fault: faults.overflow(7, 5) }] });
    const error = await failureOf(clientOf(server).messages.create(asked));
    const told = { type: 'invalid_request_error', message: 'prompt is too long: 7 tokens > 5 maximum' };
    assert.deepEqual(error.error, { type: 'error', error: told, request_id: error.requestID });
  });

  it('lists the models', async () => {
    await using server = await startWireServer({ models: ['one', 'two'] });
    const page = await clientOf(server).models.list();
    assert.deepEqual(
      page.data.map((model) => [model.id, model.type]),
      [
        ['one', 'model'],
        ['two', 'model'],
      ],
    );
    assert.equal(page.hasNextPage(), false);
  });
});

const refusals: readonly { problem: ProviderFault; type: new (...given: never) => Error; status: number; kind: string }[] = [
  { problem: faults.rateLimited(2), type: RateLimitError, status: 429, kind: 'rate_limit_error' },
  { problem: faults.billing(), type: APIError, status: 402, kind: 'billing_error' },
  { problem: faults.unauthorized(), type: AuthenticationError, status: 401, kind: 'authentication_error' },
  { problem: faults.payloadTooLarge(), type: ContentTooLargeError, status: 413, kind: 'request_too_large' },
  { problem: faults.overflow(), type: BadRequestError, status: 400, kind: 'invalid_request_error' },
  { problem: faults.serverError(), type: InternalServerError, status: 500, kind: 'api_error' },
  { problem: faults.overloaded(), type: OverloadedError, status: 529, kind: 'overloaded_error' },
];

async function failureOf(attempt: Promise<unknown>): Promise<APIError> {
  const error: unknown = await attempt.then(
    () => assert.fail('it went well'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof APIError, String(error));
  return error;
}
