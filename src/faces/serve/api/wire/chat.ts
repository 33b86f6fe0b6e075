import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { sha256 } from '../../../../base/sha256.ts';
import type { Run } from '../../../../contracts/run-store.ts';
import { toErrorBody } from '../http/errors.ts';
import { toKnownEvent, type RunEventData, type RunEndData, type RunUsage } from '../runs/run-events.ts';
import type { ClientCall } from '../runs/client-tools.ts';
import { isHeldBack } from '../runs/judge-end.ts';
import { readResult, toFailureStatus } from './result.ts';
import { followSpoken, type Spoken } from '../runs/spoken.ts';
import type { StreamFormat, AnswerFrame } from './stream.ts';

/** Answers of `/v1/chat/completions`. */
export const toChatId = ({ id }: Run): string => `chatcmpl-${sha256(id).slice(0, 29)}`;

const describeChat = (run: Run, object: string): JsonObject => ({
  id: toChatId(run),
  object,
  created: Math.floor(run.at / 1_000),
  model: run.request['model'] ?? '',
});

/** The answer as a whole. */
export function toCompletion(run: Run): JsonObject {
  const { output, finish_reason: finish, usage, tool_calls: calls = [] } = readResult(run);
  const said = { role: 'assistant', content: output === '' && calls.length > 0 ? null : output, refusal: null };
  const message = calls.length === 0 ? said : { ...said, tool_calls: calls.map(toToolCall) };
  return {
    ...describeChat(run, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: toFinish(finish) }],
    usage: toChatUsage(usage),
  };
}

const toToolCall = ({ id, name, arguments: given }: ClientCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

const toFinish = (finish: RunEndData['finish_reason']): string => (finish === 'cancelled' ? 'stop' : finish);

const toChatUsage = (usage: RunUsage): JsonObject => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.total_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_tokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
});

/**
 * The answer in chunks. What has no place in the format (tools at work, questions) comes as an event of its own name whose data
 * is a chunk without words as well: a client that reads every event as a chunk reads on.
 */
export function createChatStream(run: Run): StreamFormat {
  const head = describeChat(run, 'chat.completion.chunk');
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): AnswerFrame => ({
    data: JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more }),
  });
  const beside = (event: string, more: JsonObject): AnswerFrame => ({ event, ...chunk({}, null, more) });
  let spoken: Spoken | undefined;
  const isHeld = isHeldBack(run.request);
  return {
    first: [chunk({ role: 'assistant', content: '' })],
    next: (event) => {
      spoken = followSpoken(spoken, event);
      const known = toKnownEvent(event);
      switch (known.type) {
        case 'message.delta':
          return isHeld ? [] : [chunk({ content: spoken.added })];
        case 'message.discarded':
          return isHeld ? [] : [beside('hermes.message.discarded', { ...known.data })];
        case 'reasoning.delta':
          return [chunk({ reasoning_content: known.data.delta })];
        case 'tool.started':
        case 'tool.completed':
          return known.data.client === true ? [] : [beside('hermes.tool.progress', describeTool(known.data))];
        case 'approval.request':
        case 'approval.responded':
          return [beside(`hermes.${known.type}`, { run_id: run.id, ...known.data })];
        case 'run.completed':
        case 'run.cancelled':
          return [...(isHeld ? [chunk({ content: known.data.output })] : []), ...endChat(run, known.data, head, chunk), DONE];
        case 'run.failed':
          return [{ data: JSON.stringify({ error: describeFailure(known.data) }) }, DONE];
        default:
          return [];
      }
    },
  };
}

const DONE: AnswerFrame = { data: '[DONE]' };

const describeTool = (data: RunEventData['tool.started'] | RunEventData['tool.completed']): JsonObject => ({
  tool: data.tool,
  emoji: '🔧',
  label: 'preview' in data ? data.preview : data.tool,
  toolCallId: data.call_id,
  status: 'preview' in data ? 'running' : 'completed',
  ...('error' in data && { error: data.error }),
});

function endChat(
  run: Run,
  result: RunEndData,
  head: JsonObject,
  chunk: (delta: JsonObject, finish: string | null, more: JsonObject) => AnswerFrame,
): AnswerFrame[] {
  const usage = toChatUsage(result.usage);
  const calls = (result.tool_calls ?? []).map((call, index) => ({ index, ...toToolCall(call) }));
  const asked = calls.length === 0 ? [] : [chunk({ tool_calls: calls }, null, {})];
  const last = chunk({}, toFinish(result.finish_reason), { usage });
  return run.request['include_usage'] === true
    ? [...asked, last, { data: JSON.stringify({ ...head, choices: [], usage }) }]
    : [...asked, last];
}

const describeFailure = (result: RunEndData): Json => {
  const { code, message } = result.error ?? { code: 'server_error', message: 'The turn failed.' };
  return toErrorBody(toFailureStatus(code), code, message);
};
