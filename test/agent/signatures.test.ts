import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { replayCall } from '../../src/agent/replay.ts';
import type { AssistantMessage } from '../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../src/contracts/provider.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { scriptedProvider, type Script, type ScriptedProvider } from '../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup } from './setup.ts';

/** A model whose every answer is signed with its number, and that refuses requests as told. */
function signing(script: Script): ScriptedProvider {
  const inner = scriptedProvider(script);
  const stream: Provider['stream'] = async function* (encoded, call) {
    const number = inner.requests.length + 1;
    for await (const event of inner.stream(encoded, call)) yield event.type === 'done' ? signed(event, number) : event;
  };
  return { requests: inner.requests, encode: inner.encode, stream };
}
function signed(event: Extract<ModelEvent, { type: 'done' }>, number: number): ModelEvent {
  const native = { protocol: 'openai-chat', issuer: 'x', data: `signature ${number}` } as const;
  const message: AssistantMessage = {
    ...event.message,
    content: [{ type: 'thinking', text: 'hm', trust: 'model', native }, ...event.message.content],
  };
  return { ...event, message };
}
const signaturesIn = ({ messages }: ModelRequest): string[] =>
  [...JSON.stringify(messages).matchAll(/signature \d+/g)].map(([found]) => found);

test('bad signatures are stripped once and for all, not refused again in the next turn', async () => {
  const provider = signing(({ messages }) =>
    JSON.stringify(messages).includes('signature 1') ? { fails: { type: 'bad_signature', detail: '400: signature 1' } } : { text: 'ok' },
  );
  const { store, session, deps } = await setup(provider);
  const agent = createAgent(store, deps, RUNTIME);
  const ends: unknown[] = [];
  for (const words of ['one', 'two', 'three', 'four']) {
    const { outcome } = await collect(agent.send(session, says(words), new AbortController().signal));
    ends.push(outcome?.type);
  }
  assert.deepEqual(ends, ['answered', 'answered', 'answered', 'answered']);
  assert.deepEqual(provider.requests.map(signaturesIn), [[], ['signature 1'], [], ['signature 3'], ['signature 3', 'signature 4']]);
  const [calls, entries] = [await store.calls({ sessionId: session.id }), await store.entries(session.id)];
  assert.ok(calls.every((call) => replayCall(call, entries, windowEngine, provider.encode).identical));
});
