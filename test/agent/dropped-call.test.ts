import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { BOUNDS } from '../../src/agent/bounds.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import type { ProtocolId } from '../../src/contracts/runtime.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { collect, RUNTIME, says, setup } from './setup.ts';

type Frames = readonly (readonly [event: string | undefined, data: object | string])[];
const chat = (text: string, finish: string): Frames => [
  [undefined, { choices: [{ delta: { content: text } }] }],
  [undefined, { choices: [{ delta: {}, finish_reason: finish }] }],
  [undefined, '[DONE]'],
];
const anthropic = (text: string, reason: string): Frames => [
  ['message_start', { type: 'message_start', message: { usage: { input_tokens: 1 } } }],
  ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text } }],
  ['message_delta', { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } }],
  ['message_stop', { type: 'message_stop' }],
];
const responses = (text: string, lost: Frames = []): Frames => [
  [undefined, { type: 'response.output_text.delta', output_index: 0, delta: text }],
  ...lost,
  [undefined, { type: 'response.completed', response: { status: 'completed', output: [] } }],
];
const LOST: Frames = [[undefined, { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"command"' }]];

/** The reply that announces a call and brings none, and a plain one, as each wire has them. */
const WIRES: Readonly<Record<ProtocolId, readonly [announcing: Frames, plain: Frames]>> = {
  'openai-chat': [chat('I will now run it.', 'tool_calls'), chat('Done.', 'stop')],
  'anthropic-messages': [anthropic('I will now run it.', 'tool_use'), anthropic('Done.', 'end_turn')],
  'openai-responses': [responses('I will now run it.', LOST), responses('Done.')],
};

/** Answers with these frames in turn, read by the fold of the real wire; the last is repeated. */
function wireProvider(replies: readonly Frames[]): Provider & { readonly asked: () => number } {
  const formatOf = createWireFormats(() => undefined);
  let asked = 0;
  return {
    asked: () => asked,
    encode: (request) => formatOf(request.runtime).encode(request),
    async *stream({ request }) {
      const fold = formatOf(request.runtime).fold(request, 1);
      for (const [event, data] of replies[Math.min(asked++, replies.length - 1)] ?? [])
        yield* fold.take(event, typeof data === 'string' ? data : JSON.stringify(data));
      yield* fold.end();
    },
  };
}

const PROTOCOLS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
for (const protocol of PROTOCOLS) {
  const [announcing, plain] = WIRES[protocol];
  const play = async (replies: readonly Frames[]) => {
    const provider = wireProvider(replies);
    const scene = await setup(provider);
    const agent = createAgent(scene.store, scene.deps, { ...RUNTIME, protocol });
    return { ...(await collect(agent.send(scene.session, says('run it'), new AbortController().signal))), asked: provider.asked() };
  };

  test(`${protocol}: a call that was announced and lost on the way is asked for again`, async () => {
    const { events, outcome, asked } = await play([announcing, plain]);
    assert.deepEqual([outcome?.type, outcome?.text, asked], ['answered', 'Done.', 2]);
    assert.ok(events.some((event) => event.type === 'recovering' && event.strategy === 'reask_dropped_call'));
  });

  test(`${protocol}: a model that always announces calls is answered with its words`, async () => {
    const { outcome, asked } = await play([announcing]);
    assert.deepEqual([outcome?.type, outcome?.text, asked], ['answered', 'I will now run it.', 1 + BOUNDS.reask_dropped_call.limit]);
  });
}
