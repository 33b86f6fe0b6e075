import type Anthropic from '@anthropic-ai/sdk';
import type {
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Json,
  Message,
  TextBlock,
  ToolMessage,
  UserMessage,
} from '../../../contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { createEncoder, type EncodeContext, type MessageGroup } from './encoder.ts';
import { resolveToolSchema } from './schema.ts';
import * as wire from './wire.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const ANTHROPIC = 'anthropic-messages';
const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

type AnthropicBlock = Anthropic.ContentBlockParam | Anthropic.ToolResultBlockParam;
type AnthropicContentPart = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam;
/** A block as bytes. Only some may carry a cache mark; reasoning never. */
interface Encoded {
  readonly json: string;
  readonly carries: boolean;
  readonly result?: boolean;
}

// ── body ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const createAnthropicEncoder = (quirks: ProviderQuirks): wire.Encoder =>
  createEncoder(quirks, {
    grouped,
    tools: encodeTools,
    system: ({ request }) => encodeSystem(request),
    message: (group, { request }) => encodeGroup(group, request),
    body: encodeBody,
  });

function encodeBody(
  { request, quirks }: EncodeContext,
  tools: string,
  system: wire.WireMessage,
  messages: readonly wire.WireMessage[],
): string {
  const { sampling = {} } = request;
  const parameters: readonly wire.BodyParameter[] = [
    ['model', JSON.stringify(request.runtime.model)],
    ['tools', tools === '' ? undefined : tools],
    // The tools stand before the system prompt in the cache, so the mark on its first block covers both.
    ['system', system.json === '' ? undefined : wire.withMarks([system], request.cacheTtl)],
    ['messages', `[${wire.withMarks(messages, request.cacheTtl)}]`],
    ['tool_choice', tools !== '' && request.toolUse === 'forbidden' ? '{"type":"none"}' : undefined],
    ['max_tokens', String(wire.resolveMaxOutput(request, true))],
    ['temperature', wire.encodeParameter(sampling.temperature)],
    ['top_p', wire.encodeParameter(sampling.topP)],
    ['stop_sequences', wire.encodeParameter(sampling.stop)],
    ['stream', String(request.adjust.stream)],
  ];
  return wire.joinBodyParameters(wire.withExtra(parameters, request), [...request.adjust.without, ...(quirks.omit ?? [])]);
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return '';
  return JSON.stringify(
    request.tools.map((tool) => ({ name: tool.name, description: tool.description, input_schema: resolveToolSchema(tool, request) })),
  );
}

function encodeSystem(request: ModelRequest): wire.WireMessage {
  if (request.system === '') return wire.createWireMessage('');
  const blocks = wire.splitSystemBlocks(request).map((text) => JSON.stringify({ type: 'text', text }));
  return wire.joinMarkedBlocks('[', blocks, ']');
}

// ── messages ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** This wire wants roles to alternate: tool results and user texts that follow each other are one user message. */
function grouped(views: readonly ViewMessage[]): readonly MessageGroup[] {
  const groups: [ViewMessage, ...ViewMessage[]][] = [];
  for (const view of views) {
    const last = groups.at(-1);
    if (last !== undefined && sideOf(last[0].message) === sideOf(view.message)) last.push(view);
    else groups.push([view]);
  }
  return groups;
}
const sideOf = (message: Message): 'user' | 'assistant' => (message.role === 'assistant' ? 'assistant' : 'user');

function encodeGroup(group: MessageGroup, request: ModelRequest): wire.WireMessage {
  const blocks = resultsFirst(group.flatMap((view) => encodeView(view, request)));
  const head = `{"role":"${sideOf(group[0].message)}","content":[`;
  const place = blocks.findLastIndex((block) => block.carries);
  const before = blocks.slice(0, place + 1).map((block) => block.json);
  // The mark goes inside the carrier, before its closing brace.
  const mark = place < 0 ? -1 : head.length + before.join(',').length - 1;
  return wire.createWireMessage(`${head}${blocks.map((block) => block.json).join(',')}]}`, mark);
}

/** A user message with results must begin with them. */
const resultsFirst = (blocks: readonly Encoded[]): readonly Encoded[] => [
  ...blocks.filter((block) => block.result === true),
  ...blocks.filter((block) => block.result !== true),
];

function encodeView({ message, wireOnly = [] }: ViewMessage, request: ModelRequest): readonly Encoded[] {
  const parts = (blocks: UserMessage['content']) => blocks.flatMap((block) => encodePart(block, request)).map(carrier);
  if (message.role === 'user') return orPlaceholder(parts([...message.content, ...wireOnly]));
  return message.role === 'assistant' ? encodeAssistant(message, wireOnly, request) : [encodeResult(message, request), ...parts(wireOnly)];
}

const carrier = (block: AnthropicBlock): Encoded => ({ json: JSON.stringify(block), carries: true });
/** Verbatim and without a mark: what the model signed must not change. */
const verbatim = (data: Json): Encoded => ({ json: JSON.stringify(data), carries: false });

const orPlaceholder = (blocks: readonly Encoded[]): readonly Encoded[] =>
  blocks.some((block) => block.carries) ? blocks : [...blocks, carrier({ type: 'text', text: wire.PLACEHOLDER })];

/** A text of nothing but space is refused by this wire, so it is left out. */
function encodePart(block: UserMessage['content'][number], request: ModelRequest): readonly AnthropicContentPart[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text.toWellFormed() }];
  return [block.type === 'image' ? encodeImage(block, request) : encodeFile(block)];
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

function encodeImage(image: ImageBlock, { adjust }: ModelRequest): AnthropicContentPart {
  const known = IMAGE_TYPES.find((type) => type === image.mime);
  if (!adjust.images || known === undefined) return { type: 'text', text: wire.describeOmittedImage(image) };
  return { type: 'image', source: { type: 'base64', media_type: known, data: image.data } };
}

function encodeFile(file: FileBlock): AnthropicContentPart {
  if (file.mime === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: file.mime, data: file.data }, title: file.name };
  }
  if (!file.mime.startsWith('text/')) return { type: 'text', text: `[file left out: ${file.name}, ${file.mime}]` };
  const data = Buffer.from(file.data, 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: file.name };
}

function encodeAssistant(message: AssistantMessage, extra: readonly TextBlock[], request: ModelRequest): readonly Encoded[] {
  return orPlaceholder([...message.content, ...extra].flatMap((block) => encodeSaid(block, request)));
}

function encodeSaid(block: AssistantMessage['content'][number], request: ModelRequest): readonly Encoded[] {
  if (block.type === 'text') return encodePart(block, request).map(carrier);
  if (block.type === 'thinking')
    return [wire.pickReplayableNative(block.native, ANTHROPIC, request)].filter((data) => data !== undefined).map(verbatim);
  const head = JSON.stringify({ type: 'tool_use', id: wire.toWireId(block.id, CALL_ID), name: wire.toWireName(block.name) });
  return [{ json: `${head.slice(0, -1)},"input":${wire.toWellFormedJson(block.input)}}`, carries: true }];
}

function encodeResult(message: ToolMessage, request: ModelRequest): Encoded {
  const parts = message.content.flatMap((block) => encodePart(block, request)).filter((part) => part.type !== 'document');
  const content = parts.length === 0 ? [{ type: 'text' as const, text: wire.PLACEHOLDER }] : parts;
  const head = { type: 'tool_result' as const, tool_use_id: wire.toWireId(message.callId, CALL_ID) };
  return { ...carrier({ ...head, ...(message.failed ? { is_error: true } : {}), content }), result: true };
}
