import type { OpenAI } from 'openai';
import type { WireAnswer } from './answer.ts';

type WireResponse = OpenAI.Responses.Response;
type OutputMessage = Omit<OpenAI.Responses.ResponseOutputMessage, 'content'> & {
  readonly content: readonly OpenAI.Responses.ResponseOutputText[];
};
/** The call id can be missing on purpose, see `ReplyCall`; the item's own id never is. */
type FunctionCall = Omit<OpenAI.Responses.ResponseFunctionToolCall, 'id' | 'call_id'> & { readonly id: string; readonly call_id?: string };
export type OutputItem = OpenAI.Responses.ResponseReasoningItem | OutputMessage | FunctionCall;

/** The response object of the Responses API. Its other fields repeat the request. */
export interface ResponseObject extends Pick<
  WireResponse,
  'id' | 'object' | 'created_at' | 'model' | 'incomplete_details' | 'access_programs'
> {
  readonly status: NonNullable<WireResponse['status']>;
  readonly completed_at: number | null;
  /** A plain string: the service sends codes its own list does not have, as `server_is_overloaded`. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly output: readonly OutputItem[];
  readonly usage: OpenAI.Responses.ResponseUsage | null;
}

export function createResponseObject(answer: WireAnswer, output: readonly OutputItem[], status: ResponseObject['status']): ResponseObject {
  const over = status === 'completed' || status === 'incomplete';
  return {
    ...repeated(answer.request),
    id: `resp_wire_${answer.serial}`,
    object: 'response',
    created_at: answer.created,
    completed_at: status === 'completed' ? answer.created : null,
    status,
    model: answer.model,
    access_programs: null,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: answer.finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    output,
    usage: over ? usage(answer) : null,
  };
}

/** What the service says about a field the request left out. */
const unasked = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
} as const;

function repeated(request: WireAnswer['request']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(unasked).map(([name, value]) => [name, request[name] ?? value]));
}

function usage({ usage: spent }: WireAnswer): OpenAI.Responses.ResponseUsage {
  const asked = spent.input + spent.cacheRead + spent.cacheWrite;
  return {
    input_tokens: asked,
    input_tokens_details: { cached_tokens: spent.cacheRead, cache_write_tokens: spent.cacheWrite },
    output_tokens: spent.output,
    output_tokens_details: { reasoning_tokens: spent.reasoning },
    total_tokens: asked + spent.output,
  };
}
