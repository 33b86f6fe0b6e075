import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { Json } from '../../../../src/base/json-types.ts';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { openApiStage, PHONE, wordsOf, type ApiStage } from './stage.ts';

const user = (content: Json) => ({ role: 'user', content });
const assistant = (content: Json) => ({ role: 'assistant', content });
const CHAT = '/v1/chat/completions';

/** What the model was sent, as roles and words. */
const seenBy = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).map(({ message }) => `${message.role}: ${joinTextBlocks(message)}`);
/** Numbers its answers, and looks something up first when asked to. */
const COUNTING: Script = ({ messages }, index) => {
  const last = messages.at(-1)?.message;
  if (last !== undefined && last.role === 'user' && /look/.test(joinTextBlocks(last)))
    return { text: 'Looking.', calls: [{ id: 'c1', name: 'todo', input: {} }] };
  return { text: `Answer ${index + 1}.`, chunk: 4, usage: { input: 10, output: 3, cacheRead: 2 } };
};
const say = async (stage: ApiStage, ...messages: readonly Json[]) => {
  const { status, body, headers } = await stage.ask(CHAT, { body: { model: 'any', messages } });
  assert.equal(status, 200, JSON.stringify(body));
  return { text: readPath(body, 'choices', 0, 'message', 'content'), session: headers.get('x-hermes-session-id'), body };
};

test('an answer comes whole or in pieces, with what it cost, and tools are shown on the way', async () => {
  await using stage = await openApiStage({ script: COUNTING });
  const { body } = await say(stage, user('hello'));
  assert.deepEqual(
    { ...(body as object), id: '', created: 0 },
    {
      id: '',
      object: 'chat.completion',
      created: 0,
      model: 'hermes-agent',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Answer 1.', refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 3,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
  );
  assert.match(readStringAt(body, 'id') ?? '', /^chatcmpl-[0-9a-f]{29}$/);
  const { events, headers } = await stage.stream(CHAT, {
    body: { messages: [user('look it up')], stream: true, stream_options: { include_usage: true } },
  });
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(wordsOf(events), 'Looking.\n\nAnswer 3.');
  assert.equal(events.at(-1)?.data, '[DONE]');
  const chunks = events.slice(0, -1).map(({ event, data }) => ({ event, ...JSON.parse(data) }));
  assert.deepEqual(
    chunks
      .filter(({ event }) => event !== undefined)
      .map(({ event, tool, label, toolCallId, status, choices }) => [event, tool, label, toolCallId, status, choices[0].delta]),
    [
      ['hermes.tool.progress', 'todo', 'Tasks', 'c1', 'running', {}],
      ['hermes.tool.progress', 'todo', 'todo', 'c1', 'completed', {}],
    ],
  );
  assert.deepEqual(
    chunks.slice(-2).map(({ choices, usage }) => [choices[0]?.finish_reason, usage.total_tokens]),
    [
      ['stop', 15],
      [undefined, 15],
    ],
  );
});

test('a conversation that its client sends as a whole goes on in its session, in a copy, or in a new one', async () => {
  await using stage = await openApiStage({ script: COUNTING });
  const first = await say(stage, user('one'));
  const second = await say(stage, user('one'), assistant('Answer 1.'), user('two'));
  assert.deepEqual([second.session, second.text], [first.session, 'Answer 2.']);
  // The same question once more: what came after it is left out.
  const again = await say(stage, user('one'), assistant('Answer 1.\n'), user('two'));
  assert.notEqual(again.session, first.session);
  assert.deepEqual(seenBy(stage.model.requests[2]), ['user: one', 'assistant: Answer 1.', 'user: two']);
  const copy = await stage.ask(`/api/sessions/${again.session}`);
  assert.equal(readPath(copy.body, 'parent_id'), first.session);
  // Words that were never said here.
  const other = await say(stage, user('one'), assistant('Something else.'), user('two'));
  assert.deepEqual(seenBy(stage.model.requests[3]), ['user: one', 'assistant: Something else.', 'user: two']);
  const entries = await stage.host.store.entries(other.session ?? '');
  const trusts = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message.content.map(({ trust }) => trust).join()] : []));
  assert.deepEqual(trusts, ['owner', 'foreign', 'owner', 'model']);
  // Another key, and other instructions, are another conversation.
  const { headers } = await stage.ask(CHAT, { key: PHONE.key, body: { messages: [user('one'), assistant('Answer 1.'), user('two')] } });
  const told = await say(stage, { role: 'system', content: 'Be brief.' }, user('one'), assistant('Answer 1.'), user('two'));
  const sessions = [first, again, other, told].map(({ session }) => session);
  assert.equal(new Set([...sessions, headers.get('x-hermes-session-id')]).size, 5);
  assert.match(JSON.stringify(stage.model.requests[5]?.system), /Be brief\./);
});

test('what streamed with tools in between is known again, as a whole and as it was shown', async () => {
  await using stage = await openApiStage({ script: COUNTING });
  const shown = await stage.stream(CHAT, { body: { messages: [user('look')], stream: true } });
  const session = shown.headers.get('x-hermes-session-id');
  const next = await say(stage, user('look'), assistant(wordsOf(shown.events)), user('and?'));
  assert.equal(next.session, session);
  const branch = await say(stage, user('look'), assistant('Answer 2.'), user('or?'));
  assert.equal(readPath((await stage.ask(`/api/sessions/${branch.session}`)).body, 'parent_id'), session);
});

test('a session that is named is gone on with, whatever the client sends along', async () => {
  await using stage = await openApiStage({ script: COUNTING });
  const first = await say(stage, user('one'));
  const headers = { 'x-hermes-session-id': first.session ?? '' };
  const messages = [{ role: 'system', content: 'In French.' }, user('never said'), assistant('nor this'), user('two')];
  const next = await stage.ask(CHAT, { headers, body: { messages } });
  assert.equal(next.headers.get('x-hermes-session-id'), first.session);
  const [, , asked] = stage.model.requests[1]?.messages ?? [];
  assert.deepEqual(seenBy(stage.model.requests[1]), ['user: one', 'assistant: Answer 1.', 'user: two']);
  assert.match(JSON.stringify(asked?.wireOnly), /In French\./);
  for (const [key, name] of [
    [PHONE.key, first.session],
    [undefined, '20200101_000000_abcdef'],
    [undefined, 'hello'],
  ] as const) {
    const refused = await stage.ask(CHAT, {
      headers: { 'x-hermes-session-id': name ?? '' },
      body: { messages },
      ...(key !== undefined && { key }),
    });
    assert.deepEqual([refused.status, readPath(refused.body, 'error', 'code')], [404, 'not_found']);
  }
  assert.equal(stage.model.requests.length, 2);
});

test('pictures come along, and what others wrote does not pass for the words of the key', async () => {
  await using stage = await openApiStage({ script: COUNTING });
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  await say(
    stage,
    assistant('Hi, how can I help?'),
    user('first'),
    user('second'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'weather', arguments: '{"at":"Rome"}' } }],
    },
    { role: 'tool', tool_call_id: 'x', content: 'sunny' },
    user([
      { type: 'text', text: 'and this?' },
      { type: 'image_url', image_url: { url } },
    ]),
  );
  const [request] = stage.model.requests;
  assert.deepEqual(
    request?.messages.map(({ message }) => [
      message.role,
      message.content.map((block) => (block.type === 'text' ? `${block.trust}: ${block.text}` : `${block.trust}: ${block.type}`)),
    ]),
    [
      ['user', ['foreign: Hi, how can I help?', 'owner: first', 'owner: second']],
      ['assistant', ['foreign: [called weather: {"at":"Rome"}]']],
      ['user', ['foreign: sunny', 'owner: and this?', 'foreign: image']],
    ],
  );
});

test('words that a model takes back are told as void, and a failure that says nothing is an error', async () => {
  const script: Script = (_request, index) =>
    index === 0
      ? { text: 'Hel', fails: { type: 'overloaded', detail: 'secret-host said no', retryAfterMs: 1 } }
      : index === 1
        ? { text: 'Hello.' }
        : { fails: { type: 'unauthorized', detail: 'key sk-abc of secret-host is wrong' } };
  await using stage = await openApiStage({ script });
  const { events } = await stage.stream(CHAT, { body: { messages: [user('hi')], stream: true } });
  assert.deepEqual(
    [wordsOf(events), events.filter(({ event }) => event !== undefined).map(({ event }) => event)],
    ['Hel\n\nHello.', ['hermes.message.discarded']],
  );
  const failed = await stage.ask(CHAT, { body: { messages: [user('hi')] } });
  assert.deepEqual([failed.status, readPath(failed.body, 'error', 'code')], [502, 'model_unavailable']);
  const streamed = await stage.stream(CHAT, { body: { messages: [user('hi')], stream: true } });
  const [, error, done] = streamed.events;
  assert.deepEqual([JSON.parse(error?.data ?? '').error.code, done?.data], ['model_unavailable', '[DONE]']);
  assert.doesNotMatch(`${JSON.stringify(failed.body)}${streamed.text}`, /secret|sk-abc/);
});
