import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../../src/base/json-types.ts';
import { joinTextBlocks, type ToolMessage } from '../../../../src/contracts/message.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { openApiStage, PHONE, type ApiStage, type AskApiOptions } from './stage.ts';

const CHAT = '/v1/chat/completions';
const user = (content: string): JsonObject => ({ role: 'user', content });
const tool = (name: string): JsonObject => ({
  type: 'function',
  function: { name, description: `Looks up ${name}.`, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
});
const TOOLS = [tool('price'), tool('weather')];
const call = (name: string, id: string) => ({ id, name, input: name === 'todo' ? {} : { city: 'Rome' } });

/** Foreign words without the marks around them. */
const unmark = (text: string): string => /^<outside [^>]*>\n([\s\S]*)\n<\/outside/.exec(text)?.[1] ?? text;

/** Makes the calls that the message names, and then tells what they gave. */
const CALLING: Script = ({ messages }) => {
  const said = messages.map(({ message }) => message);
  const asked = said.findLastIndex(({ role }) => role === 'user');
  const results = said.slice(asked + 1).filter((message): message is ToolMessage => message.role === 'tool');
  const names = /call (\S+)/.exec(joinTextBlocks(said[asked] ?? { role: 'user', content: [] }))?.[1]?.split(',') ?? [];
  if (results.length === 0 && names.length > 0)
    return { text: 'I ask.', calls: names.map((name, index) => call(name, `m${messages.length}${index}`)), usage: { input: 5, output: 2 } };
  const told = results.filter(({ name }) => name !== 'todo').map((result) => `${result.name}=${unmark(joinTextBlocks(result))}`);
  return { text: `Answer: ${told.join(' ')}`, usage: { input: 7, output: 3 } };
};

interface Asked {
  readonly ids: readonly string[];
  readonly message: Json;
  readonly body: Json | undefined;
  readonly session: string;
}
async function ask(stage: ApiStage, body: JsonObject, options: AskApiOptions = {}): Promise<Asked> {
  const answer = await stage.ask(CHAT, { body, ...options });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const message = readPath(answer.body, 'choices', 0, 'message') ?? null;
  const calls = readPath(message, 'tool_calls');
  return {
    ids: Array.isArray(calls) ? calls.map((each) => readStringAt(each, 'id') ?? '') : [],
    message,
    body: answer.body,
    session: answer.headers.get('x-hermes-session-id') ?? '',
  };
}
const result = (id: string | undefined, content: string): JsonObject => ({ role: 'tool', tool_call_id: id ?? '', content });
const textOf = ({ message }: Asked): string => readStringAt(message, 'content') ?? '';

test("a client's tools are asked for, and its results are the results of the turn's own calls", async () => {
  await using stage = await openApiStage({ script: CALLING });
  const messages = [user('call price,todo,weather')];
  const asked = await ask(stage, { messages, tools: TOOLS });
  assert.equal(readPath(asked.body, 'choices', 0, 'finish_reason'), 'tool_calls');
  assert.deepEqual(
    [textOf(asked), readPath(asked.message, 'tool_calls', 0, 'function'), asked.ids.length],
    ['I ask.', { name: 'price', arguments: '{"city":"Rome"}' }, 2],
    'our own tool beside them is not for the client',
  );
  const more = [...messages, asked.message];
  const partly = await stage.ask(CHAT, { body: { messages: [...more, result(asked.ids[0], '41')], tools: TOOLS } });
  assert.deepEqual([partly.status, readPath(partly.body, 'error', 'code')], [400, 'missing_tool_result']);
  assert.match(readStringAt(partly.body, 'error', 'message') ?? '', new RegExp(asked.ids[1] ?? ''));
  const all = [...more, result(asked.ids[1], 'sunny'), result(asked.ids[0], '41')];
  const answer = await ask(stage, { messages: all, tools: TOOLS });
  assert.deepEqual([textOf(answer), answer.session], ['Answer: price=41 weather=sunny', asked.session]);
  assert.deepEqual(
    [readPath(asked.body, 'usage', 'total_tokens'), readPath(answer.body, 'usage', 'total_tokens')],
    [7, 10],
    'each request is told its own share',
  );
  assert.deepEqual(
    stage.model.requests[1]?.messages.slice(-3).map(({ message }) => message.role === 'tool' && [message.name, message.content[0]?.trust]),
    [
      ['price', 'foreign'],
      ['todo', 'tool'],
      ['weather', 'foreign'],
    ],
  );
  // The conversation is known again, with another question.
  const next = await ask(stage, { messages: [...all, answer.message, user('and call weather')], tools: TOOLS });
  assert.equal(next.session, asked.session);
  assert.equal(stage.model.requests.length, 3);
});

test('one call at a time where the client cannot take several, in a stream as well', async () => {
  await using stage = await openApiStage({ script: CALLING });
  const messages: Json[] = [user('call price,weather')];
  const seen: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const { events } = await stage.stream(CHAT, { body: { messages, tools: TOOLS, parallel_tool_calls: false, stream: true } });
    const chunks = events.flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)]));
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    assert.deepEqual([calls.length, chunks.at(-1)?.choices[0].finish_reason], [1, 'tool_calls']);
    seen.push(calls[0].function.name);
    messages.push({ role: 'assistant', content: null, tool_calls: calls }, result(calls[0].id, `of ${calls[0].function.name}`));
  }
  const { body } = await stage.ask(CHAT, { body: { messages, tools: TOOLS, parallel_tool_calls: false } });
  assert.equal(readPath(body, 'choices', 0, 'message', 'content'), 'Answer: price=of price weather=of weather');
  assert.deepEqual([seen, stage.model.requests.length], [['price', 'weather'], 2]);
});

test('a turn that waits for its client costs no run, outlives the server, and goes on', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hermes-api-'));
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ database: { durability: 'process' } }));
  try {
    const messages: Json[] = [user('call price')];
    let asked: Asked;
    {
      await using stage = await openApiStage({ script: CALLING, root });
      asked = await ask(stage, { messages, tools: TOOLS });
      await stage.server.drain(60_000);
      assert.equal(stage.server.running, 0, 'nothing is waited for');
      assert.deepEqual(await stage.host.store.runs.listOpen(), []);
    }
    // Started and stopped again and again meanwhile.
    for (let start = 0; start < 5; start++) {
      await using stage = await openApiStage({ script: CALLING, root });
      assert.equal((await stage.host.store.turn(asked.session))?.phase, 'act');
    }
    await using stage = await openApiStage({ script: CALLING, root });
    // It need not name its tools again.
    const answer = await ask(stage, { messages: [...messages, asked.message, result(asked.ids[0], '41')] });
    assert.deepEqual([textOf(answer), answer.session, stage.model.requests.length], ['Answer: price=41', asked.session, 1]);
    assert.deepEqual(await stage.host.store.turn(asked.session), undefined);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a client that stays away too long, or says something else, ends the wait; results that come too late are words', async () => {
  await using stage = await openApiStage({ script: CALLING, deps: { toolResultMs: 1 } });
  const messages: Json[] = [user('call price')];
  const asked = await ask(stage, { messages, tools: TOOLS });
  while ((await stage.host.store.turn(asked.session)) !== undefined) await setTimeout(10);
  const entries = await stage.host.store.entries(asked.session);
  assert.deepEqual(
    entries.flatMap((entry) => (entry.type === 'outcome' ? [entry.exitReason] : [])),
    ['interrupted'],
  );
  const late = await ask(stage, { messages: [...messages, asked.message, result(asked.ids[0], '41')], tools: TOOLS });
  assert.notEqual(late.session, asked.session);
  const told = stage.model.requests.at(-1)?.messages.at(-1)?.message;
  assert.deepEqual(
    [told?.role, told?.content[0]],
    ['user', { type: 'text', text: '41', trust: 'foreign', source: 'a tool result that the client sent along' }],
  );
  await using other = await openApiStage({ script: CALLING });
  const waits = await ask(other, { messages, tools: TOOLS });
  const headers = { 'x-hermes-session-id': waits.session };
  const instead = await ask(other, { messages: [user('never mind')], tools: TOOLS }, { headers });
  assert.deepEqual([textOf(instead), instead.session], ['Answer: ', waits.session]);
});

test('a tool with the name of one of ours stays the client’s, and another key cannot bring its results', async () => {
  const script: Script = ({ messages, tools }) =>
    messages.at(-1)?.message.role === 'tool'
      ? { text: 'Done.' }
      : { calls: [{ id: 'c1', name: tools.find(({ description }) => description === 'Looks up terminal.')?.name ?? '', input: {} }] };
  await using stage = await openApiStage({ script });
  const messages: Json[] = [user('go')];
  const asked = await ask(stage, { messages, tools: [tool('terminal')] });
  assert.deepEqual(readPath(asked.message, 'tool_calls', 0, 'function', 'name'), 'terminal');
  assert.ok(stage.model.requests[0]?.tools.some(({ name }) => name === 'client_terminal'));
  const back = [...messages, asked.message, result(asked.ids[0], 'ok')];
  const stolen = await ask(stage, { messages: back, tools: [tool('terminal')] }, { key: PHONE.key });
  assert.notEqual(stolen.session, asked.session);
  const own = await ask(stage, { messages: back, tools: [tool('terminal')] });
  assert.deepEqual([textOf(own), own.session], ['Done.', asked.session]);
});

test('responses ask for functions, and go on with their outputs', async () => {
  await using stage = await openApiStage({ script: CALLING });
  const tools = [{ type: 'function', name: 'price', parameters: { type: 'object', properties: {} } }];
  const first = await stage.ask('/v1/responses', { body: { input: 'call price', tools } });
  const item = readPath(first.body, 'output', 1);
  assert.deepEqual(
    [readStringAt(item, 'type'), readStringAt(item, 'name'), readPath(first.body, 'tools', 0, 'name'), readPath(first.body, 'output', 2)],
    ['function_call', 'price', 'price', undefined],
  );
  const output = { type: 'function_call_output', call_id: readStringAt(item, 'call_id') ?? '', output: '41' };
  const body = { input: [output], previous_response_id: readStringAt(first.body, 'id') ?? '', tools };
  const { events } = await stage.stream('/v1/responses', { body: { ...body, stream: true } });
  const response = JSON.parse(events.at(-1)?.data ?? '').response;
  assert.deepEqual(
    response.output.map(({ type, content }: { type: string; content: readonly { text: string }[] }) => [type, content[0]?.text]),
    [['message', 'Answer: price=41']],
  );
});
