import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AssistantMessage, type Json, createTextBlock } from '../../../src/contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../src/contracts/provider.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';
import { anthropicMessages } from '../../../src/parts/providers/protocols/anthropic-messages.ts';
import { openaiChat } from '../../../src/parts/providers/protocols/openai-chat.ts';
import { openaiResponses } from '../../../src/parts/providers/protocols/openai-responses.ts';
import { MODEL, requestOf, said, thought } from './setup.ts';

const NATIVES: Readonly<Record<ProtocolId, Json>> = {
  'openai-chat': [{ type: 'reasoning.text', text: 'hm', index: 0 }],
  'anthropic-messages': { type: 'thinking', thinking: 'hm', signature: 's' },
  'openai-responses': { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'xyz' },
};

/** A small generator with a seed, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state / 2_147_483_648;
}

/** A conversation as a loop would have it, cut where a request goes out. */
function conversation(seed: number, protocol: ProtocolId): readonly (readonly ViewMessage[])[] {
  const source = numbers(seed * 104_729);
  const below = (limit: number) => Math.floor(source.next().value * limit);
  const words = () => ['ok', 'naïve 🙂', '', ' ', '"quoted"\n', 'a\ud800b', '<think>x</think>'][below(7)] ?? '';
  const views: ViewMessage[] = [];
  const requests: ViewMessage[][] = [];
  for (let turn = 0; turn < 1 + below(4); turn++) {
    const wireOnly = below(3) === 0 ? { wireOnly: [createTextBlock('recalled', 'tool')] } : {};
    const image = below(4) === 0 ? [{ type: 'image', mime: 'image/png', data: 'aGk=', trust: 'owner' } as const] : [];
    views.push({ message: { role: 'user', content: [createTextBlock(words(), 'owner'), ...image] }, ...wireOnly });
    for (let step = 0; step < 1 + below(3); step++) {
      requests.push([...views]);
      const calls = Array.from({ length: below(3) }, (_, index) => MODEL.call(`c${turn}_${step}_${index}`, { b: words(), a: below(9) }));
      const thinking = below(2) === 0 ? [thought('hm', NATIVES[protocol], protocol)] : [thought('hm')];
      const message: AssistantMessage = { role: 'assistant', content: [...thinking, ...(below(2) === 0 ? [said(words())] : []), ...calls] };
      views.push({ message });
      for (const call of calls) {
        views.push({
          message: { role: 'tool', callId: call.id, name: call.name, content: [createTextBlock(words(), 'tool')], failed: below(2) === 0 },
          ...(below(5) === 0 && { wireOnly: [createTextBlock('note', 'tool')] }),
        });
      }
      if (calls.length === 0) break;
    }
  }
  return requests;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const unmarked = (body: string): string => body.replaceAll(/,"cache_control":\{"type":"ephemeral"(,"ttl":"1h")?\}/g, '');
/** The body up to the end of its last message: what follows may differ from call to call. */
const prefix = (body: string): string => {
  const plain = unmarked(body);
  const tail = ['],"tool_choice"', '],"max_', '],"parallel', '],"prompt_cache_key"', '],"store"', '],"stream"']
    .map((mark) => plain.lastIndexOf(mark))
    .filter((at) => at >= 0);
  return plain.slice(0, Math.min(...tail));
};

const PROTOCOLS = [
  ['openai-chat', openaiChat],
  ['openai-chat', () => openaiChat({ cacheMarks: true, reasoningEcho: true, needsMaxTokens: true })],
  ['anthropic-messages', anthropicMessages],
  ['openai-responses', () => openaiResponses({ promptCacheKey: true })],
] as const;

for (const [index, [id, make]] of PROTOCOLS.entries()) {
  test(`${id} (${index}): each request stands byte for byte at the head of the next`, () => {
    for (let seed = 1; seed <= 150; seed++) {
      const protocol = make();
      let before: { readonly body: string; readonly segments: readonly object[] } | undefined;
      for (const [step, messages] of conversation(seed, id).entries()) {
        const request: ModelRequest = frozen(
          requestOf(id, { messages, cacheTtl: step % 2 === 0 ? '5m' : '1h', toolUse: step % 3 === 2 ? 'forbidden' : 'auto' }),
        );
        const now = protocol.encode(request);
        JSON.parse(now.body);
        assert.deepEqual(make().encode(request), now, 'a fresh encoder that remembers nothing gives the same');
        if (before !== undefined) {
          assert.ok(prefix(now.body).startsWith(prefix(before.body)), JSON.stringify({ seed, step, before: before.body, now: now.body }));
          assert.deepEqual(now.segments.slice(0, before.segments.length), before.segments);
        }
        before = now;
      }
    }
  });
}

test('a message that has been encoded is not read again', () => {
  for (const [id, make] of PROTOCOLS) {
    let reads = 0;
    const counted: ViewMessage = {
      message: {
        role: 'user',
        get content() {
          reads += 1;
          return [createTextBlock('Hi', 'owner')];
        },
      },
    };
    const protocol = make();
    const first = protocol.encode(requestOf(id, { messages: [counted] }));
    const once = reads;
    const later = protocol.encode(
      requestOf(id, { messages: [counted, { message: { role: 'assistant', content: [said('Hello')] } }, counted] }),
    );
    assert.ok(once > 0 && reads === once, id);
    assert.equal(later.segments.at(-1)?.hash, first.segments.at(-1)?.hash);
  }
});
