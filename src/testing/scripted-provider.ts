import { sha256 } from '../base/sha256.ts';
import { NO_USAGE, createTextBlock, type AssistantMessage, type Json, type Usage } from '../contracts/message.ts';
import type { Failure } from '../contracts/failure.ts';
import type { FinishReason, ModelEvent, ModelRequest, Provider } from '../contracts/provider.ts';

/** One answer of a scripted model: words, calls, or a failure. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input?: Json; readonly malformed?: string }[];
  readonly finish?: FinishReason;
  readonly usage?: Partial<Usage>;
  readonly fails?: Failure;
  /** Characters per delta; the whole text at once when absent. */
  readonly chunk?: number;
  /** Pause before each delta. */
  readonly paceMs?: number;
}
export type Script = readonly ScriptedAnswer[] | ((request: ModelRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ScriptedProvider extends Provider {
  readonly requests: readonly ModelRequest[];
}

/** A model that says what it was told to say. Used by tests and by `hermes demo`; it speaks no wire at all. */
export function scriptedProvider(script: Script): ScriptedProvider {
  const requests: ModelRequest[] = [];
  const lineFor = async (request: ModelRequest): Promise<ScriptedAnswer> => {
    const index = requests.length - 1;
    const line = typeof script === 'function' ? await script(request, index) : script[index];
    return line ?? { fails: { type: 'bad_request', detail: `the script has no line ${index + 1}` } };
  };
  return {
    requests,
    encode: (request) => {
      const body = JSON.stringify([request.system, request.tools, request.messages]);
      const part = (name: string, value: unknown) => ({
        name,
        hash: sha256(JSON.stringify(value)).slice(0, 16),
      });
      const segments = [
        part('tools', request.tools),
        part('system', request.system),
        ...request.messages.map((message, index) => part(`message:${index}`, message)),
      ];
      return { request, body, bytes: () => Buffer.from(body), segments };
    },
    async *stream({ request }, { signal }) {
      requests.push(request);
      yield* speak(await lineFor(request), signal);
    },
  };
}

async function* speak(line: ScriptedAnswer, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if (line.thinking !== undefined) yield { type: 'thinking_delta', delta: line.thinking };
  for (const delta of deltas(line)) {
    if (line.paceMs !== undefined) await pause(line.paceMs, signal);
    if (signal.aborted) return yield { type: 'failed', failure: { type: 'cancelled', detail: 'the call was cancelled' } };
    yield { type: 'text_delta', delta };
  }
  if (line.fails !== undefined) return yield { type: 'failed', failure: line.fails };
  yield {
    type: 'done',
    message: messageOf(line),
    usage: { ...NO_USAGE, ...line.usage },
    finish: line.finish ?? (line.calls ? 'tool_calls' : 'stop'),
  };
}

const deltas = ({ text: words = '', chunk }: ScriptedAnswer): string[] =>
  chunk === undefined ? (words === '' ? [] : [words]) : (words.match(new RegExp(`[\\s\\S]{1,${chunk}}`, 'gu')) ?? []);

const messageOf = (line: ScriptedAnswer): AssistantMessage => ({
  role: 'assistant',
  content: [
    ...(line.thinking === undefined ? [] : [{ type: 'thinking', text: line.thinking, trust: 'model' } as const]),
    ...(line.text === undefined ? [] : [createTextBlock(line.text, 'model')]),
    ...(line.calls ?? []).map(({ input = {}, ...call }) => ({ type: 'tool_call', ...call, input, trust: 'model' }) as const),
  ],
});

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
