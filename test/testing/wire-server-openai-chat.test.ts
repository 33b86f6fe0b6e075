import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { APIError, AuthenticationError, BadRequestError, InternalServerError, OpenAI, RateLimitError } from 'openai';
import { faults, startWireServer, type ProviderFault, type Reply, type WireServer } from '../../src/testing/wire-server/index.ts';

const messages = [{ role: 'user', content: 'Weather?' }] as const;
const asked = { model: 'gpt-test', messages: [...messages] };

function clientOf(server: WireServer): OpenAI {
  return new OpenAI({ apiKey: 'test', baseURL: `${server.url}/v1`, maxRetries: 0, logLevel: 'off' });
}

/** Both ways to ask, brought to the same shape by the official SDK. */
const ways = {
  whole: (client: OpenAI) => client.chat.completions.create(asked),
  streamed: (client: OpenAI) => client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } }).finalChatCompletion(),
};

for (const [way, ask] of Object.entries(ways)) {
  describe(`the openai SDK on chat completions, ${way}`, () => {
    it('reads text and its usage', async () => {
      const usage = { input: 10, cacheRead: 100, cacheWrite: 5, output: 7, reasoning: 3 };
      await using server = await startWireServer({ replies: [{ text: 'Sunny, with a chance of 🌧️ later on.', usage, chunk: 3 }] });
      const { choices, usage: told, model } = await ask(clientOf(server));
      assert.equal(choices[0]?.message.content, 'Sunny, with a chance of 🌧️ later on.');
      assert.equal(choices[0]?.finish_reason, 'stop');
      assert.equal(model, 'gpt-test');
      assert.partialDeepStrictEqual(told, { prompt_tokens: 115, completion_tokens: 7, total_tokens: 122 });
      assert.partialDeepStrictEqual(told?.prompt_tokens_details, { cached_tokens: 100, cache_write_tokens: 5 });
      assert.equal(told?.completion_tokens_details?.reasoning_tokens, 3);
    });

    it('reads several tool calls in parallel', async () => {
      const reply: Reply = {
        calls: [
          { id: 'call_a', name: 'weather', arguments: { city: 'Zürich', days: 3 } },
          { name: 'clock', arguments: {} },
        ],
      };
      await using server = await startWireServer({ replies: [reply] });
      const { choices } = await ask(clientOf(server));
      const calls = choices[0]?.message.tool_calls?.map((call) => [call.id, call.type, call.type === 'function' && call.function]);
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
      assert.equal(choices[0]?.message.content, null);
      assert.partialDeepStrictEqual(calls, [
        ['call_a', 'function', { name: 'weather', arguments: '{"city":"Zürich","days":3}' }],
        ['call_0_1', 'function', { name: 'clock', arguments: '{}' }],
      ]);
    });

    it('is given every refusal as the typed error of its status', async () => {
      await using server = await startWireServer();
      for (const { problem, type, status, code } of refusals) {
        server.script({ fault: problem });
        const error = await failureOf(ask(clientOf(server)));
        assert.ok(error instanceof type, `${problem.type} became ${error.constructor.name}`);
        assert.deepEqual([error.status, error.code], [status, code], problem.type);
      }
    });
  });
}

describe('the openai SDK on chat completions', () => {
  it('stops at the length limit', async () => {
    await using server = await startWireServer({ replies: [{ text: 'Once upon', fault: faults.length() }] });
    const { choices } = await clientOf(server).chat.completions.create(asked);
    assert.deepEqual([choices[0]?.finish_reason, choices[0]?.message.content], ['length', 'Once upon']);
  });

  it('streams thinking before text, delta by delta', async () => {
    await using server = await startWireServer({ replies: [{ thinking: 'abcd', text: 'efgh', chunk: 2 }] });
    const deltas = [];
    for await (const chunk of await clientOf(server).chat.completions.create({ ...asked, stream: true }))
      deltas.push(chunk.choices[0]?.delta);
    const opening = { role: 'assistant', content: '', refusal: null };
    assert.deepEqual(deltas, [opening, { reasoning_content: 'ab' }, { reasoning_content: 'cd' }, { content: 'ef' }, { content: 'gh' }, {}]);
  });

  it('has thinking beside the text when nothing is streamed', async () => {
    await using server = await startWireServer({ replies: [{ thinking: 'Hm.', text: 'Yes.' }] });
    const { choices } = await clientOf(server).chat.completions.create(asked);
    assert.deepEqual(choices[0]?.message, { role: 'assistant', content: 'Yes.', refusal: null, reasoning_content: 'Hm.' });
  });

  it('turns an error frame into an API error after the first half', async () => {
    await using server = await startWireServer({ replies: [{ text: 'Half of this arrives.', chunk: 1, fault: faults.errorFrame() }] });
    const stream = await clientOf(server).chat.completions.create({ ...asked, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    assert.equal((await failureOf(reading)).code, 'server_is_overloaded');
    assert.equal(text, 'Half of th');
  });

  it('lists the models', async () => {
    await using server = await startWireServer({ models: ['one', 'two'] });
    const { data } = await clientOf(server).models.list();
    assert.deepEqual(
      data.map((model) => model.id),
      ['one', 'two'],
    );
  });
});

const refusals: readonly { problem: ProviderFault; type: new (...given: never) => Error; status: number; code: string | null }[] = [
  { problem: faults.rateLimited(2), type: RateLimitError, status: 429, code: 'rate_limit_exceeded' },
  { problem: faults.billing(), type: APIError, status: 402, code: 'insufficient_quota' },
  { problem: faults.unauthorized(), type: AuthenticationError, status: 401, code: 'invalid_api_key' },
  { problem: faults.payloadTooLarge(), type: APIError, status: 413, code: null },
  { problem: faults.overflow(), type: BadRequestError, status: 400, code: 'context_length_exceeded' },
  { problem: faults.serverError(), type: InternalServerError, status: 500, code: null },
  { problem: faults.overloaded(), type: InternalServerError, status: 503, code: 'server_is_overloaded' },
];

async function failureOf(attempt: Promise<unknown>): Promise<APIError> {
  const error: unknown = await attempt.then(
    () => assert.fail('it went well'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof APIError, String(error));
  return error;
}
