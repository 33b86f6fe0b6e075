import type OpenAI from 'openai';
import type { AssistantMessage, Json, TextBlock, ToolCall, ToolMessage, UserMessage } from '../../../contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { createEncoder, type EncodeContext } from './encoder.ts';
import { resolveToolSchema } from './schema.ts';
import * as wire from './wire.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const CHAT = 'openai-chat';
/** OpenAI refuses longer ids of calls. */
const CALL_ID = /^.{1,40}$/s;

type ChatContentPart = OpenAI.ChatCompletionContentPart;
type WireCall = OpenAI.ChatCompletionMessageFunctionToolCall & { readonly extra_content?: Json };
interface ChatMessage {
  readonly role: OpenAI.ChatCompletionRole;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly Json[];
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
  readonly content: string | null | readonly ChatContentPart[];
}

// ── body ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const createChatEncoder = (quirks: ProviderQuirks): wire.Encoder =>
  createEncoder(quirks, {
    tools: encodeTools,
    system: encodeSystem,
    message: ([view], context) => encodeMessage(view, context),
    body: encodeBody,
  });

function encodeBody(
  { request, quirks }: EncodeContext,
  tools: string,
  system: wire.WireMessage,
  messages: readonly wire.WireMessage[],
): string {
  const { sampling = {} } = request;
  const ttl = quirks.cacheMarks === true ? request.cacheTtl : 'off';
  const head = wire.withMarks([system], ttl);
  const rest = wire.withMarks(messages, ttl);
  const cacheKey = quirks.promptCacheKey === true ? JSON.stringify(wire.cacheKey(tools, system, request)) : undefined;
  const parameters: readonly wire.BodyParameter[] = [
    ['model', JSON.stringify(request.runtime.model)],
    ['tools', tools === '' ? undefined : tools],
    ['messages', `[${head}${head === '' || rest === '' ? '' : ','}${rest}]`],
    ['tool_choice', tools !== '' && request.toolUse === 'forbidden' ? '"none"' : undefined],
    [quirks.maxTokensField ?? 'max_tokens', wire.resolveMaxOutput(request, quirks.needsMaxTokens === true)?.toString()],
    ['temperature', wire.encodeParameter(sampling.temperature)],
    ['top_p', wire.encodeParameter(sampling.topP)],
    ['seed', wire.encodeParameter(sampling.seed)],
    ['stop', wire.encodeParameter(sampling.stop)],
    ['logprobs', sampling.logprobs === undefined ? undefined : 'true'],
    ['top_logprobs', wire.encodeParameter(sampling.logprobs)],
    ['prompt_cache_key', cacheKey],
    ['stream', String(request.adjust.stream)],
    ['stream_options', request.adjust.stream ? '{"include_usage":true}' : undefined],
  ];
  return wire.joinBodyParameters(wire.withExtra(parameters, request), [...request.adjust.without, ...(quirks.omit ?? [])]);
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return '';
  return JSON.stringify(
    request.tools.map((tool) => ({
      type: 'function',
      function: { name: tool.name, description: tool.description, parameters: resolveToolSchema(tool, request) },
    })),
  );
}

function encodeSystem({ request, quirks }: EncodeContext): wire.WireMessage {
  if (request.system === '') return wire.createWireMessage('');
  const role = quirks.developerRole === true ? 'developer' : 'system';
  if (quirks.cacheMarks !== true) return finished({ role, content: request.system.toWellFormed() });
  const parts = wire.splitSystemBlocks(request).map((text) => JSON.stringify({ type: 'text', text }));
  return wire.joinMarkedBlocks(`{"role":"${role}","content":[`, parts, ']}');
}
// ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function encodeMessage({ message, wireOnly = [] }: ViewMessage, context: EncodeContext): wire.WireMessage {
  if (message.role === 'user') return encodeUser(message, wireOnly, context);
  return message.role === 'assistant' ? encodeAssistant(message, wireOnly, context) : encodeResult(message, wireOnly, context);
}

function encodeUser(message: UserMessage, extra: readonly TextBlock[], { request, quirks }: EncodeContext): wire.WireMessage {
  const parts = [...message.content, ...extra].map((block) => encodePart(block, request));
  const content = contentOf(parts.length === 0 ? [{ type: 'text', text: wire.PLACEHOLDER }] : parts, quirks);
  return finished({ role: 'user', content });
}

function encodePart(block: UserMessage['content'][number], request: ModelRequest): ChatContentPart {
  if (block.type === 'text') return { type: 'text', text: block.text.toWellFormed() };
  if (block.type === 'image' && !request.adjust.images) return { type: 'text', text: wire.describeOmittedImage(block) };
  const url = `data:${block.mime};base64,${block.data}`;
  return block.type === 'image'
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: block.name, file_data: url } };
}

/** One text is sent as a plain string, which every server takes; a route with cache marks needs parts to hang them on. */
function contentOf(parts: readonly ChatContentPart[], quirks: ProviderQuirks): string | readonly ChatContentPart[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' && quirks.cacheMarks !== true ? only.text : parts;
}

function encodeAssistant(message: AssistantMessage, extra: readonly TextBlock[], { request, quirks }: EncodeContext): wire.WireMessage {
  const calls = withSignature(
    message.content.flatMap((block) => (block.type === 'tool_call' ? [encodeCall(block, request)] : [])),
    quirks,
  );
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const text = [texts, ...extra.map((block) => block.text)]
    .filter((part) => part !== '')
    .join(wire.TEXT_BREAK)
    .toWellFormed();
  const words = text.trim() === '' && calls.length === 0 ? wire.PLACEHOLDER : text;
  return finished({
    role: 'assistant',
    ...reasoningOf(message, request, quirks),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    content: words === '' ? null : contentOf([{ type: 'text', text: words }], quirks),
  });
}

function encodeCall(call: ToolCall, request: ModelRequest): WireCall {
  const native = wire.pickReplayableNative(call.native, CHAT, request);
  const encoded: WireCall = {
    id: wire.toWireId(call.id, CALL_ID),
    type: 'function',
    function: { name: wire.toWireName(call.name), arguments: wire.encodeArguments(call) },
  };
  return native === undefined ? encoded : { ...encoded, extra_content: native };
}

/** The first call of a step bears the signature of all. One of another model has none, and is refused without something in its place. */
function withSignature(calls: readonly WireCall[], { callSignature }: ProviderQuirks): readonly WireCall[] {
  const [first, ...others] = calls;
  if (callSignature === undefined || first === undefined || calls.some((call) => call.extra_content !== undefined)) return calls;
  return [{ ...first, extra_content: { google: { thought_signature: callSignature } } }, ...others];
}

/**
 * Reasoning in its own fields, never as content: details to their issuer, plain text where the server insists on it, and beside calls back to
 * the server that sent it.
 */
function reasoningOf(
  message: AssistantMessage,
  request: ModelRequest,
  quirks: ProviderQuirks,
): Pick<ChatMessage, 'reasoning_content' | 'reasoning' | 'reasoning_details'> {
  const thinking = message.content.filter((block) => block.type === 'thinking');
  const natives = thinking.map((block) => wire.pickReplayableNative(block.native, CHAT, request));
  const details = natives.flatMap((data) => (Array.isArray(data) ? data : []));
  const text = thinking.map((block) => block.text).join('');
  const field = quirks.reasoningReturn === true && findPlainField(message, natives);
  const fields = {
    ...(field !== false && { [field]: text.toWellFormed() }),
    ...(quirks.reasoningEcho === true && { reasoning_content: (text || ' ').toWellFormed() }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
  // A route that refused a field is not asked again.
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !request.adjust.without.includes(name)));
}

/** The field in which plain reasoning came; only beside calls does a model go on with it. */
function findPlainField(message: AssistantMessage, natives: readonly (Json | undefined)[]): 'reasoning_content' | 'reasoning' | false {
  const field = natives.find((data) => data === 'reasoning_content' || data === 'reasoning');
  return message.content.some(({ type }) => type === 'tool_call') && field !== undefined ? field : false;
}

function encodeResult(message: ToolMessage, extra: readonly TextBlock[], { request, quirks }: EncodeContext): wire.WireMessage {
  const blocks = [...message.content, ...extra];
  const plain = quirks.toolContentText === true || !request.adjust.images || blocks.every((block) => block.type === 'text');
  const words = blocks.map((block) => (block.type === 'text' ? block.text : wire.describeOmittedImage(block))).join(wire.TEXT_BREAK);
  const parts: ChatContentPart[] = plain
    ? [{ type: 'text', text: (words || wire.PLACEHOLDER).toWellFormed() }]
    : blocks.map((block) => encodePart(block, request));
  return finished({ role: 'tool', tool_call_id: wire.toWireId(message.callId, CALL_ID), content: contentOf(parts, quirks) });
}

/** `content` is the last key of every message, so a mark for its last part goes right before the closing `}]}`. */
function finished(message: ChatMessage): wire.WireMessage {
  const json = JSON.stringify(message);
  return wire.createWireMessage(json, Array.isArray(message.content) ? json.length - 3 : -1);
}
