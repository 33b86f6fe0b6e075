import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath } from '../../../src/base/json.ts';
import type { AssistantMessage, Json, ToolMessage } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { createProviderCatalog, BUILT_IN } from '../../../src/parts/providers/catalog/all.ts';
import { parseNamedProfiles } from '../../../src/parts/providers/catalog/named.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { faults, startWireServer, toEventStream, type Reply } from '../../../src/testing/wire-server/index.ts';
import { requestOf, runtimeOf, user, view } from './setup.ts';

/** Reasoning between tool calls goes back to the server that sent it, in the field it came in. */

const CALL = { id: 'c1', name: 'read_file', arguments: { path: 'a' } };
const THOUGHTS: Reply = { thinking: 'First the file.', calls: [CALL] };

/** Two steps of one turn with a server: what the second request says of the first answer. */
async function takeTwoSteps(
  provider: string,
  first: Reply,
  more: { readonly entry?: object; readonly second?: Partial<Runtime>; readonly without?: readonly string[] } = {},
): Promise<Json | undefined> {
  await using server = await startWireServer({ replies: [first, { text: 'Done.' }] });
  using transport = httpSse({});
  const named = more.entry === undefined ? [] : parseNamedProfiles({ [provider]: { base_url: `${server.url}/v1`, ...more.entry } });
  const { profileOf } = createProviderCatalog(named, BUILT_IN.profiles);
  const client = createProvider({
    formatOf: createWireFormats(profileOf),
    transport,
    auth: createApiKeyAuth({ profileOf: () => undefined, secret: () => undefined, owned: () => [] }),
    deadlinesOf: () => ({ connect: 2_000, firstByte: 2_000, idle: 2_000 }),
  });
  const runtime = runtimeOf('openai-chat', { provider, baseUrl: `${server.url}/v1` });
  const ask = async (request: ModelRequest): Promise<AssistantMessage> => {
    for await (const event of client.stream(client.encode(request), { signal: new AbortController().signal, estimate: 10 }))
      if (event.type === 'done') return event.message;
    throw new Error('no answer');
  };
  const request = requestOf('openai-chat', { runtime });
  const answer = await ask(request);
  const result: ToolMessage = {
    role: 'tool',
    failed: false,
    callId: 'c1',
    name: 'read_file',
    content: [{ type: 'text', text: 'x', trust: 'tool' }],
  };
  const adjust = { ...request.adjust, without: more.without ?? [] };
  const next = { ...request, adjust, runtime: { ...runtime, ...more.second }, messages: [user('Hi'), view(answer), view(result)] };
  await ask(next);
  return readPath(server.requests[1]?.body, 'messages', 2);
}

const fieldsOf = (message: Json | undefined) =>
  Object.fromEntries(['reasoning', 'reasoning_content'].flatMap((name) => [[name, readPath(message, name)]]));
const plainReasoning: Reply = {
  fault: faults.verbatim(
    toEventStream([
      { choices: [{ index: 0, delta: { reasoning: 'First ' } }] },
      { choices: [{ index: 0, delta: { reasoning: 'the file.' } }] },
      {
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'read_file', arguments: '{"path":"a"}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      },
      '[DONE]',
    ]),
  ),
};
const NONE = { reasoning: undefined, reasoning_content: undefined };
const CONTENT = { ...NONE, reasoning_content: 'First the file.' };

for (const provider of ['custom', 'vllm', 'ollama', 'openrouter'])
  test(`${provider} gets back what it sent, in its own field`, async () => {
    assert.deepEqual(fieldsOf(await takeTwoSteps(provider, THOUGHTS)), CONTENT);
    assert.deepEqual(fieldsOf(await takeTwoSteps(provider, plainReasoning)), { ...NONE, reasoning: 'First the file.' });
  });

test('a server of the settings gets it as well, unless its entry says no; a vendor that is strict only when its entry says yes', async () => {
  assert.deepEqual(fieldsOf(await takeTwoSteps('mine', THOUGHTS, { entry: {} })), CONTENT);
  assert.deepEqual(fieldsOf(await takeTwoSteps('mine', THOUGHTS, { entry: { send_reasoning: false } })), NONE);
  assert.deepEqual(fieldsOf(await takeTwoSteps('fireworks', THOUGHTS)), NONE);
  assert.deepEqual(fieldsOf(await takeTwoSteps('fireworks', THOUGHTS, { entry: { send_reasoning: true } })), CONTENT);
  assert.deepEqual(fieldsOf(await takeTwoSteps('deepseek', THOUGHTS, { entry: { send_reasoning: false } })), NONE);
  assert.throws(
    () => parseNamedProfiles({ mine: { base_url: 'http://x', send_reasoning: 'yes' } }),
    /send_reasoning must be true or false/,
  );
});

test('nothing goes to another server, to one that refused the field, or beside an answer without calls', async () => {
  await using other = await startWireServer({ replies: [{ text: 'ok' }] });
  assert.deepEqual(fieldsOf(await takeTwoSteps('custom', THOUGHTS, { without: ['reasoning_content'] })), NONE);
  assert.deepEqual(fieldsOf(await takeTwoSteps('custom', { thinking: 'Hm.', text: 'Hello' })), NONE);
  const format = createWireFormats(() => undefined);
  const runtime = runtimeOf('openai-chat', { baseUrl: `${other.url}/v1` });
  const native = { protocol: 'openai-chat', issuer: 'elsewhere.example', data: 'reasoning_content' };
  const message: AssistantMessage = {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'Hm.', trust: 'model', native },
      { type: 'tool_call', id: 'c1', name: 'read_file', input: {}, trust: 'model' },
    ],
  };
  const { body } = format(runtime).encode(requestOf('openai-chat', { runtime, messages: [user('Hi'), view(message)] }));
  assert.ok(!body.includes('Hm.'));
});

test('the first call of another model bears the documented signature for Gemini 3, its own calls their own', () => {
  const format = createWireFormats(() => undefined);
  const call = (id: string, data?: Json) => ({
    type: 'tool_call' as const,
    id,
    name: 'read_file',
    input: {},
    trust: 'model' as const,
    ...(data !== undefined && { native: { protocol: 'openai-chat', issuer: 'models.example', data } }),
  });
  const callsTo = (model: string, content: AssistantMessage['content']): unknown => {
    const runtime = runtimeOf('openai-chat', { provider: 'gemini', model });
    const request = requestOf('openai-chat', { runtime, messages: [user('Hi'), view({ role: 'assistant', content })] });
    const calls = readPath(JSON.parse(format(runtime).encode(request).body) as Json, 'messages', 2, 'tool_calls');
    return Array.isArray(calls) ? calls.map((each) => readPath(each, 'extra_content', 'google', 'thought_signature')) : calls;
  };
  const own = { google: { thought_signature: 'abc' } };
  assert.deepEqual(callsTo('gemini-3-pro', [call('a'), call('b')]), ['skip_thought_signature_validator', undefined]);
  assert.deepEqual(callsTo('gemini-3-pro', [call('a', own), call('b')]), ['abc', undefined]);
  assert.deepEqual(callsTo('gemini-2.5-pro', [call('a'), call('b')]), [undefined, undefined]);
});
