import type { OpenAI } from 'openai';
import type { WireAnswer, AnswerCall } from './answer.ts';
import { toOpenAiProblem, type PromptField } from './problems-openai.ts';
import { refuse, takeUntilMiddle, type WireFrame, type WireRenderer } from './renderer.ts';
import { asJsonObject } from './request.ts';
import { splitByCodePoints } from './text.ts';

type ChatChunk = OpenAI.ChatCompletionChunk;
/** `reasoning_content` is not OpenAI's own; DeepSeek, vLLM and others brought it to this wire. */
type ChatDelta = ChatChunk['choices'][number]['delta'] & { readonly reasoning_content?: string };
type ToolCallDelta = NonNullable<ChatDelta['tool_calls']>[number];
type ChatCompletion = OpenAI.ChatCompletion;

export const openAiChat: WireRenderer = {
  requestIdHeader: 'x-request-id',
  frames: (answer) => [...chunks(answer).map(toFrame), { event: null, data: '[DONE]' }],
  body,
  failing: (answer, problem) => [
    ...takeUntilMiddle(chunks(answer)).map(toFrame),
    { event: null, data: JSON.stringify({ error: toOpenAiProblem(problem, prompt).error }) },
  ],
  refusal: (problem) => {
    const { status, error } = toOpenAiProblem(problem, prompt);
    return refuse(problem, status, { error });
  },
};

const prompt: PromptField = {
  param: 'messages',
  tooLong: (tokens, limit) =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
};

function toFrame(data: ChatChunk): WireFrame {
  return { event: null, data: JSON.stringify(data) };
}

function chunks(answer: WireAnswer): readonly ChatChunk[] {
  const spoken = deltas(answer).map((delta) => chunk(answer, [{ index: 0, delta, logprobs: null, finish_reason: null }]));
  const last = chunk(answer, [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(answer) }]);
  if (!wantsUsage(answer)) return [...spoken, last];
  // As OpenAI does it: every chunk says `usage: null`, and one more without choices has the figures.
  return [...[...spoken, last].map((each) => ({ ...each, usage: null })), { ...chunk(answer, []), usage: usage(answer) }];
}

/** This wire knows no pause. */
const finishOf = ({ finish }: WireAnswer) => (finish === 'paused' ? 'stop' : finish);

function chunk(answer: WireAnswer, choices: ChatChunk['choices']): ChatChunk {
  return { ...head(answer), object: 'chat.completion.chunk', choices };
}

function deltas(answer: WireAnswer): readonly ChatDelta[] {
  return [
    { role: 'assistant', content: content(answer) === null ? null : '', refusal: null },
    ...splitByCodePoints(answer.thinking, answer.chunk).map((piece) => ({ reasoning_content: piece })),
    ...splitByCodePoints(answer.text, answer.chunk).map((piece) => ({ content: piece })),
    ...answer.calls.flatMap((call, index) => callDeltas(call, index, answer.chunk)).map((delta) => ({ tool_calls: [delta] })),
  ];
}

function callDeltas(call: AnswerCall, index: number, size: number): readonly ToolCallDelta[] {
  return [
    { index, ...callId(call), type: 'function', function: { name: call.name, arguments: '' } },
    ...splitByCodePoints(call.arguments, size).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function body(answer: WireAnswer): object {
  const message = {
    role: 'assistant',
    content: content(answer),
    refusal: null,
    ...(answer.thinking !== '' && { reasoning_content: answer.thinking }),
    ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(toolCall) }),
  } as const;
  const completion = { ...head(answer), object: 'chat.completion', usage: usage(answer) } as const satisfies Omit<
    ChatCompletion,
    'choices'
  >;
  return { ...completion, choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }] };
}

function toolCall(call: AnswerCall): Omit<OpenAI.ChatCompletionMessageFunctionToolCall, 'id'> & { readonly id?: string } {
  return { ...callId(call), type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function callId(call: AnswerCall): { readonly id?: string } {
  return call.id === null ? {} : { id: call.id };
}

/** An answer of nothing but calls has no content; an empty answer has empty content. */
function content(answer: WireAnswer): string | null {
  return answer.text === '' && answer.calls.length > 0 ? null : answer.text;
}

function head(answer: WireAnswer): Pick<ChatCompletion, 'id' | 'created' | 'model' | 'service_tier' | 'system_fingerprint'> {
  return {
    id: `chatcmpl-wire-${answer.serial}`,
    created: answer.created,
    model: answer.model,
    service_tier: 'default',
    system_fingerprint: 'fp_wire',
  };
}

function wantsUsage(answer: WireAnswer): boolean {
  return asJsonObject(answer.request['stream_options'])['include_usage'] === true;
}

function usage({ usage: spent }: WireAnswer): OpenAI.CompletionUsage {
  const asked = spent.input + spent.cacheRead + spent.cacheWrite;
  return {
    prompt_tokens: asked,
    completion_tokens: spent.output,
    total_tokens: asked + spent.output,
    prompt_tokens_details: { cached_tokens: spent.cacheRead, cache_write_tokens: spent.cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: spent.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
