import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, Sampling } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type ProtocolId } from '../../../src/contracts/runtime.ts';
import { anthropicMessages } from '../../../src/parts/providers/protocols/anthropic-messages.ts';
import { openaiChat } from '../../../src/parts/providers/protocols/openai-chat.ts';
import { openaiResponses } from '../../../src/parts/providers/protocols/openai-responses.ts';
import { requestOf, runtimeOf } from './setup.ts';

const MAKE = { 'openai-chat': openaiChat, 'anthropic-messages': anthropicMessages, 'openai-responses': openaiResponses } as const;
const IDS = Object.keys(MAKE).filter((id): id is ProtocolId => id in MAKE);
const encoded = (id: ProtocolId, more: Partial<ModelRequest> = {}) => MAKE[id]({}).encode(requestOf(id, more));
const bodyOf = (id: ProtocolId, more: Partial<ModelRequest> = {}): JsonObject => JSON.parse(encoded(id, more).body);

const ALL: Sampling = {
  temperature: 0.2,
  topP: 0.9,
  seed: 7,
  stop: ['\nUser:', 'END'],
  maxOutput: 321,
  logprobs: 5,
  extraBody: { top_k: 40, guided: { b: 1, a: 2 }, model: 'another', stream: false },
};

/** What each wire says of all of it, beyond a request that asks for nothing. A field that is not here has no name on that wire. */
const SAID: Readonly<Record<ProtocolId, JsonObject>> = {
  'openai-chat': {
    max_tokens: 321,
    temperature: 0.2,
    top_p: 0.9,
    seed: 7,
    stop: ['\nUser:', 'END'],
    logprobs: true,
    top_logprobs: 5,
    guided: { a: 2, b: 1 },
    top_k: 40,
  },
  'openai-responses': {
    max_output_tokens: 321,
    temperature: 0.2,
    top_p: 0.9,
    top_logprobs: 5,
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    guided: { a: 2, b: 1 },
    top_k: 40,
  },
  'anthropic-messages': {
    max_tokens: 321,
    temperature: 0.2,
    top_p: 0.9,
    stop_sequences: ['\nUser:', 'END'],
    guided: { a: 2, b: 1 },
    top_k: 40,
  },
};

for (const id of IDS) {
  test(`${id}: every way of choosing words has its place in the body or is left out, and what the request says itself stays`, () => {
    assert.deepEqual(bodyOf(id, { sampling: ALL }), { ...bodyOf(id), ...SAID[id] });
  });

  test(`${id}: asking for nothing changes no byte, and the cached parts never change`, () => {
    assert.equal(encoded(id, { sampling: {} }).body, encoded(id).body);
    assert.deepEqual(encoded(id, { sampling: ALL }).segments, encoded(id).segments);
  });

  test(`${id}: the order in which further parameters were given changes no byte`, () => {
    const one = encoded(id, { sampling: { extraBody: { a: { x: 1, y: 2 }, b: 2 } } });
    assert.equal(one.body, encoded(id, { sampling: { extraBody: { b: 2, a: { y: 2, x: 1 } } } }).body);
  });

  test(`${id}: what the route refused is left out, further parameters too`, () => {
    const adjust = { ...DEFAULT_ADJUSTMENTS, without: ['temperature', 'top_k'] };
    const { temperature: _t, top_k: _k, ...rest } = SAID[id];
    assert.deepEqual(bodyOf(id, { sampling: ALL, adjust }), { ...bodyOf(id), ...rest });
  });

  test(`${id}: no recovery and no owner's limit asks for more than the sampling allows`, () => {
    const most = (more: Partial<ModelRequest>) => bodyOf(id, more)[id === 'openai-responses' ? 'max_output_tokens' : 'max_tokens'];
    const runtime = runtimeOf(id, { limits: { window: 100_000, maxOutput: 900 } });
    assert.equal(most({ runtime, sampling: { maxOutput: 200 } }), 200);
    assert.equal(most({ runtime, sampling: { maxOutput: 200 }, adjust: { ...DEFAULT_ADJUSTMENTS, maxOutput: 4_000 } }), 200);
    assert.equal(most({ runtime, sampling: { maxOutput: 2_000 } }), 900);
  });

  test(`${id}: a prompt that rendered nothing leaves no system message`, () => {
    const { system: _s, instructions: _i, messages: _m, ...same } = bodyOf(id);
    const { messages, ...silent } = bodyOf(id, { system: '' });
    assert.deepEqual(silent, same);
    if (id === 'openai-chat') assert.deepEqual(messages, [{ role: 'user', content: 'Hi' }]);
  });
}

const SPOKEN = [
  { token: 'He', logprob: -0.1, bytes: [72, 101], top_logprobs: [{ token: 'He', logprob: -0.1, bytes: [72, 101] }] },
  { token: 'y', logprob: -0.5, bytes: [121], top_logprobs: [] },
];
const TOLD = [
  { token: 'He', logprob: -0.1, top: [{ token: 'He', logprob: -0.1 }] },
  { token: 'y', logprob: -0.5, top: [] },
];

test('log-probabilities that were asked for come with the answer, streamed and whole; nobody asked, nobody is told', () => {
  const chunk = (index: number, finish: string | null) => ({
    choices: [{ delta: { content: SPOKEN[index]?.token }, logprobs: { content: SPOKEN.slice(index, index + 1) }, finish_reason: finish }],
  });
  const message = { type: 'message', content: [{ type: 'output_text', text: 'Hey', logprobs: SPOKEN }] };
  const streams = {
    'openai-chat': [chunk(0, null), chunk(1, 'stop')],
    'openai-responses': [
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hey' },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { output: [message] } },
    ],
  };
  const wholes = {
    'openai-chat': { choices: [{ message: { content: 'Hey' }, logprobs: { content: SPOKEN }, finish_reason: 'stop' }] },
    'openai-responses': { output: [message] },
  };
  const toldBy = (events: readonly ModelEvent[]) => events.flatMap((event) => (event.type === 'done' ? [event.logprobs] : []));
  for (const sampling of [{ logprobs: 1 }, {}]) {
    const told = 'logprobs' in sampling ? [TOLD] : [undefined];
    for (const id of ['openai-chat', 'openai-responses'] as const) {
      const request = requestOf(id, { sampling });
      assert.deepEqual(toldBy(foldAll(id, request, streams[id])), told, id);
      assert.deepEqual(toldBy(MAKE[id]({}).whole(request, JSON.stringify(wholes[id]))), told, id);
    }
  }
});

function foldAll(id: 'openai-chat' | 'openai-responses', request: ModelRequest, frames: readonly object[]): readonly ModelEvent[] {
  const { begin, parse, step, end } = MAKE[id]({});
  let state = begin(request);
  const heard: ModelEvent[] = [];
  for (const frame of frames) {
    const parsed = parse(undefined, JSON.stringify(frame));
    if (parsed === undefined || parsed === '[DONE]') continue;
    const [next, events] = step(state, parsed);
    state = next;
    heard.push(...events);
  }
  return [...heard, ...end(state)];
}
