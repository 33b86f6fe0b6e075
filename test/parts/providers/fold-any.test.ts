import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelEvent, Protocol } from '../../../src/contracts/provider.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';
import { anthropicMessages } from '../../../src/parts/providers/protocols/anthropic-messages.ts';
import { openaiChat } from '../../../src/parts/providers/protocols/openai-chat.ts';
import { openaiResponses } from '../../../src/parts/providers/protocols/openai-responses.ts';
import { fold, requestOf, terminals } from './setup.ts';

/** A small generator with a seed, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state / 2_147_483_648;
}

const KEYS = [
  'type',
  'index',
  'delta',
  'choices',
  'content',
  'content_block',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'item',
  'output_index',
  'response',
  'output',
  'usage',
  'message',
  'finish_reason',
  'stop_reason',
  'reasoning_details',
  'reasoning_content',
  'text',
  'thinking',
  'partial_json',
  'summary',
  'error',
];
const WORDS = [
  '',
  'Hi',
  '<think>',
  '</think>',
  '{"a":',
  'text',
  'tool_use',
  'thinking',
  'text_delta',
  'thinking_delta',
  'input_json_delta',
  'signature_delta',
  'content_block_start',
  'content_block_delta',
  'message_delta',
  'message_stop',
  'response.output_text.delta',
  'response.output_item.done',
  'response.completed',
  'function_call',
  'reasoning',
  'stop',
  'constructor',
  '__proto__',
];

function frames(seed: number): (readonly [string | undefined, unknown])[] {
  const source = numbers(seed * 7_368_787);
  const below = (limit: number) => Math.floor(source.next().value * limit);
  const value = (depth: number): unknown => {
    const kind = below(depth > 3 ? 4 : 7);
    if (kind === 0) return null;
    if (kind === 1) return below(5) - 1;
    if (kind <= 3) return WORDS[below(WORDS.length)];
    if (kind === 4) return Array.from({ length: below(3) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: 1 + below(6) }, () => [KEYS[below(KEYS.length)], value(depth + 1)]));
  };
  return Array.from({ length: 1 + below(8) }, () => [
    WORDS[below(WORDS.length)],
    { ...(below(2) === 0 && { type: WORDS[below(WORDS.length)] }), frame: 0, ...Object(value(0)) },
  ]);
}

const check = <Frame, State>(protocol: Protocol<Frame, State>, id: ProtocolId): void => {
  for (let seed = 1; seed <= 600; seed++) {
    const given = frames(seed);
    const events: ModelEvent[] = fold(protocol, requestOf(id), given);
    assert.equal(terminals(events).length, 1, JSON.stringify({ seed, given }));
    assert.equal(terminals(events)[0], events.at(-1));
  }
};

test('openai-chat: no frames whatever can throw or end twice', () => check(openaiChat(), 'openai-chat'));
test('anthropic-messages: no frames whatever can throw or end twice', () => check(anthropicMessages(), 'anthropic-messages'));
test('openai-responses: no frames whatever can throw or end twice', () => check(openaiResponses(), 'openai-responses'));
