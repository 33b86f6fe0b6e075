import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AssistantMessage,
  type Json,
  type JsonObject,
  type Message,
  type NativeData,
  NO_USAGE,
  createTextBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolCall,
  type Usage,
  joinTextBlocks,
} from '../../../src/contracts/message.ts';
import type { FinishReason, ModelEvent, ModelRequest, Protocol, ToolDefinition, ViewMessage } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type ProtocolId, type Runtime } from '../../../src/contracts/runtime.ts';

export const runtimeOf = (protocol: ProtocolId, more: Partial<Runtime> = {}): Runtime => ({
  provider: 'custom',
  model: 'test-model',
  baseUrl: 'https://models.example',
  protocol,
  credential: 'none',
  limits: { window: 100_000 },
  ...more,
});

export const READ: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

export const user = (words: string): ViewMessage => ({ message: { role: 'user', content: [createTextBlock(words, 'owner')] } });
export const view = (message: Message): ViewMessage => ({ message });

export const requestOf = (protocol: ProtocolId, more: Partial<ModelRequest> = {}): ModelRequest => ({
  runtime: runtimeOf(protocol),
  adjust: DEFAULT_ADJUSTMENTS,
  system: 'Be brief.',
  tools: [READ],
  toolUse: 'auto',
  messages: [user('Hi')],
  cacheTtl: '5m',
  ...more,
});

/** Folds frames given as [event, data]; the stream ends after the last. */
export function fold<Frame, State>(
  protocol: Protocol<Frame, State>,
  request: ModelRequest,
  frames: readonly (readonly [string | undefined, unknown])[],
): ModelEvent[] {
  let state = protocol.begin(request, 1000);
  const events: ModelEvent[] = [];
  for (const [event, data] of frames) {
    const frame = protocol.parse(event, typeof data === 'string' ? data : JSON.stringify(data));
    if (frame === undefined) continue;
    const [next, given] = protocol.step(state, frame);
    state = next;
    events.push(...given);
  }
  return [...events, ...protocol.end(state)];
}

/** The deltas of one kind, joined. */
export const deltas = (events: readonly ModelEvent[], type: 'text_delta' | 'thinking_delta'): string =>
  events.map((event) => (event.type === type ? event.delta : '')).join('');

export const terminals = (events: readonly ModelEvent[]): ModelEvent[] =>
  events.filter((event) => event.type === 'done' || event.type === 'failed');

/** A wire test: frames in, and how the stream must end. */
export interface Case {
  readonly name: string;
  readonly frames: readonly (readonly [string | undefined, unknown])[];
  readonly ends: Done | JsonObject;
}
export interface Done {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly finish: FinishReason;
}
export const USAGE = NO_USAGE;
export const done = (content: AssistantMessage['content'], finish: FinishReason = 'stop', usage: Usage = NO_USAGE): Done => ({
  message: { role: 'assistant', content },
  usage,
  finish,
});

const native = (protocol: string, data: Json): NativeData => ({ protocol, issuer: 'models.example', data });
export const said = (words: string): TextBlock => ({ type: 'text', text: words, trust: 'model' });
export const thought = (words: string, data?: Json, protocol = 'openai-chat'): ThinkingBlock => ({
  type: 'thinking',
  text: words,
  trust: 'model',
  ...(data !== undefined && { native: native(protocol, data) }),
});
export const MODEL = {
  native,
  call: (id: string, input: Json): ToolCall => ({ type: 'tool_call', id, name: 'read_file', input, trust: 'model' }),
};

export function failedAs(events: readonly ModelEvent[], fields: JsonObject): void {
  const end = events.at(-1);
  const failure: Readonly<Record<string, unknown>> = end?.type === 'failed' ? { ...end.failure } : { type: end?.type };
  assert.deepEqual(Object.fromEntries(Object.keys(fields).map((key) => [key, failure[key]])), fields);
}

/** Runs the cases: one terminal event, the right one, and deltas that add up to the visible words. */
export function checkFolds<Frame, State>(protocol: Protocol<Frame, State>, id: ProtocolId, cases: readonly Case[]): void {
  for (const { name, frames, ends } of cases) {
    test(`${id}: ${name}`, () => {
      const events = fold(protocol, requestOf(id), frames);
      assert.equal(terminals(events).length, 1);
      const end = events.at(-1);
      if (!('message' in ends)) return failedAs(events, ends);
      assert.deepEqual(end, { type: 'done', ...ends });
      assert.equal(deltas(events, 'text_delta'), end?.type === 'done' ? joinTextBlocks(end.message) : '');
    });
  }
}
