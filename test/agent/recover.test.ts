import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { Failure } from '../../src/contracts/failure.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { play, RUNTIME, setup, testTool, type SetupOptions } from './setup.ts';

const fails = (failure: Failure): ScriptedAnswer => ({ fails: failure });
const strategies = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'recovering' ? [event.strategy] : []));
const OTHER = { ...RUNTIME, provider: 'other', baseUrl: 'http://127.0.0.1:2' };
const broken = { id: 'b', name: 'look', malformed: '{"at": oops}' };
const cutOff = { id: 'b', name: 'look', malformed: '{"at": "x' };
const look = testTool('look', async () => ({ content: [createTextBlock('seen', 'tool')] }));

interface Case {
  readonly name: string;
  readonly script: readonly ScriptedAnswer[];
  readonly options?: SetupOptions;
  readonly recovers: readonly string[];
  readonly exit: string;
  readonly words?: string;
  readonly slept?: readonly number[];
}
const overloaded = fails({ type: 'overloaded', detail: '529' });
const limited = fails({ type: 'rate_limited', detail: '429', retryAfterMs: 20_000 });

const brieflyLimited = fails({ type: 'rate_limited', detail: '429', retryAfterMs: 2_000 });

const CASES: readonly Case[] = [
  {
    name: 'waits ever longer, then gives up',
    script: [overloaded, overloaded, overloaded, overloaded],
    recovers: ['wait', 'wait', 'wait'],
    exit: 'overloaded',
    slept: [2_000, 4_000, 8_000],
  },
  { name: 'honours Retry-After', script: [limited, { text: 'ok' }], recovers: ['wait'], exit: 'answered', slept: [20_000] },
  {
    name: 'does not wait for hours when there is another key',
    script: [fails({ type: 'rate_limited', detail: '429', retryAfterMs: 7_200_000 }), { text: 'ok' }],
    options: { routes: { rotate: async (runtime) => ({ ...runtime, credential: 'KEY#2' }) } },
    recovers: ['rotate'],
    exit: 'answered',
    slept: [],
  },
  {
    name: 'does not wait for hours when there is another route',
    script: [fails({ type: 'overloaded', detail: '529', retryAfterMs: 7_200_000 }), { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER } },
    recovers: ['fallback'],
    exit: 'answered',
    slept: [],
  },
  {
    name: 'walks the chain at once when no repeats are allowed',
    script: [overloaded, { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER }, settings: { 'agent.api_max_retries': 0 } },
    recovers: ['fallback'],
    exit: 'answered',
  },
  {
    name: 'a model that is counted and says nothing twice is not asked a third time',
    script: [{ usage: { input: 9 } }, { usage: { input: 9 } }, { text: 'never asked' }],
    recovers: ['retry_empty'],
    exit: 'empty',
  },
  {
    name: 'a silent model leads to the fallback',
    script: [{ usage: { input: 9 } }, { usage: { input: 9 } }, { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER } },
    recovers: ['retry_empty', 'fallback'],
    exit: 'answered',
  },
  {
    name: 'an overflow of a conversation that cannot be made smaller leads to the fallback',
    script: [fails({ type: 'context_overflow', detail: 'too long' }), { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER } },
    recovers: ['fallback'],
    exit: 'answered',
  },
  {
    name: 'a call that was announced and lost is asked for again',
    script: [{ text: 'I will look.', finish: 'tool_calls' }, { text: 'ok' }],
    recovers: ['reask_dropped_call'],
    exit: 'answered',
    words: 'ok',
  },
  {
    name: 'a call cut off before its arguments is not run with none',
    script: [{ calls: [{ id: '1', name: 'look' }], finish: 'length' }, { text: 'ok' }],
    options: { tools: [look] },
    recovers: ['reask_truncated_call'],
    exit: 'answered',
  },
  {
    name: 'words beside a call that only keeps the books are the answer when nothing follows',
    script: [{ text: 'All done: 42.', calls: [{ id: '1', name: 'books' }] }, {}],
    options: { tools: [testTool('books', async () => ({ content: [createTextBlock('noted', 'tool')] }), { housekeeping: true })] },
    recovers: [],
    exit: 'answered',
    words: 'All done: 42.',
  },
  {
    name: 'does not wait for hours',
    script: [fails({ type: 'rate_limited', detail: '429', retryAfterMs: 7_200_000 })],
    recovers: [],
    exit: 'rate_limited',
    slept: [],
  },
  {
    name: 'a second throttling takes the next key',
    script: [brieflyLimited, brieflyLimited, { text: 'ok' }],
    options: { routes: { rotate: async (runtime) => ({ ...runtime, credential: 'KEY#2' }) } },
    recovers: ['wait', 'rotate'],
    exit: 'answered',
  },
  {
    name: 'a fresh key does not wait out what the first was told',
    script: [limited, { text: 'ok' }],
    options: { routes: { rotate: async (runtime) => ({ ...runtime, credential: 'KEY#2' }) } },
    recovers: ['rotate'],
    exit: 'answered',
    slept: [],
  },
  {
    name: 'another route does not wait out what the first was told',
    script: [limited, { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER } },
    recovers: ['fallback'],
    exit: 'answered',
    slept: [],
  },
  {
    name: 'a stated wait of nothing does not use up all tries at once',
    script: Array.from({ length: 4 }, () => fails({ type: 'rate_limited', detail: '429', retryAfterMs: 0 })),
    recovers: ['wait', 'wait', 'wait'],
    exit: 'rate_limited',
    slept: [1_000, 2_000, 4_000],
  },
  {
    name: 'no credit takes the next key at once',
    script: [fails({ type: 'billing', detail: '402' }), { text: 'ok' }],
    options: { routes: { rotate: async (runtime) => ({ ...runtime, credential: 'KEY#2' }) } },
    recovers: ['rotate'],
    exit: 'answered',
  },
  {
    name: 'a refreshed secret is tried again',
    script: [fails({ type: 'unauthorized', detail: '401' }), { text: 'ok' }],
    options: { routes: { refresh: async () => true } },
    recovers: ['refresh'],
    exit: 'answered',
  },
  {
    name: 'a dead provider leads to the fallback after two waits',
    script: [overloaded, overloaded, overloaded, { text: 'ok' }],
    options: { routes: { fallback: async (_runtime, tried) => (tried === 0 ? OTHER : undefined) } },
    recovers: ['wait', 'wait', 'fallback'],
    exit: 'answered',
  },
  {
    name: 'a model that is not there leads to the fallback at once',
    script: [fails({ type: 'model_not_found', detail: '404' }), { text: 'ok' }],
    options: { routes: { fallback: async () => OTHER } },
    recovers: ['fallback'],
    exit: 'answered',
  },
  {
    name: 'a route that cannot stream is asked without',
    script: [fails({ type: 'streaming_refused', detail: '400' }), { text: 'ok' }],
    recovers: ['unstream'],
    exit: 'answered',
  },
  {
    name: 'a refused parameter is left out',
    script: [fails({ type: 'parameter_refused', detail: '400', parameter: 'temperature' }), { text: 'ok' }],
    recovers: ['drop_parameter'],
    exit: 'answered',
  },
  {
    name: 'an unnamed parameter cannot be left out',
    script: [fails({ type: 'parameter_refused', detail: '400' })],
    recovers: [],
    exit: 'parameter_refused',
  },
  {
    name: 'a signature that is refused where nothing was signed cannot be left out',
    script: [fails({ type: 'bad_signature', detail: '400' })],
    recovers: [],
    exit: 'bad_signature',
  },
  {
    name: 'a stated output cap is kept to',
    script: [fails({ type: 'output_cap', detail: '400', available: 4_000 }), { text: 'ok' }],
    recovers: ['cap_output'],
    exit: 'answered',
  },
  {
    name: 'a grammar that refuses schemas gets plain ones',
    script: [fails({ type: 'schema_refused', detail: '400' }), { text: 'ok' }],
    recovers: ['plain_schemas'],
    exit: 'answered',
  },
  {
    name: 'refused images are left out',
    script: [{ calls: [{ id: '1', name: 'see' }] }, fails({ type: 'image_refused', detail: '400' }), { text: 'ok' }],
    options: { tools: [testTool('see', async () => ({ content: [{ type: 'image', mime: 'image/png', data: 'AAAA', trust: 'tool' }] }))] },
    recovers: ['strip_images'],
    exit: 'answered',
  },
  {
    name: 'a request without images is not sent again as if it had some',
    script: [fails({ type: 'image_refused', detail: '400' })],
    recovers: [],
    exit: 'image_refused',
  },
  {
    name: 'a call whose arguments never end is given up as cut off',
    script: Array.from({ length: 5 }, () => ({ text: 'Writing.', calls: [cutOff], finish: 'length' as const })),
    options: { tools: [look] },
    recovers: Array.from({ length: 4 }, () => 'reask_truncated_call'),
    exit: 'truncated',
  },
  {
    name: 'an answer in three pieces is one answer',
    script: [{ text: 'a', finish: 'length' }, { text: 'b', finish: 'length' }, { text: 'c' }],
    recovers: ['continue_truncated', 'continue_truncated'],
    exit: 'answered',
    words: 'abc',
  },
  {
    name: 'an answer without end is handed over as far as it came',
    script: Array.from({ length: 5 }, () => ({ text: 'x', finish: 'length' as const })),
    recovers: Array.from({ length: 4 }, () => 'continue_truncated'),
    exit: 'truncated',
    words: 'xxxxx',
  },
  {
    name: 'a cut-off call is asked for again and never run',
    script: [{ calls: [cutOff], finish: 'length' }, { text: 'ok' }],
    options: { tools: [look] },
    recovers: ['reask_truncated_call'],
    exit: 'answered',
  },
  {
    name: 'the model is told of broken arguments at once',
    script: [{ calls: [broken] }, { text: 'ok' }],
    options: { tools: [look] },
    recovers: [],
    exit: 'answered',
  },
  {
    name: 'an empty reply is asked for again after a pause',
    script: [{}, {}, { text: 'ok' }],
    recovers: ['retry_empty', 'retry_empty'],
    exit: 'answered',
    slept: [5_000, 10_000],
  },
  {
    name: 'an empty reply after tools is nudged once',
    script: [{ calls: [{ id: '1', name: 'look' }] }, {}, {}, { text: 'ok' }],
    options: { tools: [look] },
    recovers: ['nudge_empty', 'retry_empty'],
    exit: 'answered',
  },
  {
    name: 'nothing but silence ends as empty',
    script: [{}, {}, {}, {}],
    recovers: ['retry_empty', 'retry_empty', 'retry_empty'],
    exit: 'empty',
  },
  {
    name: 'thoughts without words are asked for words',
    script: [{ thinking: 'hm' }, { thinking: 'hm' }, { text: 'ok' }],
    recovers: ['prefill_thinking', 'prefill_thinking'],
    exit: 'answered',
  },
  {
    name: 'words of a broken stream are handed over at the end',
    script: Array.from({ length: 4 }, () => fails({ type: 'network', detail: 'reset', partial: { text: 'so far' } })),
    recovers: ['wait', 'wait', 'wait'],
    exit: 'cut_off',
    words: 'so far',
  },
  {
    name: 'what was said before a filter stepped in is kept',
    script: [fails({ type: 'content_blocked', detail: '400: filtered', partial: { text: 'The first half' } })],
    recovers: [],
    exit: 'cut_off',
    words: 'The first half',
  },
  {
    name: 'a model that is not there is told with the nearest that are',
    script: [fails({ type: 'model_not_found', detail: '404: no such model' })],
    options: { routes: { models: async () => ['other-9', 'script-1-turbo', 'vendor/script-1', 'scripts-1', 'far-away'] } },
    recovers: [],
    exit: 'model_not_found',
    words:
      'The model call failed (model not found): 404: no such model\nThe server has no model script-1. Nearest: script-1-turbo, vendor/script-1, scripts-1 and 2 more (hermes model --list).\nCheck the name of the model (-m MODEL or model.default).',
  },
  {
    name: 'a server that paused its own work goes on',
    script: [{ text: 'Searching. ', finish: 'paused' }, { text: 'Found.' }],
    recovers: [],
    exit: 'answered',
    words: 'Searching. Found.',
  },
  { name: 'a refusal is not asked again', script: [{ text: 'no', finish: 'content_filter' }], recovers: [], exit: 'content_blocked' },
  { name: 'a bad request is not asked again', script: [fails({ type: 'bad_request', detail: '400' })], recovers: [], exit: 'bad_request' },
];

for (const { name, script, options, recovers, exit, words, slept } of CASES) {
  test(name, async () => {
    const scene = await setup(scriptedProvider(script), options);
    const { events, outcome } = await play(scene, 'go');
    assert.deepEqual({ recovers: strategies(events), exit: outcome?.exitReason }, { recovers, exit });
    if (words !== undefined) assert.equal(outcome?.text, words);
    if (slept !== undefined) assert.deepEqual(scene.clock.slept, slept);
    assert.notEqual(outcome?.text, '');
  });
}

test('what was learnt about a route is used from the first call of the next turn', async () => {
  const facts: object[] = [];
  const provider = scriptedProvider([fails({ type: 'streaming_refused', detail: '400' }), { text: 'ok' }, { text: 'again' }]);
  const scene = await setup(provider, {
    routes: { learn: async (_runtime, news) => void facts.push(news), learnt: async () => Object.assign({}, ...facts) },
  });
  await play(scene, 'one');
  await play(scene, 'two');
  assert.deepEqual(
    provider.requests.map((request) => request.adjust.stream),
    [true, false, false],
  );
});

test('counters of a call start again with the next usable message', async () => {
  const step = (id: string): ScriptedAnswer => ({ calls: [{ id, name: 'look', input: { id } }] });
  const scene = await setup(
    scriptedProvider([overloaded, overloaded, overloaded, step('1'), overloaded, overloaded, overloaded, { text: 'ok' }]),
    { tools: [look] },
  );
  const { outcome } = await play(scene, 'go');
  assert.equal(outcome?.exitReason, 'answered');
});

test('a loop of identical failing calls is warned about, then ended with a closing call', async () => {
  const failing = testTool('failing', async () => {
    throw new Error('no');
  });
  const provider = scriptedProvider((request, index) =>
    request.toolUse === 'forbidden' ? { text: 'I am stuck.' } : { calls: [{ id: String(index), name: 'failing' }] },
  );
  const { outcome } = await play(await setup(provider, { tools: [failing] }), 'go');
  assert.deepEqual(outcome, { type: 'stopped', exitReason: 'loop_guard', text: 'I am stuck.', words: 'model' });
  assert.equal(provider.requests.length, 6);
  const shown = JSON.stringify(provider.requests.at(-1)?.messages);
  assert.match(shown, /failed 2 times with the same result/);
});

test('three steps that name no known tool end with a closing call', async () => {
  const provider = scriptedProvider((request, index) =>
    request.toolUse === 'forbidden' ? { text: 'Sorry.' } : { calls: [{ id: String(index), name: `ghost_${index}` }] },
  );
  const { outcome } = await play(await setup(provider, { tools: [look] }), 'go');
  assert.equal(outcome?.exitReason, 'invalid_tool_calls');
  assert.equal(provider.requests.length, 4);
});

test('a token budget is judged before the call and leaves room for the closing one', async () => {
  const provider = scriptedProvider((request, index) =>
    request.toolUse === 'forbidden'
      ? { text: 'Out of budget.' }
      : { calls: [{ id: String(index), name: 'look', input: { index } }], usage: { input: 900, output: 100 } },
  );
  const { outcome } = await play(await setup(provider, { tools: [look], settings: { 'agent.budget_tokens': 18_000 } }), 'go');
  assert.equal(outcome?.exitReason, 'token_budget');
  const asked = provider.requests.map(({ adjust }) => adjust.maxOutput ?? 0);
  assert.equal(asked[0], 8_192);
  assert.ok((asked.at(-1) ?? Infinity) < 2_000, 'less and less may be answered');
  assert.ok((provider.requests.length - 1) * 1_000 <= 18_000);
});

test('with a money budget an unknown price is said and refused before the first call', async () => {
  const provider = scriptedProvider([{ text: 'never said' }]);
  const { outcome } = await play(await setup(provider, { settings: { 'agent.budget_usd': 1 } }), 'go');
  assert.deepEqual([outcome?.type, outcome?.exitReason, provider.requests.length], ['stopped', 'money_budget', 0]);
  assert.match(outcome?.text ?? '', /^Not sent: the price of script-1 is unknown.*agent\.budget_tokens/);
});

test('a fallback route is waited for as patiently as the first', async () => {
  const scene = await setup(scriptedProvider([overloaded, overloaded, overloaded, overloaded, overloaded, { text: 'ok' }]), {
    routes: { fallback: async (_runtime, tried) => (tried === 0 ? OTHER : undefined) },
  });
  const { events, outcome } = await play(scene, 'go');
  assert.deepEqual([strategies(events), outcome?.exitReason], [['wait', 'wait', 'fallback', 'wait', 'wait'], 'answered']);
});

test('another host is asked plainly, whatever this one refused', async () => {
  const provider = scriptedProvider([
    fails({ type: 'streaming_refused', detail: '400' }),
    fails({ type: 'model_not_found', detail: '404' }),
    { text: 'ok' },
  ]);
  await play(await setup(provider, { routes: { fallback: async () => OTHER } }), 'go');
  assert.deepEqual(
    provider.requests.map(({ runtime, adjust }) => [runtime.provider, adjust.stream]),
    [
      ['scripted', true],
      ['scripted', false],
      ['other', true],
    ],
  );
});

test('a report that closes the turn does not go on with a sentence that was cut off', async () => {
  const provider = scriptedProvider((request) =>
    request.toolUse === 'forbidden' ? { text: 'Report.' } : { text: 'The answer is fort', finish: 'length' },
  );
  const { outcome } = await play(await setup(provider, { settings: { 'agent.max_turns': 1 } }), 'go');
  assert.equal(outcome?.text, 'The answer is fort\n\nReport.');
});

test('of two reads of the very same thing in one reply the first runs', async () => {
  const starts: string[] = [];
  const peek = testTool('peek', async (_input, { callId }) => (starts.push(callId), { content: [createTextBlock('seen', 'tool')] }), {
    idempotent: true,
  });
  const twice = {
    calls: [
      { id: 'a', name: 'peek', input: { x: 1, y: 2 } },
      { id: 'b', name: 'peek', input: { y: 2, x: 1 } },
    ],
  };
  const scene = await setup(scriptedProvider([twice, { text: 'ok' }]), { tools: [peek] });
  await play(scene, 'go');
  assert.deepEqual(starts, ['a']);
  assert.match(JSON.stringify(await scene.store.entries(scene.session.id)), /same call as a in the same step/);
});

test('a read that is asked again after a write runs again, and a write always runs', async () => {
  const starts: string[] = [];
  const note = (over: Parameters<typeof testTool>[2] & { readonly name: string }) =>
    testTool(over.name, async (_input, { callId }) => (starts.push(callId), { content: [createTextBlock('done', 'tool')] }), over);
  const tools = [
    note({ name: 'peek', idempotent: true, effects: () => ({ kind: 'read', resources: ['path:/w/a'] }) }),
    note({ name: 'beside', replay: 'never', effects: () => ({ kind: 'write', resources: ['path:/w/b'] }) }),
    note({ name: 'edit', replay: 'never', effects: () => ({ kind: 'write', resources: ['path:/w'] }) }),
    note({ name: 'poll', effects: () => ({ kind: 'read', resources: ['processes'] }) }),
  ];
  const names = ['peek', 'beside', 'peek', 'edit', 'peek', 'edit', 'poll', 'poll'];
  const reply = { calls: names.map((name, index) => ({ id: `${name}${index}`, name, input: {} })) };
  const scene = await setup(scriptedProvider([reply, { text: 'ok' }]), { tools });
  await play(scene, 'go');
  assert.deepEqual(starts, ['peek0', 'beside1', 'edit3', 'peek4', 'edit5', 'poll6', 'poll7']);
});

test('a stop while another process has the session ends as stopped and writes nothing', async () => {
  const scene = await setup(scriptedProvider([]));
  await scene.store.claim(scene.session.id);
  const { outcome } = await play(scene, 'go', AbortSignal.abort('interrupted'));
  assert.equal(outcome?.exitReason, 'interrupted');
  assert.deepEqual(await scene.store.entries(scene.session.id), []);
});

test('a closing call that asks for tools all the same is not repeated', async () => {
  const provider = scriptedProvider((_request, index) => ({ calls: [{ id: String(index), name: 'look', input: { index } }] }));
  const scene = await setup(provider, { tools: [look], settings: { 'agent.max_turns': 2 } });
  const { outcome } = await play(scene, 'go');
  assert.deepEqual([provider.requests.length, outcome?.exitReason, scene.clock.slept], [3, 'turn_limit', []]);
  assert.match(outcome?.text ?? '', /limit of model calls/);
});

test('many failures of one tool in one reply count once: the model has not seen the first yet', async () => {
  const missing = testTool('missing', async () => {
    throw new Error('not there');
  });
  const all = { calls: Array.from({ length: 10 }, (_, index) => ({ id: String(index), name: 'missing', input: { index } })) };
  const { outcome } = await play(await setup(scriptedProvider([all, { text: 'ok' }]), { tools: [missing] }), 'go');
  assert.equal(outcome?.exitReason, 'answered');
});

test('under a budget every call states how much it may give, and a used-up budget allows no call at all', async () => {
  const provider = scriptedProvider([{ text: 'one', usage: { input: 30_000, output: 10 } }]);
  const scene = await setup(provider, { settings: { 'agent.budget_tokens': 30_000 } });
  assert.equal((await play(scene, 'go')).outcome?.exitReason, 'answered');
  assert.equal(provider.requests[0]?.adjust.maxOutput, 8_192);
  const { outcome } = await play(scene, 'more');
  assert.deepEqual([outcome?.exitReason, provider.requests.length], ['token_budget', 1]);
});

test('a wait that is too long to be begun is told', async () => {
  const provider = scriptedProvider([fails({ type: 'rate_limited', detail: '429', retryAfterMs: 3_600_000 })]);
  const { outcome } = await play(await setup(provider), 'go');
  assert.match(outcome?.text ?? '', /The provider asks to wait for 1\.0 h before the next try\./);
  const short = await play(await setup(scriptedProvider([])), 'go');
  assert.doesNotMatch(short.outcome?.text ?? '', /asks to wait/);
});
