import type OpenAI from 'openai';
import { isObject } from '../../../base/json.ts';
import type { AssistantMessage, JsonObject, TextBlock, ToolMessage, UserMessage } from '../../../contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { createEncoder, type EncodeContext } from './encoder.ts';
import { resolveToolSchema } from './schema.ts';
import * as wire from './wire.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const RESPONSES = 'openai-responses';
const CALL_ID = /^.{1,64}$/s;

type ResponsesContentPart = OpenAI.Responses.ResponseInputContent;
/** What the issuer of reasoning gave us goes back as it came; nobody looks inside. */
type ResponsesItem = OpenAI.Responses.ResponseInputItem | JsonObject;
type AssistantBlock = AssistantMessage['content'][number];

// ── body ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const createResponsesEncoder = (quirks: ProviderQuirks): wire.Encoder =>
  createEncoder(quirks, {
    tools: encodeTools,
    system: ({ request }) => encodeSystem(request),
    message: ([view], { request }) => encodeMessage(view, request),
    body: encodeBody,
  });

function encodeBody(
  { request, quirks }: EncodeContext,
  tools: string,
  system: wire.WireMessage,
  messages: readonly wire.WireMessage[],
): string {
  const { sampling = {} } = request;
  const cacheKey = quirks.promptCacheKey === true ? JSON.stringify(wire.cacheKey(tools, system, request)) : undefined;
  const parameters: readonly wire.BodyParameter[] = [
    ['model', JSON.stringify(request.runtime.model)],
    ['tools', tools === '' ? undefined : tools],
    ['instructions', system.json === '' ? undefined : system.json],
    ['input', `[${messages.map((message) => message.json).join(',')}]`],
    ['tool_choice', tools !== '' && request.toolUse === 'forbidden' ? '"none"' : undefined],
    ['parallel_tool_calls', tools === '' ? undefined : 'true'],
    ['max_output_tokens', wire.resolveMaxOutput(request, quirks.needsMaxTokens === true)?.toString()],
    ['temperature', wire.encodeParameter(sampling.temperature)],
    ['top_p', wire.encodeParameter(sampling.topP)],
    ['top_logprobs', wire.encodeParameter(sampling.logprobs)],
    ['prompt_cache_key', cacheKey],
    // Nothing is kept on the server: encrypted reasoning comes to us and goes back with the transcript.
    ['store', 'false'],
    [
      'include',
      JSON.stringify(['reasoning.encrypted_content', ...(sampling.logprobs === undefined ? [] : ['message.output_text.logprobs'])]),
    ],
    ['stream', String(request.adjust.stream)],
  ];
  return wire.joinBodyParameters(wire.withExtra(parameters, request), [...request.adjust.without, ...(quirks.omit ?? [])]);
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return '';
  return JSON.stringify(
    request.tools.map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      parameters: resolveToolSchema(tool, request),
      strict: false,
    })),
  );
}

const encodeSystem = (request: ModelRequest): wire.WireMessage =>
  wire.createWireMessage(request.system === '' ? '' : JSON.stringify(request.system.toWellFormed()));

// ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One message becomes one or more items; each is a row of its own on this wire. */
function encodeMessage(view: ViewMessage, request: ModelRequest): wire.WireMessage {
  const items = encodeItems(view, request);
  return wire.createWireMessage(items.map((item) => JSON.stringify(item)).join(','));
}

function encodeItems({ message, wireOnly = [] }: ViewMessage, request: ModelRequest): readonly ResponsesItem[] {
  if (message.role === 'user') return [encodeUser(message, wireOnly, request)];
  return message.role === 'assistant' ? encodeAssistant(message, wireOnly, request) : [encodeResult(message, wireOnly, request)];
}

function encodeUser(message: UserMessage, extra: readonly TextBlock[], request: ModelRequest): ResponsesItem {
  const parts = [...message.content, ...extra].map((block) => encodePart(block, request));
  return { type: 'message', role: 'user', content: parts.length === 0 ? [{ type: 'input_text', text: wire.PLACEHOLDER }] : parts };
}

function encodePart(block: UserMessage['content'][number], request: ModelRequest): ResponsesContentPart {
  if (block.type === 'text') return { type: 'input_text', text: block.text.toWellFormed() };
  if (block.type === 'image' && !request.adjust.images) return { type: 'input_text', text: wire.describeOmittedImage(block) };
  const url = `data:${block.mime};base64,${block.data}`;
  if (block.type === 'image') return { type: 'input_image', detail: 'auto', image_url: url };
  return { type: 'input_file', filename: block.name, file_data: url };
}

function encodeAssistant(message: AssistantMessage, extra: readonly TextBlock[], request: ModelRequest): readonly ResponsesItem[] {
  const items = [...message.content, ...extra].flatMap((block) => encodeSaid(block, request));
  // A reasoning item must be followed by what it led to, so a message of nothing else still says something.
  return items.some((item) => item['type'] !== 'reasoning') ? items : [...items, assistantItem(wire.PLACEHOLDER)];
}

function encodeSaid(block: AssistantBlock, request: ModelRequest): readonly ResponsesItem[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [assistantItem(block.text.toWellFormed())];
  if (block.type === 'thinking') return [wire.pickReplayableNative(block.native, RESPONSES, request)].filter(isObject);
  const name = wire.toWireName(block.name);
  return [{ type: 'function_call', call_id: wire.toWireId(block.id, CALL_ID), name, arguments: wire.encodeArguments(block) }];
}
const assistantItem = (text: string): ResponsesItem => ({ type: 'message', role: 'assistant', content: text });

function encodeResult(message: ToolMessage, extra: readonly TextBlock[], request: ModelRequest): ResponsesItem {
  const blocks = [...message.content, ...extra];
  const plain = !request.adjust.images || blocks.every((block) => block.type === 'text');
  const words = blocks.map((block) => (block.type === 'text' ? block.text : wire.describeOmittedImage(block))).join(wire.TEXT_BREAK);
  const output = plain ? (words || wire.PLACEHOLDER).toWellFormed() : blocks.map((block) => encodePart(block, request));
  return { type: 'function_call_output', call_id: wire.toWireId(message.callId, CALL_ID), output };
}
