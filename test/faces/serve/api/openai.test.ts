import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { MAIN, openApiStage, type ApiStage } from './stage.ts';

/** Looks something up before every answer. */
const SCRIPT: Script = ({ messages }) =>
  messages.at(-1)?.message.role === 'tool'
    ? { text: 'Two tasks: é, 漢.', chunk: 3, paceMs: 2, usage: { input: 7, output: 4 } }
    : { text: 'I look.', calls: [{ id: `c${messages.length}`, name: 'todo', input: {} }], usage: { input: 5, output: 2 } };
const clientOf = ({ url }: ApiStage, apiKey = MAIN.key): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });

test("OpenAI's own client for JavaScript chats, streams and sees tools at work", async () => {
  await using stage = await openApiStage({ script: SCRIPT });
  const client = clientOf(stage);
  const models = [];
  for await (const model of client.models.list()) models.push(model.id);
  assert.deepEqual(models, ['hermes-agent', 'hermes-plain']);
  const messages = [{ role: 'user' as const, content: 'What is to do?' }];
  const whole = await client.chat.completions.create({ model: 'hermes-agent', messages });
  assert.deepEqual([whole.choices[0]?.message.content, whole.usage?.total_tokens], ['Two tasks: é, 漢.', 18]);
  let [said, last]: [string, string | null] = ['', null];
  const tools: string[] = [];
  for await (const chunk of await client.chat.completions.create({ model: 'hermes-agent', messages, stream: true })) {
    // As most programs read it, without a look at what else may come.
    const [choice] = chunk.choices;
    assert.ok(choice !== undefined, 'there is always one');
    said += choice.delta.content ?? '';
    last = choice.finish_reason;
    if ('tool' in chunk && 'status' in chunk) tools.push(`${String(chunk.tool)} ${String(chunk.status)}`);
  }
  assert.deepEqual([said, last, tools], ['I look.\n\nTwo tasks: é, 漢.', 'stop', ['todo running', 'todo completed']]);
  const helper = client.chat.completions.stream({ model: 'hermes-agent', messages, stream_options: { include_usage: true } });
  assert.deepEqual([(await helper.finalMessage()).content, (await helper.totalUsage()).total_tokens], [said, 18]);
  await assert.rejects(
    clientOf(stage, 'wrong').models.list(),
    (error) => error instanceof AuthenticationError && error.code === 'invalid_api_key',
  );
  await assert.rejects(client.chat.completions.create({ model: 'm', messages: [] }), BadRequestError);
});

test('the same client writes responses, goes on with them, and takes a stream up again by the number of its last event', async () => {
  await using stage = await openApiStage({ script: SCRIPT });
  const client = clientOf(stage);
  const first = await client.responses.create({ model: 'hermes-agent', input: 'What is to do?', instructions: 'Be brief.' });
  assert.deepEqual(
    [first.status, first.output_text, first.output.map(({ type }) => type)],
    ['completed', 'I look.Two tasks: é, 漢.', ['message', 'mcp_call', 'message']],
  );
  const metadata = { hermes_tool_items: 'function_call' };
  const older = await client.responses.create({ model: 'hermes-agent', input: 'What is to do?', metadata });
  assert.deepEqual(
    older.output.map(({ type }) => type),
    ['message', 'function_call', 'function_call_output', 'message'],
  );
  const helper = client.responses.stream({ model: 'hermes-agent', input: 'And now?', previous_response_id: first.id });
  const types: string[] = [];
  for await (const event of helper) types.push(event.type);
  const streamed = await helper.finalResponse();
  assert.deepEqual([streamed.previous_response_id, streamed.output_text], [first.id, first.output_text]);
  for (const wanted of [
    'created',
    'output_item.added',
    'output_text.delta',
    'mcp_call_arguments.done',
    'mcp_call.completed',
    'output_item.done',
    'completed',
  ])
    assert.ok(types.includes(`response.${wanted}`), wanted);
  const begun = await client.responses.create({ model: 'hermes-agent', input: 'Again.', background: true, stream: true });
  const seen = [];
  for await (const event of begun) {
    seen.push(event);
    if (seen.length === 7) break;
  }
  const created = seen[0];
  const id = created?.type === 'response.created' ? created.response.id : '';
  for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: seen.at(-1)?.sequence_number ?? 0 }))
    seen.push(event);
  assert.deepEqual(
    seen.map(({ sequence_number }) => sequence_number),
    seen.map((_, index) => index),
  );
  assert.equal((await client.responses.retrieve(id)).status, 'completed');
  await client.responses.delete(id);
  await assert.rejects(client.responses.retrieve(id), NotFoundError);
});

const PYTHON = resolve('.cache/python/bin/python');

function whyNot(): string | false {
  try {
    execFileSync(PYTHON, ['-c', 'import openai'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'no Python with the package openai; scripts/system-deps installs it';
  }
}

test("OpenAI's own client for Python chats, streams, sees tools and takes responses up again", { skip: whyNot() }, async () => {
  await using stage = await openApiStage({ script: SCRIPT });
  const plan = JSON.stringify({ base: `${stage.url}/v1`, key: MAIN.key });
  const { stdout } = await promisify(execFile)(PYTHON, [resolve('test/faces/serve/api/witness.py'), plan]);
  const answer = 'Two tasks: é, 漢.';
  assert.deepEqual(JSON.parse(stdout), {
    models: ['hermes-agent', 'hermes-plain'],
    whole: [answer, 'stop', 18],
    stream: `I look.\n\n${answer}`,
    tools: ['todo running', 'todo completed'],
    response: ['completed', ['message', 'mcp_call', 'message']],
    final: ['completed', 'response.created', 'response.completed'],
    resumed: true,
    refused: ['NotFoundError', 'AuthenticationError'],
  });
});
