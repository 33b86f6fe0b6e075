import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/contracts/message.ts';
import type { ModelRequest, Sampling } from '../../../src/contracts/provider.ts';
import { PLAIN, type ProtocolId } from '../../../src/contracts/runtime.ts';
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
    const adjust = { ...PLAIN, without: ['temperature', 'top_k'] };
    const { temperature: _t, top_k: _k, ...rest } = SAID[id];
    assert.deepEqual(bodyOf(id, { sampling: ALL, adjust }), { ...bodyOf(id), ...rest });
  });

  test(`${id}: no recovery and no owner's limit asks for more than the sampling allows`, () => {
    const most = (more: Partial<ModelRequest>) => bodyOf(id, more)[id === 'openai-responses' ? 'max_output_tokens' : 'max_tokens'];
    const runtime = runtimeOf(id, { limits: { window: 100_000, maxOutput: 900 } });
    assert.equal(most({ runtime, sampling: { maxOutput: 200 } }), 200);
    assert.equal(most({ runtime, sampling: { maxOutput: 200 }, adjust: { ...PLAIN, maxOutput: 4_000 } }), 200);
    assert.equal(most({ runtime, sampling: { maxOutput: 2_000 } }), 900);
  });

  test(`${id}: a prompt that rendered nothing leaves no system message`, () => {
    const { system: _s, instructions: _i, messages: _m, ...same } = bodyOf(id);
    const { messages, ...silent } = bodyOf(id, { system: '' });
    assert.deepEqual(silent, same);
    if (id === 'openai-chat') assert.deepEqual(messages, [{ role: 'user', content: 'Hi' }]);
  });
}
