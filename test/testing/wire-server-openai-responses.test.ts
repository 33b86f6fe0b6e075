import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OpenAI, RateLimitError } from 'openai';
import { faults, startWireServer, type WireServer } from '../../src/testing/wire-server/index.ts';

const asked = { model: 'gpt-test', input: 'Weather?', instructions: 'Be brief.' };

function clientOf(server: WireServer): OpenAI {
  return new OpenAI({ apiKey: 'test', baseURL: `${server.url}/v1`, maxRetries: 0, logLevel: 'off' });
}

/** Both ways to ask, brought to the same shape by the official SDK. */
const ways = {
  whole: (client: OpenAI): Promise<OpenAI.Responses.Response> => client.responses.create(asked),
  streamed: (client: OpenAI): Promise<OpenAI.Responses.Response> => client.responses.stream(asked).finalResponse(),
};

for (const [way, ask] of Object.entries(ways)) {
  describe(`the openai SDK on responses, ${way}`, () => {
    it('reads reasoning, text and usage', async () => {
      const usage = { input: 10, cacheRead: 100, cacheWrite: 5, output: 7, reasoning: 3 };
      const reply = { thinking: 'Look outside first.', signature: 'enc==', text: 'Sunny 🌞 all day long.', chunk: 3, usage };
      await using server = await startWireServer({ replies: [reply] });
      const response = await ask(clientOf(server));
      const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look outside first.' }], encrypted_content: 'enc==' };
      const message = { type: 'message', role: 'assistant', status: 'completed' };
      assert.partialDeepStrictEqual(response.output, [reasoning, message]);
      assert.equal(response.output.length, 2);
      assert.equal(response.output_text, 'Sunny 🌞 all day long.');
      assert.deepEqual([response.status, response.instructions, response.model], ['completed', 'Be brief.', 'gpt-test']);
      assert.deepEqual(response.usage, {
        input_tokens: 115,
        input_tokens_details: { cached_tokens: 100, cache_write_tokens: 5 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 122,
      });
    });

    it('reads several tool calls in parallel', async () => {
      const calls = [
        { id: 'call_a', name: 'weather', arguments: { city: 'Zürich', days: 3 } },
        { name: 'clock', arguments: {} },
      ];
      await using server = await startWireServer({ replies: [{ calls }] });
      const response = await ask(clientOf(server));
      const type = 'function_call';
      assert.partialDeepStrictEqual(response.output, [
        { type, id: 'fc_wire_0_0', call_id: 'call_a', name: 'weather', arguments: '{"city":"Zürich","days":3}', status: 'completed' },
        { type, id: 'fc_wire_0_1', call_id: 'call_0_1', name: 'clock', arguments: '{}', status: 'completed' },
      ]);
    });

    it('is incomplete at the length limit and at the content filter', async () => {
      await using server = await startWireServer({ replies: [{ text: 'Once', fault: faults.length() }, { finish: 'content_filter' }] });
      const cut = await ask(clientOf(server));
      assert.partialDeepStrictEqual(cut, {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output_text: 'Once',
      });
      assert.partialDeepStrictEqual(cut.output, [{ type: 'message', status: 'incomplete' }]);
      const filtered = await ask(clientOf(server));
      assert.partialDeepStrictEqual(filtered, { status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
    });

    it('is given refusals as typed errors', async () => {
      await using server = await startWireServer({ replies: [{ fault: faults.rateLimited(2) }, { fault: faults.overflow() }] });
      await assert.rejects(ask(clientOf(server)), RateLimitError);
      await assert.rejects(ask(clientOf(server)), { status: 400, code: 'context_length_exceeded', param: 'input' });
    });
  });
}

describe('the openai SDK on responses', () => {
  it('sees every event in order, numbered', async () => {
    await using server = await startWireServer({
      replies: [{ thinking: 'a', signature: 's', text: 'b', calls: [{ name: 'clock', arguments: { a: 1 } }], chunk: 4 }],
    });
    const seen: string[] = [];
    for await (const event of await clientOf(server).responses.create({ ...asked, stream: true })) {
      assert.equal(event.sequence_number, seen.length);
      seen.push(event.type.replace('response.', ''));
    }
    assert.deepEqual(seen, everyEvent);
  });

  it('is told in the stream that the response failed', async () => {
    await using server = await startWireServer({
      replies: [{ text: 'Half of this arrives.', fault: faults.errorFrame(faults.overflow()) }],
    });
    const reading = clientOf(server).responses.stream(asked).finalResponse();
    await assert.rejects(reading, { code: 'context_length_exceeded' });
  });
});

const item = (...inside: readonly string[]): readonly string[] => ['output_item.added', ...inside, 'output_item.done'];

const everyEvent = [
  'created',
  'in_progress',
  ...item('reasoning_summary_part.added', 'reasoning_summary_text.delta', 'reasoning_summary_text.done', 'reasoning_summary_part.done'),
  ...item('content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done'),
  ...item('function_call_arguments.delta', 'function_call_arguments.delta', 'function_call_arguments.done'),
  'completed',
];
