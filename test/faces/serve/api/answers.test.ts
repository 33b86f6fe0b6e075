import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../../../src/base/clock.ts';
import { readPath, readStringAt } from '../../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../../src/base/json-types.ts';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import type { FailureType } from '../../../../src/contracts/failure.ts';
import { findSchemaFault, findUnknownKeyword } from '../../../../src/faces/serve/api/runs/json-schema.ts';
import { PARAMETERS } from '../../../../src/faces/serve/api/request/parameters.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { MAIN, openApiStage, PHONE, wordsOf } from './stage.ts';

const CHAT = '/v1/chat/completions';
const HI = [{ role: 'user', content: 'hi' }];
const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
  required: ['n', 'tags'],
  additionalProperties: false,
  $defs: { tag: { enum: ['a', 'b'] } },
};
const FORMAT = { type: 'json_schema', json_schema: { name: 'numbers', strict: true, schema: SCHEMA } };
const say =
  (...texts: readonly string[]): Script =>
  (_request, index) => ({ text: texts[index] ?? '', chunk: 3, usage: { input: 5, output: 2 } });
const contentOf = (body: Json | undefined): Json | undefined => readPath(body, 'choices', 0, 'message', 'content');
const errorOf = ({ status, body }: { readonly status: number; readonly body: Json | undefined }) => [
  status,
  readPath(body, 'error', 'code'),
  readPath(body, 'error', 'param'),
];

test('an answer with a schema is checked, asked for once more where it does not fit, and given as JSON alone', async () => {
  const good = '{"n": 2, "tags": ["a"]}';
  await using stage = await openApiStage({
    script: say('Two of them.', `\`\`\`json\n${good}\n\`\`\``, good, '{"n":0,"tags":[]}', '{"n":0}'),
  });
  const mended = await stage.ask(CHAT, { body: { messages: HI, response_format: FORMAT } });
  assert.deepEqual([contentOf(mended.body), readPath(mended.body, 'usage', 'total_tokens')], [good, 14]);
  const [first, second] = stage.model.requests;
  assert.match(JSON.stringify(first?.messages.at(-1)?.wireOnly), /JSON Schema/);
  assert.match(joinTextBlocks(second?.messages.at(-1)?.message ?? { role: 'user', content: [] }), /it is not JSON/);
  const streamed = await stage.stream('/v1/responses', {
    body: { input: 'hi', stream: true, text: { format: { type: 'json_schema', name: 'numbers', schema: SCHEMA } } },
  });
  const response = JSON.parse(streamed.events.at(-1)?.data ?? '').response;
  assert.deepEqual([response.output.length, response.output[0].content[0].text, response.text.format.name], [1, good, 'numbers']);
  const refused = await stage.ask(CHAT, { body: { messages: HI, response_format: FORMAT } });
  assert.deepEqual([...errorOf(refused), stage.model.requests.length], [502, 'answer_rejected', null, 5]);
  const [session] = [refused.headers.get('x-hermes-run-id') ?? ''];
  assert.equal(readPath((await stage.ask(`/v1/runs/${session}`)).body, 'status'), 'failed');
});

test('a stream with a schema says nothing of an answer that was rejected', async () => {
  await using stage = await openApiStage({ script: say('Two.', '{"n":2,"tags":[]}') });
  const { events } = await stage.stream(CHAT, { body: { messages: HI, response_format: FORMAT, stream: true } });
  assert.equal(wordsOf(events), '{"n":2,"tags":[]}');
});

test('what a schema can say is checked to the letter, and what it cannot is refused', async () => {
  const fits = (schema: JsonObject, value: Json): boolean => findSchemaFault(schema, value) === undefined;
  const rows: readonly (readonly [JsonObject, Json, boolean])[] = [
    [{ type: ['string', 'null'] }, null, true],
    [{ type: 'integer' }, 1.5, false],
    [{ const: { a: 1 } }, { a: 1 }, true],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, 2, false],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, false],
    [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, false],
    [{ not: { type: 'string' } }, 'a', false],
    [{ additionalProperties: { type: 'number' } }, { a: 'b' }, false],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, false],
    [{ type: 'array', minItems: 1, items: { maxLength: 2 } }, ['日本'], true],
    [{ type: 'array', maxItems: 1 }, [1, 2], false],
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ exclusiveMaximum: 3 }, 3, false],
    [
      { $defs: { node: { properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } }, $ref: '#/$defs/node' },
      { next: { x: 1 } },
      false,
    ],
    [{ anyOf: [{ $ref: '#' }] }, 1, false],
  ];
  for (const [schema, value, expected] of rows) assert.equal(fits(schema, value), expected, JSON.stringify([schema, value]));
  assert.equal(findUnknownKeyword({ properties: { a: { anyOf: [{ patternProperties: {} }] } } }), 'patternProperties');
  assert.equal(findUnknownKeyword({ $ref: '#' }), '#');
  assert.equal(findUnknownKeyword({ $ref: '#/$defs/none' }), '#/$defs/none');
  await using stage = await openApiStage({ script: say('x') });
  const body = { messages: HI, response_format: { type: 'json_schema', json_schema: { schema: { if: {} } } } };
  assert.deepEqual(errorOf(await stage.ask(CHAT, { body })), [400, 'unsupported_schema', 'response_format']);
});

test('an answer ends before a stop, and is as long as was asked for', async () => {
  await using stage = await openApiStage({
    script: (_request, index) => (index === 0 ? { text: 'one\nEND two' } : { text: 'cut off here', finish: 'length' }),
  });
  const { events } = await stage.stream(CHAT, { body: { messages: HI, stop: ['END', 'two'], stream: true } });
  assert.equal(wordsOf(events), 'one\n');
  const short = await stage.ask(CHAT, { body: { messages: HI, max_tokens: 3, temperature: 0.5, top_p: 0.9, seed: 7 } });
  assert.deepEqual([contentOf(short.body), readPath(short.body, 'choices', 0, 'finish_reason')], ['cut off here', 'length']);
  assert.deepEqual(stage.model.requests.at(-1)?.sampling, { temperature: 0.5, topP: 0.9, seed: 7, maxOutput: 3 });
  assert.equal(stage.model.requests.length, 2, 'it is not gone on with');
});

/** Values that no row takes. */
const ODD: Readonly<Record<string, Json>> = { stream_options: {}, tools: [{ type: 'web_search' }], text: { format: { type: 'grammar' } } };
const UNUSUAL: Readonly<Record<string, Json>> = { n: 2, logprobs: true, top_logprobs: 3, logit_bias: { 5: 1 }, modalities: ['audio'] };

test('what cannot be honored is refused by its name, and what changes nothing is taken', async () => {
  await using stage = await openApiStage({ script: () => ({ text: 'x' }) });
  const paths = { chat: [CHAT, { messages: HI }], responses: ['/v1/responses', { input: 'hi' }] } as const;
  for (const { name, of, rule, takes } of PARAMETERS)
    for (const api of of) {
      const [path, body] = paths[api];
      if (rule === 'ignored') assert.equal((await stage.ask(path, { body: { ...body, [name]: 'x' } })).status, 200, name);
      if (rule === 'refused')
        assert.deepEqual(errorOf(await stage.ask(path, { body: { ...body, [name]: UNUSUAL[name] ?? 'x' } })), [
          400,
          'unsupported_parameter',
          name,
        ]);
      if (rule === 'honored' && takes !== undefined)
        assert.deepEqual(errorOf(await stage.ask(path, { body: { ...body, [name]: { odd: true } } })).slice(0, 1), [400], name);
    }
  for (const choice of ['required', { type: 'function', function: { name: 'x' } }])
    assert.deepEqual(errorOf(await stage.ask(CHAT, { body: { messages: HI, tool_choice: choice } })), [
      400,
      'unsupported_parameter',
      'tool_choice',
    ]);
  assert.equal((await stage.ask(CHAT, { body: { messages: HI, n: 1, logprobs: false, tool_choice: 'auto', tools: null } })).status, 200);
  assert.deepEqual(errorOf(await stage.ask('/v1/responses', { body: { input: 'hi', tools: ODD['tools'] ?? null } })).slice(0, 2), [
    400,
    'unsupported_tool',
  ]);
  assert.deepEqual(errorOf(await stage.ask('/v1/responses', { body: { input: 'hi', text: ODD['text'] ?? null } })), [
    400,
    'invalid_value',
    'text.format',
  ]);
});

test('the page has the table of parameters', () => {
  const page = readFileSync('docs/api.md', 'utf8');
  for (const { name, of, rule, about } of PARAMETERS)
    assert.ok(page.includes(`| \`${name}\` | ${of.join(', ')} | ${rule} | ${about} |`), `docs/api.md has no row for ${name}`);
});

test('a plain completion has no tools, prompt or memory, and leaves no session', async () => {
  let now = 1_000_000;
  const sleeps: (() => void)[] = [];
  const clock = {
    ...systemClock,
    now: () => now + systemClock.now(),
    sleep: (ms: number, signal: AbortSignal) =>
      ms === 60_000
        ? new Promise<void>((done) => {
            sleeps.push(done);
            if (signal.aborted) done();
            signal.addEventListener('abort', () => done(), { once: true });
          })
        : systemClock.sleep(ms, signal),
  };
  await using stage = await openApiStage({ script: say('A title', 'Tags'), deps: { clock } });
  const messages = [{ role: 'system', content: 'You write titles.' }, ...HI];
  const answer = await stage.ask(CHAT, { body: { model: 'hermes-plain', messages } });
  assert.deepEqual([contentOf(answer.body), readPath(answer.body, 'model')], ['A title', 'hermes-plain']);
  const [request] = stage.model.requests;
  assert.deepEqual([request?.tools, request?.system.trim(), request?.messages.length], [[], 'You write titles.', 1]);
  assert.deepEqual(readPath((await stage.ask('/api/sessions')).body, 'data'), []);
  assert.equal((await stage.ask(`/api/sessions/${answer.headers.get('x-hermes-session-id')}`)).status, 404);
  // Nothing of it is gone on with.
  const next = await stage.ask(CHAT, {
    body: { model: 'hermes-plain', messages: [...messages, { role: 'assistant', content: 'A title' }, { role: 'user', content: 'tags?' }] },
  });
  assert.notEqual(next.headers.get('x-hermes-session-id'), answer.headers.get('x-hermes-session-id'));
  now += 600_000;
  for (const wake of sleeps) wake();
  while ((await stage.host.store.list({ source: 'api_plain' })).length > 0) await setTimeout(10);
});

test('a budget that does not suffice for a call is told as used up, and nothing is spent', async () => {
  const poor = { ...PHONE, budget: { tokens: 10 } };
  await using stage = await openApiStage({ script: say('x'), deps: { keys: [MAIN, poor] } });
  const refused = await stage.ask(CHAT, { body: { messages: HI }, key: PHONE.key });
  assert.deepEqual([...errorOf(refused), stage.model.requests.length], [429, 'insufficient_quota', null, 0]);
  const { events } = await stage.stream(CHAT, { body: { messages: HI, stream: true }, key: PHONE.key });
  assert.equal(JSON.parse(events.at(-2)?.data ?? '').error.code, 'insufficient_quota');
});

test('a request that the provider refuses is not our error', async () => {
  const types: readonly FailureType[] = ['bad_request', 'policy_blocked', 'endpoint_not_found'];
  await using stage = await openApiStage({
    script: (_request, index) => ({ fails: { type: types[index] as 'bad_request', detail: 'secret-host said no' } }),
  });
  const told: Json[] = [];
  for (const _type of types) told.push(errorOf(await stage.ask(CHAT, { body: { messages: HI } })).slice(0, 2) as Json);
  assert.deepEqual(told, [
    [400, 'model_refused_request'],
    [400, 'content_filter'],
    [502, 'model_unavailable'],
  ]);
});

test('what is not served says what to do, and so does a name that is not ours', async () => {
  await using stage = await openApiStage({ script: say('x') });
  for (const path of [
    '/v1/embeddings',
    '/v1/audio/transcriptions',
    '/v1/files',
    '/v1/files/f1',
    '/v1/images/generations',
    '/v1/completions',
  ]) {
    const answer = await stage.ask(path, { body: {} });
    assert.deepEqual(errorOf(answer), [501, 'not_supported', null], path);
    assert.match(readStringAt(answer.body, 'error', 'message') ?? '', /\.$/);
  }
  const { request } = await import('node:http');
  const answer = Promise.withResolvers<string>();
  request(`${stage.url}/v1/models`, { headers: { host: 'host.docker.internal', authorization: `Bearer ${MAIN.key}` } }, (response) => {
    let text = `${response.statusCode} `;
    response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => answer.resolve(text));
  }).end();
  assert.match(await answer.promise, /^421 .*gateway\.listen_names.*foreign_name/s);
  const many = await stage.ask(CHAT, { body: { messages: Array.from({ length: 2_001 }, () => HI[0] ?? null) } });
  assert.match(readStringAt(many.body, 'error', 'message') ?? '', /X-Hermes-Session-Id/);
  const file = await stage.ask(CHAT, { body: { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] } });
  assert.match(readStringAt(file.body, 'error', 'message') ?? '', /Files are not taken/);
});
