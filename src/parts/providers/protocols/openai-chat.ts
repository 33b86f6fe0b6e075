import { readPath, isObject, readNumberAt, parseJson, readStringAt, toStableJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { FinishReason, ModelEvent, ModelRequest, Protocol } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { cutOff, finishAnswer, refuseAnswer, rejectBody } from './answer.ts';
import {
  addText,
  addThinking,
  begin,
  type CallBlock,
  listCallBlocks,
  orderCalls,
  type ReplyDraft,
  runFoldSteps,
  putCall,
  REFUSAL,
  setNative,
  type FoldStep,
} from './draft.ts';
import { CHAT, createChatEncoder } from './openai-chat-encode.ts';
import { addLogprobs } from './logprobs.ts';
import { mergeDetails, joinThinkingText } from './reasoning-details.ts';
import { parseInclusiveUsage } from './usage.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

type ChatFrame = JsonObject | '[DONE]';

// ── encode ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function openaiChat(quirks: ProviderQuirks = {}): Protocol<ChatFrame, ReplyDraft> {
  return {
    id: CHAT,
    path: '/chat/completions',
    encode: createChatEncoder(quirks),
    begin: (request, estimate) => begin(CHAT, request, estimate),
    parse,
    step: (draft, frame) => step(draft, frame, quirks),
    end,
    whole: (request, body, estimate) => whole(request, body, estimate, quirks),
    progress: (draft) => draft.progress,
    counted: (draft) => draft.usage,
  };
}

// ── state ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const TEXT = 'content';
const THINKING = 'reasoning';

const FINISH: Readonly<Record<string, FinishReason>> = {
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  sensitive: 'content_filter',
  safety: 'content_filter',
};
/** Fields in which reasoning comes as plain text. */
const PLAIN_REASONING = ['reasoning_content', 'reasoning'] as const;

/** Reasons by which a server says that it broke down rather than finished. */
const BROKEN = new Set(['error', 'network_error', 'insufficient_system_resource']);

// ── parse ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function parse(event: string | undefined, data: string): ChatFrame | undefined {
  if (data.trim() === '') return undefined;
  if (data.trim() === '[DONE]') return '[DONE]';
  const frame = parseJson(data);
  if (!isObject(frame)) throw new SyntaxError(`not a chat completion chunk: ${data.slice(0, 200)}`);
  return event === 'error' && frame['error'] === undefined ? { error: frame } : frame;
}

// ── step ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function step(draft: ReplyDraft, frame: ChatFrame, quirks: ProviderQuirks): FoldStep {
  if (draft.over) return [draft, []];
  if (frame === '[DONE]') return finish(draft);
  const usage = readPath(frame, 'usage') ?? readPath(frame, 'choices', 0, 'usage') ?? readPath(frame, 'x_groq', 'usage');
  const counted = isObject(usage) ? { ...draft, usage: parseInclusiveUsage(draft.usage, usage) } : draft;
  if (isError(frame)) return refuseAnswer(counted, frame);
  const choice = readPath(frame, 'choices', 0);
  return isObject(choice) ? stepChoice(counted, choice, quirks) : [counted, []];
}

/** Errors come bare, inside a choice, or (MiniMax) as a status beside empty choices. */
function isError(frame: JsonObject): boolean {
  const error = frame['error'] ?? readPath(frame, 'choices', 0, 'error') ?? undefined;
  return error !== undefined || frame['object'] === 'error' || (readNumberAt(frame, 'base_resp', 'status_code') ?? 0) !== 0;
}

function stepChoice(draft: ReplyDraft, choice: JsonObject, quirks: ProviderQuirks): FoldStep {
  const delta = readPath(choice, 'delta') ?? untold(draft, choice, readPath(choice, 'message') ?? {});
  return runFoldSteps(draft, [
    (here) => stepThinking(here, delta, quirks),
    (here) => stepText(addLogprobs(here, readPath(choice, 'logprobs', 'content')), delta),
    (here) => [stepCalls(here, delta), []],
    (here) => stepFinish(here, choice),
  ]);
}

/** Some servers end a stream with the whole message in place of the last piece. What came already is left out of it. */
function untold(draft: ReplyDraft, choice: JsonObject, message: Json): Json {
  const content = readPath(message, 'content');
  const isWhole = draft.said !== '' && typeof content === 'string' && content.startsWith(draft.said);
  if (!isObject(message) || (readPath(choice, 'finish_reason') ?? null) === null) return message;
  const { reasoning: _, reasoning_content: __, reasoning_details: ___, ...rest } = message;
  const own = draft.blocks.some(({ kind }) => kind === 'thinking') ? rest : message;
  return isWhole ? { ...own, content: content.slice(draft.said.length) } : own;
}

/** Gateways send the same reasoning under several names at once; the first that has words is shown. */
function stepThinking(draft: ReplyDraft, delta: Json, { reasoningReturn = false }: ProviderQuirks): FoldStep {
  const details = readPath(delta, 'reasoning_details');
  const pieces = Array.isArray(details) ? details : [];
  const kept = pieces.length === 0 ? draft : setNative(draft, THINKING, (known) => mergeDetails(known, pieces));
  const field = PLAIN_REASONING.find((name) => (readStringAt(delta, name) ?? '') !== '');
  const words = field === undefined ? joinThinkingText(pieces) : (readStringAt(delta, field) ?? '');
  if (words === '') return [kept, []];
  const [next, events] = addThinking(kept, THINKING, words);
  // The field it came in is what the server needs to get it back; details have it all.
  const isPlain = reasoningReturn && field !== undefined && pieces.length === 0;
  return [isPlain ? setNative(next, THINKING, (known) => known ?? field) : next, events];
}

function stepText(draft: ReplyDraft, delta: Json): FoldStep {
  const content = readPath(delta, 'content');
  const words =
    typeof content === 'string' ? content : Array.isArray(content) ? content.map((part) => readStringAt(part, 'text') ?? '').join('') : '';
  if (words !== '') return addText({ ...draft, said: draft.said + words }, TEXT, words);
  const refusal = readStringAt(delta, 'refusal') ?? '';
  return refusal === '' ? [draft, []] : addText(draft, REFUSAL, refusal);
}

function stepCalls(draft: ReplyDraft, delta: Json): ReplyDraft {
  const calls = readPath(delta, 'tool_calls');
  if (Array.isArray(calls) && calls.length > 0)
    return calls.reduce<ReplyDraft>((here, call) => (isObject(call) ? stepCall(here, call) : here), draft);
  // The form before there were several calls: one, without an id.
  const legacy = readPath(delta, 'function_call');
  return isObject(legacy) ? stepCall(draft, { index: 0, function: legacy }) : draft;
}

function stepCall(draft: ReplyDraft, delta: JsonObject): ReplyDraft {
  const open = openCall(draft, delta);
  const said = readPath(delta, 'function', 'arguments');
  const args = typeof said === 'string' ? said : isObject(said) ? JSON.stringify(said) : '';
  const native = readPath(delta, 'extra_content') ?? open.native;
  return putCall(draft, {
    ...open,
    id: open.id || (readStringAt(delta, 'id') ?? ''),
    name: open.name || (readStringAt(delta, 'function', 'name') ?? ''),
    // Nothing follows arguments that are whole: some servers send all of them once more at the end.
    args: isWholeCall(args) && isWholeCall(open.args) ? args : open.args + args,
    ...(native === undefined || native === null ? {} : { native }),
  });
}

/** Whether arguments are complete. Asked of a piece first: to look at all that came with every piece would take its square. */
const isWholeCall = (args: string): boolean =>
  args.trimStart().startsWith('{') && args.trimEnd().endsWith('}') && isObject(parseJson(args));

/**
 * The call a delta belongs to. Servers number calls by index; some leave the index out, and some send every call whole under
 * index 0: a name under another id always opens a new call. Without ids another name does, and so do other arguments behind complete ones.
 */
function openCall(draft: ReplyDraft, delta: JsonObject): CallBlock {
  const index = readNumberAt(delta, 'index');
  const id = readStringAt(delta, 'id') ?? '';
  const named = (readStringAt(delta, 'function', 'name') ?? '') !== '';
  const calls = listCallBlocks(draft);
  const known =
    index === undefined ? calls.findLast((call) => !named || (id !== '' && call.id === id)) : calls.findLast((call) => call.slot === index);
  const other = known !== undefined && named && isOtherCall(known, delta, id);
  if (known !== undefined && !other) return known;
  return { kind: 'call', key: `call:${calls.length}`, slot: index ?? calls.length, id: '', name: '', args: '' };
}

function isOtherCall(known: CallBlock, delta: JsonObject, id: string): boolean {
  if (id !== '' && known.id !== '') return id !== known.id;
  if (known.name === '') return false;
  const args = readStringAt(delta, 'function', 'arguments') ?? '';
  const name = readStringAt(delta, 'function', 'name');
  return name !== known.name || (isWholeCall(args) && isWholeCall(known.args) && !isSameJson(known.args, args));
}
const isSameJson = (one: string, other: string): boolean => toStableJson(parseJson(one) ?? null) === toStableJson(parseJson(other) ?? null);

function stepFinish(draft: ReplyDraft, choice: JsonObject): FoldStep {
  const said = readPath(choice, 'finish_reason');
  const reason = typeof said === 'string' || typeof said === 'number' ? String(said).toLowerCase() : '';
  if (reason === '') return [draft, []];
  if (BROKEN.has(reason)) return refuseAnswer(draft, { error: { code: reason, message: `The server ended the answer with "${reason}".` } });
  return [{ ...draft, finish: FINISH[reason] ?? 'stop' }, []];
}

// ── end ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Not every server sends `[DONE]`; a finish reason is a last word too. Usage comes after it, so `step` waits. */
const end = (draft: ReplyDraft): readonly ModelEvent[] => (draft.finish === undefined ? cutOff(draft) : finish(draft))[1];

/** Servers number calls and may send their pieces in another order. */
const finish = (draft: ReplyDraft): FoldStep => finishAnswer(orderCalls(draft));

// ── whole ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The unstreamed answer is one chunk whose delta is the message. */
function whole(request: ModelRequest, body: string, estimate: number | undefined, quirks: ProviderQuirks): readonly ModelEvent[] {
  const draft = begin(CHAT, request, estimate);
  const frame = parseJson(body);
  if (!isObject(frame) || isError(frame) || readPath(frame, 'choices', 0) === undefined) return rejectBody(draft, body)[1];
  return runFoldSteps(draft, [(here) => step(here, frame, quirks), finish])[1];
}
