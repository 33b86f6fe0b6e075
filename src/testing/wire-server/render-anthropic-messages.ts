import type { Anthropic } from '@anthropic-ai/sdk';
import type { WireAnswer, AnswerCall } from './answer.ts';
import { toAnthropicProblem } from './problems-anthropic.ts';
import { refuse, takeUntilMiddle, type WireFrame, type WireRenderer } from './renderer.ts';
import { splitByCodePoints } from './text.ts';

/** The id can be missing on purpose, see `ReplyCall`. */
type ToolUse = Omit<Anthropic.ToolUseBlock, 'id'> & { readonly id?: string };
type AnthropicReplyBlock = Anthropic.ThinkingBlock | Anthropic.TextBlock | ToolUse;
type BlockDelta = Anthropic.RawContentBlockDelta;
type AnthropicReplyMessage = Omit<Anthropic.Message, 'content'> & { readonly content: readonly AnthropicReplyBlock[] };
type AnthropicStreamEvent =
  | Exclude<Anthropic.RawMessageStreamEvent, { type: 'message_start' | 'content_block_start' }>
  | { readonly type: 'message_start'; readonly message: AnthropicReplyMessage }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: AnthropicReplyBlock }
  | { readonly type: 'ping' };

export const anthropicMessages: WireRenderer = {
  requestIdHeader: 'request-id',
  frames: (answer) => events(answer).map(toFrame),
  body,
  failing: (answer, problem) => [
    ...takeUntilMiddle(events(answer)).map(toFrame),
    { event: 'error', data: JSON.stringify({ type: 'error', error: toAnthropicProblem(problem).error }) },
  ],
  refusal: (problem, requestId) => {
    const { status, error } = toAnthropicProblem(problem);
    // 413 comes from the edge in front of the API, which knows nothing of the envelope.
    return refuse(problem, status, status === 413 ? { error } : { type: 'error', error, request_id: requestId });
  },
};

function toFrame(event: AnthropicStreamEvent): WireFrame {
  return { event: event.type, data: JSON.stringify(event) };
}

function events(answer: WireAnswer): readonly AnthropicStreamEvent[] {
  const opening = { ...message(answer, []), stop_reason: null, stop_details: null, usage: { ...usage(answer), output_tokens: 1 } };
  return [
    { type: 'message_start', message: opening },
    ...blocks(answer).flatMap(blockEvents),
    { type: 'message_delta', delta: { container: null, stop_sequence: null, ...stop(answer) }, usage: tokens(answer) },
    { type: 'message_stop' },
  ];
}

/** A block as the stream opens it, grows it and leaves it. */
interface BlockGrowth {
  readonly empty: AnthropicReplyBlock;
  readonly deltas: readonly BlockDelta[];
  readonly whole: AnthropicReplyBlock;
}

function blockEvents(block: BlockGrowth, index: number): readonly AnthropicStreamEvent[] {
  return [
    { type: 'ping' },
    { type: 'content_block_start', index, content_block: block.empty },
    ...block.deltas.map((delta): AnthropicStreamEvent => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function blocks(answer: WireAnswer): readonly BlockGrowth[] {
  return [
    ...(answer.thinking !== '' || answer.signature !== '' ? [thinkingBlock(answer)] : []),
    ...(answer.text === '' ? [] : [textBlock(answer)]),
    ...answer.calls.map((call) => toolUseBlock(call, answer.chunk)),
  ];
}

function thinkingBlock({ thinking, signature, chunk }: WireAnswer): BlockGrowth {
  return {
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...splitByCodePoints(thinking, chunk).map((piece): BlockDelta => ({ type: 'thinking_delta', thinking: piece })),
      ...(signature === '' ? [] : [{ type: 'signature_delta', signature } as const]),
    ],
    whole: { type: 'thinking', thinking, signature },
  };
}

function textBlock({ text, chunk }: WireAnswer): BlockGrowth {
  return {
    empty: { type: 'text', text: '', citations: null },
    deltas: splitByCodePoints(text, chunk).map((piece) => ({ type: 'text_delta', text: piece })),
    whole: { type: 'text', text, citations: null },
  };
}

function toolUseBlock(call: AnswerCall, chunk: number): BlockGrowth {
  const head = { type: 'tool_use', ...(call.id !== null && { id: call.id }), name: call.name, caller: { type: 'direct' } } as const;
  return {
    empty: { ...head, input: {} },
    deltas: ['', ...splitByCodePoints(call.arguments, chunk)].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    whole: { ...head, input: parsed(call.arguments) },
  };
}

/** This wire has an object here, so broken JSON can only travel as the string it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function body(answer: WireAnswer): object {
  const content = blocks(answer).map((block) => block.whole);
  return message(answer, content);
}

function message(answer: WireAnswer, content: readonly AnthropicReplyBlock[]): AnthropicReplyMessage {
  return {
    id: `msg_wire_${answer.serial}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    ...stop(answer),
    stop_sequence: null,
    container: null,
    diagnostics: null,
    usage: usage(answer),
  };
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  paused: 'pause_turn',
} as const;

function stop({ finish }: WireAnswer): Pick<Anthropic.Message, 'stop_reason' | 'stop_details'> {
  const details = { type: 'refusal', category: null, explanation: null } as const;
  return { stop_reason: stopReasons[finish], stop_details: finish === 'content_filter' ? details : null };
}

function usage(answer: WireAnswer): Anthropic.Usage {
  const { input, cacheWrite } = answer.usage;
  return {
    ...tokens(answer),
    input_tokens: input,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}

/** The figures the closing `message_delta` repeats. */
function tokens({ usage: spent }: WireAnswer): Anthropic.MessageDeltaUsage {
  return {
    input_tokens: spent.input,
    output_tokens: spent.output,
    cache_read_input_tokens: spent.cacheRead,
    cache_creation_input_tokens: spent.cacheWrite,
    output_tokens_details: { thinking_tokens: spent.reasoning },
    server_tool_use: null,
  };
}
