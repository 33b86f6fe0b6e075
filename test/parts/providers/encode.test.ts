import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, readPath, readStringAt } from '../../../src/base/json.ts';
import { type ImageBlock, type JsonObject, createTextBlock } from '../../../src/contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type ProtocolId } from '../../../src/contracts/runtime.ts';
import type { ProviderQuirks } from '../../../src/contracts/provider-profile.ts';
import { anthropicMessages } from '../../../src/parts/providers/protocols/anthropic-messages.ts';
import { openaiChat } from '../../../src/parts/providers/protocols/openai-chat.ts';
import { openaiResponses } from '../../../src/parts/providers/protocols/openai-responses.ts';
import { shortHash, PLACEHOLDER } from '../../../src/parts/providers/protocols/wire.ts';
import { resolveQuirks } from '../../../src/parts/providers/quirks.ts';
import { MODEL, READ, requestOf, runtimeOf, said, thought, user, view } from './setup.ts';

const MAKE = { 'openai-chat': openaiChat, 'anthropic-messages': anthropicMessages, 'openai-responses': openaiResponses } as const;
const bodyOf = (id: ProtocolId, more: Partial<ModelRequest> = {}, quirks: ProviderQuirks = {}): JsonObject =>
  JSON.parse(MAKE[id](quirks).encode(requestOf(id, more)).body);
const IMAGE: ImageBlock = { type: 'image', mime: 'image/png', data: 'aGk=', trust: 'owner' };
const result = (callId: string, words: string, failed = false): ViewMessage => ({
  message: { role: 'tool', callId, name: 'read_file', content: [createTextBlock(words, 'tool')], failed },
});
const TURN: readonly ViewMessage[] = [
  { ...user('Read x'), wireOnly: [createTextBlock('recalled', 'tool')] },
  view({ role: 'assistant', content: [thought('hm'), said('Reading.'), MODEL.call('call_1', { path: 'x', deep: { b: 1, a: 2 } })] }),
  result('call_1', 'contents'),
  user('And now?'),
];
const MARK = { cache_control: { type: 'ephemeral' } };

test('openai-chat: the body', () => {
  assert.deepEqual(bodyOf('openai-chat', { messages: TURN }), {
    model: 'test-model',
    tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: READ.input } }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read x' },
          { type: 'text', text: 'recalled' },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"deep":{"a":2,"b":1},"path":"x"}' } }],
        content: 'Reading.',
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'contents' },
      { role: 'user', content: 'And now?' },
    ],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('anthropic-messages: the body, with marks on the system prompt and the last three messages', () => {
  assert.deepEqual(bodyOf('anthropic-messages', { messages: TURN }), {
    model: 'test-model',
    tools: [{ name: 'read_file', description: 'Reads a file.', input_schema: READ.input }],
    system: [{ type: 'text', text: 'Be brief.', ...MARK }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read x' },
          { type: 'text', text: 'recalled', ...MARK },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'call_1', name: 'read_file', input: { deep: { a: 2, b: 1 }, path: 'x' }, ...MARK },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'contents' }] },
          { type: 'text', text: 'And now?', ...MARK },
        ],
      },
    ],
    max_tokens: 50_000,
    stream: true,
  });
});

test('openai-responses: the body', () => {
  assert.deepEqual(bodyOf('openai-responses', { messages: TURN }), {
    model: 'test-model',
    tools: [{ type: 'function', name: 'read_file', description: 'Reads a file.', parameters: READ.input, strict: false }],
    instructions: 'Be brief.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Read x' },
          { type: 'input_text', text: 'recalled' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'Reading.' },
      { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"deep":{"a":2,"b":1},"path":"x"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'contents' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
    ],
    parallel_tool_calls: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  });
});

const replayOf = (malformed: string): readonly ViewMessage[] => [
  user('Hi'),
  view({ role: 'assistant', content: [{ ...MODEL.call('a', {}), malformed }] }),
  result('a', 'bad', true),
];
const limit = (body: JsonObject) => body['max_tokens'] ?? body['max_output_tokens'];
const file = (name: string, mime: string) => ({ type: 'file', name, mime, data: 'aGk=', trust: 'owner' }) as const;
const IDS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const CHOICE = { 'openai-chat': 'none', 'anthropic-messages': { type: 'none' }, 'openai-responses': 'none' } as const;
const NATIVE = {
  'openai-chat': [{ type: 'reasoning.text', text: 'secret thought', index: 0 }],
  'anthropic-messages': { type: 'thinking', thinking: 'secret thought', signature: 's' },
  'openai-responses': {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'secret thought' }],
    encrypted_content: 'xyz',
  },
} as const;

for (const id of IDS) {
  const text1 = (more: Partial<ModelRequest>, quirks: ProviderQuirks = {}) => MAKE[id](quirks).encode(requestOf(id, more)).body;

  test(`${id}: forbidden tools keep their table`, () => {
    const body = bodyOf(id, { toolUse: 'forbidden' });
    assert.deepEqual(body['tool_choice'], CHOICE[id]);
    assert.ok(Array.isArray(body['tools']));
    assert.ok(
      !('tools' in bodyOf(id, { tools: [], toolUse: 'forbidden' })) && !('tool_choice' in bodyOf(id, { tools: [], toolUse: 'forbidden' })),
    );
  });

  test(`${id}: reasoning goes back only to its issuer, and never as content`, () => {
    const messages = [
      user('Hi'),
      view({ role: 'assistant', content: [thought('secret thought', NATIVE[id], id), said('Hello')] }),
      user('Again'),
    ];
    assert.ok(text1({ messages }).includes(JSON.stringify(NATIVE[id]).slice(1, -1)));
    const elsewhere = { messages, runtime: runtimeOf(id, { baseUrl: 'https://other.example' }) };
    for (const more of [elsewhere, { messages, adjust: { ...DEFAULT_ADJUSTMENTS, natives: false } }])
      assert.ok(!text1(more).includes('secret'));
    for (const other of IDS.filter((one) => one !== id))
      assert.ok(!MAKE[other]().encode(requestOf(other, { messages })).body.includes('secret'));
  });

  test(`${id}: a message of nothing but reasoning says something neutral`, () => {
    const body = text1({ messages: [user('Hi'), view({ role: 'assistant', content: [thought('secret')] }), user('Well?')] });
    assert.ok(body.includes(PLACEHOLDER) && !body.includes('secret'));
  });

  test(`${id}: refused parameters, images and schema keywords are left out`, () => {
    const tool = { ...READ, input: { type: 'object', properties: { pattern: { type: 'string', pattern: '^a', format: 'uri' } } } };
    const messages = [
      view({ role: 'user', content: [createTextBlock('See', 'owner'), IMAGE] }),
      view({ role: 'assistant', content: [MODEL.call('a', {})] }),
      view({ role: 'tool', callId: 'a', name: 'read_file', content: [IMAGE], failed: false }),
    ];
    const body = bodyOf(id, {
      tools: [tool],
      messages,
      adjust: {
        ...DEFAULT_ADJUSTMENTS,
        without: ['stream_options.include_usage', 'include', 'model', 'tool_choice'],
        images: false,
        plainSchemas: true,
        stream: false,
      },
    });
    assert.equal(JSON.stringify(body).includes('aGk='), false);
    assert.ok(JSON.stringify(body['tools']).includes('{"pattern":{"type":"string"}}'));
    assert.deepEqual([body['model'], body['stream'], body['include'], body['stream_options']], ['test-model', false, undefined, undefined]);
  });

  test(`${id}: images go out in user messages and results`, () => {
    const messages = [
      view({ role: 'user', content: [IMAGE] }),
      view({ role: 'assistant', content: [MODEL.call('a', {})] }),
      view({ role: 'tool', callId: 'a', name: 'read_file', content: [createTextBlock('shot', 'tool'), IMAGE], failed: false }),
    ];
    assert.equal(text1({ messages }).split('aGk=').length, 3);
  });

  test(`${id}: long ids fit, and call and result still match`, () => {
    const long = `call_${'x'.repeat(100)}`;
    const body = text1({ messages: [user('Hi'), view({ role: 'assistant', content: [MODEL.call(long, {})] }), result(long, 'ok')] });
    const ids = [...body.matchAll(/"(?:id|call_id|tool_use_id|tool_call_id)":"(call_[0-9a-f]{24})"/g)].map((match) => match[1]);
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 1);
  });

  test(`${id}: the limit is the recovery's, then the owner's`, () => {
    const runtime = runtimeOf(id, { limits: { window: 100_000, maxOutput: 900 } });
    assert.equal(limit(bodyOf(id, { runtime })), 900);
    assert.equal(limit(bodyOf(id, { runtime, adjust: { ...DEFAULT_ADJUSTMENTS, maxOutput: 70 } })), 70);
  });

  test(`${id}: malformed arguments are replayed only if they are JSON`, () => {
    assert.ok(!text1({ messages: replayOf('{"path":') }).includes('{\\"path\\":'));
    assert.equal(text1({ messages: replayOf('[1]') }).includes('"arguments":"[1]"'), id !== 'anthropic-messages');
  });

  test(`${id}: halves of characters are mended`, () => {
    const body = text1({
      system: 'a\ud800',
      messages: [user('b\udfff'), view({ role: 'assistant', content: [MODEL.call('a', { path: 'c\ud83d' })] }), result('a', 'd\ud83d')],
    });
    assert.ok(!/\\u[dD][89a-fA-F]/.test(body));
  });
}

test('anthropic-messages: results come first, texts after them, and blanks are left out', () => {
  const messages = [
    user('Hi'),
    view({ role: 'assistant', content: [said(' '), MODEL.call('a', {}), MODEL.call('b', {})] }),
    { ...result('a', '1', true), wireOnly: [createTextBlock('hint', 'tool')] },
    result('b', ''),
  ];
  const body = bodyOf('anthropic-messages', { messages, cacheTtl: 'off' });
  assert.deepEqual(body['messages'], [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'read_file', input: {} },
        { type: 'tool_use', id: 'b', name: 'read_file', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', is_error: true, content: [{ type: 'text', text: '1' }] },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: PLACEHOLDER }] },
        { type: 'text', text: 'hint' },
      ],
    },
  ]);
});

test('anthropic-messages: a mark never stands on reasoning, and lives as long as asked', () => {
  const said1 = view({ role: 'assistant', content: [said('Hi'), thought('hm', NATIVE['anthropic-messages'], 'anthropic-messages')] });
  const body = bodyOf('anthropic-messages', { messages: [user('Hi'), said1, user('x')], cacheTtl: '1h' });
  assert.deepEqual(readPath(body, 'messages', 1, 'content'), [
    { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } },
    NATIVE['anthropic-messages'],
  ]);
});

test('anthropic-messages: PDF and text files are documents, others are named', () => {
  const body = bodyOf('anthropic-messages', {
    messages: [
      view({ role: 'user', content: [file('a.pdf', 'application/pdf'), file('b.txt', 'text/plain'), file('c.zip', 'application/zip')] }),
    ],
    cacheTtl: 'off',
  });
  assert.deepEqual(readPath(body, 'messages', 0, 'content'), [
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, title: 'a.pdf' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 'b.txt' },
    { type: 'text', text: '[file left out: c.zip, application/zip]' },
  ]);
});

test('openai-chat: Claude behind a gateway gets marks on parts, and pure calls carry none', () => {
  const messages = [user('Hi'), view({ role: 'assistant', content: [MODEL.call('a', {})] }), result('a', 'ok')];
  const body = bodyOf('openai-chat', { messages }, resolveQuirks('openrouter', 'anthropic/claude-sonnet-4.6'));
  assert.deepEqual(body['messages'], [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...MARK }] },
    { role: 'user', content: [{ type: 'text', text: 'Hi', ...MARK }] },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } }], content: null },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'ok', ...MARK }] },
  ]);
  assert.equal(typeof body['max_tokens'], 'number');
});

test('openai-chat: reasoning is echoed where the server insists, a space when there was none', () => {
  const messages = [
    user('Hi'),
    view({ role: 'assistant', content: [thought('hm'), said('A')] }),
    user('x'),
    view({ role: 'assistant', content: [said('B')] }),
    user('y'),
  ];
  const body = bodyOf('openai-chat', { messages }, resolveQuirks('deepseek', 'deepseek-chat'));
  assert.deepEqual(
    [2, 4].map((place) => readPath(body, 'messages', place, 'reasoning_content')),
    ['hm', ' '],
  );
});

test('openai-chat: roles and fields of the newer models', () => {
  const runtime = runtimeOf('openai-chat', { model: 'gpt-5.4', provider: 'openai-api', limits: { window: 1000, maxOutput: 5 } });
  const body = bodyOf('openai-chat', { runtime }, resolveQuirks('openai-api', 'gpt-5.4'));
  assert.deepEqual(readPath(body, 'messages', 0), { role: 'developer', content: 'Be brief.' });
  assert.equal(body['max_completion_tokens'], 5);
  assert.match(readStringAt(body, 'prompt_cache_key') ?? '', /^pck_[0-9a-f]{24}$/);
  for (const model of ['o3', 'openai/o4-mini', 'gpt-5-codex']) assert.equal(resolveQuirks('openrouter', model).developerRole, true);
  for (const model of ['gpt-4o', 'octo-1', 'foo-o3']) assert.equal(resolveQuirks('openrouter', model).developerRole, undefined);
});

const NAMES: readonly (readonly [said: string, sent: string])[] = [
  ['read_file', 'read_file'],
  ['', 'unnamed'],
  ['functions.terminal', 'functions_terminal'],
  ['foo bar.baz é🙂', 'foo_bar_baz___'],
  ['a'.repeat(64), 'a'.repeat(64)],
  ['a'.repeat(130), `${'a'.repeat(55)}_${shortHash('a'.repeat(130), 8)}`],
];
const sentName = (id: ProtocolId, name: string): string => {
  const called = view({ role: 'assistant', content: [{ ...MODEL.call('c', {}), name }] });
  const answered = view({ role: 'tool', callId: 'c', name, content: [createTextBlock('no such tool', 'tool')], failed: true });
  const body = bodyOf(id, { messages: [user('Hi'), called, answered], tools: [] });
  const names = [...JSON.stringify(body).matchAll(/"name":"([^"]*)"/g)].map((match) => match[1] ?? '');
  assert.equal(names.length, 1);
  return names[0] ?? '';
};

for (const id of ['openai-chat', 'anthropic-messages', 'openai-responses'] as const) {
  test(`${id}: a call goes back under a name that services take`, () => {
    for (const [name, sent] of NAMES) {
      assert.equal(sentName(id, name), sent);
      assert.match(sent, /^[a-zA-Z0-9_-]{1,64}$/);
    }
    assert.notEqual(sentName(id, `${'a'.repeat(70)}b`), sentName(id, `${'a'.repeat(70)}c`));
  });

  test(`${id}: leaving images out changes no byte of a request that has none`, () => {
    const several: ViewMessage = {
      message: {
        role: 'tool',
        callId: 'call_1',
        name: 'read_file',
        content: [createTextBlock('a', 'tool'), createTextBlock('b', 'tool')],
        failed: false,
      },
      wireOnly: [createTextBlock('note', 'tool')],
    };
    for (const quirks of [{}, { cacheMarks: true }]) {
      const encode = (images: boolean) =>
        MAKE[id](quirks).encode(
          requestOf(id, { messages: [...TURN.slice(0, 2), several, user('So?')], adjust: { ...DEFAULT_ADJUSTMENTS, images } }),
        );
      const [without, plain] = [encode(false), encode(true)];
      assert.deepEqual([without.body, without.segments], [plain.body, plain.segments]);
    }
  });
}

const systemContent = (quirks: ProviderQuirks): unknown => {
  const { messages } = bodyOf('openai-chat', TWO_BLOCKS, quirks);
  const first = Array.isArray(messages) ? messages[0] : undefined;
  return isObject(first) ? first['content'] : undefined;
};
const TWO_BLOCKS = { system: 'Be brief.\n\nToday is Tuesday.', stableChars: 'Be brief.'.length } as const;

test('a system prompt of two blocks: the mark stands on the first, and together they are the whole text', () => {
  const [first, second] = [
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: '\n\nToday is Tuesday.' },
  ];
  assert.deepEqual(bodyOf('anthropic-messages', TWO_BLOCKS)['system'], [{ ...first, ...MARK }, second]);
  assert.deepEqual(bodyOf('anthropic-messages', { ...TWO_BLOCKS, cacheTtl: 'off' })['system'], [first, second]);
  assert.deepEqual(systemContent({ cacheMarks: true }), [{ ...first, ...MARK }, second]);
  assert.equal(systemContent({}), TWO_BLOCKS.system);
  assert.equal(bodyOf('openai-responses', TWO_BLOCKS)['instructions'], TWO_BLOCKS.system);
});

test('prompt_cache_key is made of the tools and the first block: sessions that begin alike meet the same cache', () => {
  for (const id of ['openai-chat', 'openai-responses'] as const) {
    const key = (more: Partial<ModelRequest>) => bodyOf(id, more, { promptCacheKey: true })['prompt_cache_key'];
    const other = { ...TWO_BLOCKS, system: 'Be brief.\n\nToday is Friday.' };
    assert.equal(key(TWO_BLOCKS), key(other));
    assert.notEqual(key(TWO_BLOCKS), key({ ...TWO_BLOCKS, system: 'Be short.\n\nToday is Tuesday.' }));
    assert.notEqual(key(TWO_BLOCKS), key({ ...TWO_BLOCKS, tools: [] }));
    assert.notEqual(key({ system: TWO_BLOCKS.system }), key({ system: other.system }), 'a prompt of one block is the key whole');
  }
});
