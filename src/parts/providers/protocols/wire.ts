import { parseHost } from '../../../base/http.ts';
import { parseJson, toStableJson } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ImageBlock, Json, NativeData, ToolCall } from '../../../contracts/message.ts';
import type { ModelRequest, PrefixSegment, ViewMessage } from '../../../contracts/provider.ts';
import { resolveOutputLimit } from './output-limits.ts';

/** Stands in for a message that has no words of its own: several wires refuse an empty one. */
export const PLACEHOLDER = '(no text)';
export const describeOmittedImage = (image: ImageBlock): string => `[image left out: ${image.mime}]`;
/** Between several texts that a wire takes only as one string. */
export const TEXT_BREAK = '\n\n';

export const shortHash = (text: string, length = 16): string => sha256(text).slice(0, length);

/** One encoded message: bytes without cache marks, their hash, and where a mark may be inserted (-1: nowhere). */
export interface WireMessage {
  readonly json: string;
  readonly hash: string;
  readonly mark: number;
}
/** Hashed when the ledger asks, which is after the request went out. */
export function createWireMessage(json: string, mark = -1): WireMessage {
  let hash: string | undefined;
  return {
    json,
    mark,
    get hash() {
      return (hash ??= shortHash(json));
    },
  };
}

/** Remembers what was made of an object for as long as the inputs stay the same: a long transcript is encoded once, not every step. */
export function createMemo<Made>(): (inputs: readonly [object, ...unknown[]], make: () => Made) => Made {
  const made = new WeakMap<object, { readonly inputs: readonly unknown[]; readonly value: Made }>();
  return (inputs, make) => {
    const known = made.get(inputs[0]);
    if (known !== undefined && sameItems(known.inputs, inputs)) return known.value;
    const value = make();
    made.set(inputs[0], { inputs, value });
    return value;
  };
}
const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => Object.is(item, b[index]));

export type Encoder = (request: ModelRequest) => { readonly body: string; readonly segments: readonly PrefixSegment[] };

/** The inputs of a wire message, for its memo: its sources, and what else of the request decides its bytes. */
export function collectMemoInputs({
  runtime,
  adjust,
}: ModelRequest): (views: readonly [ViewMessage, ...ViewMessage[]]) => readonly [object, ...unknown[]] {
  const refused = adjust.without.filter((name) => name.startsWith('reasoning'));
  const variant = `${parseHost(runtime.baseUrl)}|${adjust.natives}|${adjust.images}|${refused.join()}`;
  return ([first, ...others]) => {
    const rest = others.flatMap((view) => [view.message, ...(view.wireOnly ?? [])]);
    return [first.message, ...(first.wireOnly ?? []), ...rest, variant];
  };
}

/** A parameter of the body, already encoded; `undefined` leaves it out. */
export type BodyParameter = readonly [name: string, json: string | undefined];
const ESSENTIAL = new Set(['model', 'messages', 'input']);

/** A parameter's value as it goes into the body; absent stays absent. */
export const encodeParameter = (value: Json | undefined): string | undefined => (value === undefined ? undefined : toWellFormedJson(value));

/** The caller's further parameters after our own, which they do not replace. */
export function withExtra(parameters: readonly BodyParameter[], { sampling }: ModelRequest): readonly BodyParameter[] {
  const own = new Set(parameters.flatMap(([name, json]) => (json === undefined ? [] : [name])));
  const extra = Object.entries(sampling?.extraBody ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [...parameters, ...extra.flatMap(([name, value]) => (own.has(name) ? [] : [[name, encodeParameter(value)] as const]))];
}

/** Joins parameters in their order, minus those this route refused. A path such as `a.b` refuses all of `a`. */
export function joinBodyParameters(parameters: readonly BodyParameter[], refused: readonly string[]): string {
  const gone = new Set(refused.map((name) => name.split(/[.[]/, 1)[0]));
  const kept = parameters.filter(([name, json]) => json !== undefined && (ESSENTIAL.has(name) || !gone.has(name)));
  let body = '';
  // Added up, not joined: the engine keeps a chain of pieces, while `join` would copy a long transcript once more.
  for (const [name, json] of kept) body += `${body === '' ? '{' : ','}${JSON.stringify(name)}:${json}`;
  return `${body}}`;
}

/** A body and, once somebody asks, what it is made of. */
export function withSegments(body: string, tools: string, system: string, messages: readonly WireMessage[]): ReturnType<Encoder> {
  return {
    body,
    get segments() {
      return segmentsOf(tools, system, messages);
    },
  };
}

function segmentsOf(tools: string, system: string, messages: readonly WireMessage[]): readonly PrefixSegment[] {
  const heads = [
    { name: 'tools', hash: shortHash(tools) },
    { name: 'system', hash: shortHash(system) },
  ];
  return [...heads, ...messages.map(({ hash }, index) => ({ name: `message:${index}`, hash }))];
}

/** The messages as they go out: the last three that can carry a cache mark get one. Marks go last, so that the bytes beneath stay. */
export function withMarks(messages: readonly WireMessage[], ttl: ModelRequest['cacheTtl']): string {
  const mark = cacheMark(ttl);
  // By place, not by object: silence is encoded once and may stand twice.
  const carriers = mark === '' ? [] : messages.flatMap((message, place) => (message.mark >= 0 ? [place] : [])).slice(-3);
  const marked = new Set(carriers);
  let json = '';
  for (const [place, message] of messages.entries())
    json += (json === '' ? '' : ',') + (marked.has(place) ? insert(message, mark) : message.json);
  return json;
}
const insert = ({ json, mark }: WireMessage, text: string): string => json.slice(0, mark) + text + json.slice(mark);

const MARKS = {
  '5m': ',"cache_control":{"type":"ephemeral"}',
  '1h': ',"cache_control":{"type":"ephemeral","ttl":"1h"}',
  off: '',
} as const;
export const cacheMark = (ttl: ModelRequest['cacheTtl']): string => MARKS[ttl];

/** Routes requests that begin alike to the same cache: the tools and the first block of the prompt make the key. */
export function cacheKey(tools: string, system: WireMessage, request: ModelRequest): string {
  const [stable = ''] = request.stableChars === undefined ? [system.json] : splitSystemBlocks(request);
  return `pck_${shortHash(`${tools}\n${stable}`, 24)}`;
}

/** The system prompt in the blocks it is made of; one for prompts stored before there were two. Put together they are the whole text. */
export function splitSystemBlocks({ system, stableChars = system.length }: ModelRequest): readonly string[] {
  return [system.slice(0, stableChars), system.slice(stableChars)].filter((block) => block !== '').map((block) => block.toWellFormed());
}

/** Blocks as JSON after a head, with the place for a cache mark in the first of them. */
export function joinMarkedBlocks(head: string, blocks: readonly string[], tail: string): WireMessage {
  const [first = '', ...others] = blocks;
  return createWireMessage(`${head}${[first, ...others].join(',')}${tail}`, head.length + first.length - 1);
}

/** Opaque data goes back only to the protocol and host that issued it, and only while it is welcome. */
export function pickReplayableNative(
  native: NativeData | undefined,
  protocol: string,
  { runtime, adjust }: ModelRequest,
): Json | undefined {
  const ours = adjust.natives && native?.protocol === protocol && native.issuer === parseHost(runtime.baseUrl);
  return ours ? native.data : undefined;
}

/** An id the wire takes: itself, or a hash of it when it is too long or has characters the wire refuses. */
export const toWireId = (id: string, fits: RegExp): string => (fits.test(id) ? id : `call_${shortHash(id, 24)}`);

/** The longest name of a tool that every wire takes. */
const NAME_LENGTH = 64;

/** A name the wire takes. Models call tools by names no service accepts back, and one such name would spoil every later request. */
export function toWireName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/gu, '_');
  if (plain.length <= NAME_LENGTH) return plain || 'unnamed';
  const mark = `_${shortHash(name, 8)}`;
  return plain.slice(0, NAME_LENGTH - mark.length) + mark;
}

/** Arguments as a string. What never was JSON cannot be sent again: servers parse it and refuse the whole request. */
export function encodeArguments(call: ToolCall): string {
  if (call.malformed === undefined) return toWellFormedJson(call.input);
  return parseJson(call.malformed) === undefined ? '{}' : call.malformed.toWellFormed();
}
export function toWellFormedJson(value: Json): string {
  const json = toStableJson(value);
  return json.includes('\\ud') ? toStableJson(mended(value)) : json;
}
function mended(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: Json) => mended(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mended(item ?? null)]));
}

/** The limit to ask for: what a recovery set, what the owner set, or (where the wire wants one) the model's own. */
export function resolveMaxOutput({ runtime, adjust, sampling }: ModelRequest, needed: boolean): number | undefined {
  const asked = lesser(adjust.maxOutput ?? runtime.limits.maxOutput, sampling?.maxOutput);
  if (asked !== undefined || !needed) return asked;
  return Math.min(resolveOutputLimit(runtime.model), Math.floor(runtime.limits.window / 2));
}
const lesser = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
