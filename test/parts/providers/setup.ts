import { text, type Message } from '../../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, Protocol, ToolDefinition, ViewMessage } from '../../../src/contracts/provider.ts';
import { PLAIN, type ProtocolId, type Runtime } from '../../../src/contracts/runtime.ts';

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

export const user = (words: string): ViewMessage => ({ message: { role: 'user', content: [text(words, 'owner')] } });
export const view = (message: Message): ViewMessage => ({ message });

export const requestOf = (protocol: ProtocolId, more: Partial<ModelRequest> = {}): ModelRequest => ({
  runtime: runtimeOf(protocol),
  adjust: PLAIN,
  system: 'Be brief.',
  tools: [READ],
  toolUse: 'auto',
  messages: [user('Hi')],
  cacheTtl: '5m',
  ...more,
});

/** Folds frames given as [event, data]; the stream ends after the last. */
export function fold<Frame, State>(protocol: Protocol<Frame, State>, request: ModelRequest, frames: readonly (readonly [string | undefined, unknown])[]): ModelEvent[] {
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

export const terminals = (events: readonly ModelEvent[]): ModelEvent[] => events.filter((event) => event.type === 'done' || event.type === 'failed');
