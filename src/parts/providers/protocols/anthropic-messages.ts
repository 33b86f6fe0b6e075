import type Anthropic from '@anthropic-ai/sdk';
import { readPath, isObject, readNumberAt, parseJson, toStableJson, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { FinishReason, ModelEvent, ModelRequest, Protocol } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
import { ANTHROPIC, createAnthropicEncoder } from './anthropic-messages-encode.ts';
import { cutOff, finishAnswer, refuseAnswer, rejectBody } from './answer.ts';
import {
  addText,
  addThinking,
  begin,
  listCallBlocks,
  closeText,
  type ReplyDraft,
  runFoldSteps,
  putCall,
  setNative,
  type FoldStep,
} from './draft.ts';
import { parseExclusiveUsage } from './usage.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

type MessagesFrame = JsonObject;
type MessagesFrameType = Anthropic.RawMessageStreamEvent['type'] | 'error';
type FoldMessagesFrame = (draft: ReplyDraft, frame: MessagesFrame) => FoldStep;

// ── encode ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function anthropicMessages(quirks: ProviderQuirks = {}): Protocol<MessagesFrame, ReplyDraft> {
  return {
    id: ANTHROPIC,
    path: '/v1/messages',
    encode: createAnthropicEncoder(quirks),
    begin: (request, estimate) => begin(ANTHROPIC, request, estimate),
    parse,
    step,
    end,
    whole,
    progress: (draft) => draft.progress,
    counted: (draft) => draft.usage,
  };
}

// ── state ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Blocks are keyed by their index on the wire. */
const keyOf = (frame: MessagesFrame): string => `block:${readNumberAt(frame, 'index') ?? 0}`;

const FINISH: Readonly<Record<Anthropic.StopReason, FinishReason>> & Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'paused',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

// ── parse ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function parse(event: string | undefined, data: string): MessagesFrame | undefined {
  if (data.trim() === '' || event === 'ping') return undefined;
  const frame = parseJson(data);
  if (!isObject(frame)) throw new SyntaxError(`not a message stream event: ${data.slice(0, 200)}`);
  return frame['type'] === undefined && event !== undefined ? { type: event, ...frame } : frame;
}

// ── step ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const STEPS: Readonly<Record<string, FoldMessagesFrame>> = {
  message_start: (draft, frame) => [counted(draft, readPath(frame, 'message', 'usage')), []],
  content_block_start: stepStart,
  content_block_delta: stepDelta,
  content_block_stop: (draft, frame) => closeText(closeServerCall(draft, keyOf(frame))),
  message_delta: stepMessage,
  message_stop: (draft) => finishAnswer(draft),
  error: (draft, frame) => refuseAnswer(draft, frame),
} satisfies Record<MessagesFrameType, FoldMessagesFrame>;

function step(draft: ReplyDraft, frame: MessagesFrame): FoldStep {
  const type = (frame['error'] ?? undefined) === undefined ? (readStringAt(frame, 'type') ?? '') : 'error';
  const fold = Object.hasOwn(STEPS, type) ? STEPS[type] : undefined;
  return draft.over || fold === undefined ? [draft, []] : fold(draft, frame);
}

function stepStart(draft: ReplyDraft, frame: MessagesFrame): FoldStep {
  const key = keyOf(frame);
  const block = readPath(frame, 'content_block') ?? {};
  const type = readStringAt(block, 'type') ?? '';
  switch (type) {
    case 'text':
      return addText(draft, key, readStringAt(block, 'text') ?? '');
    case 'thinking':
      return runFoldSteps(draft, [
        (here) => addThinking(here, key, readStringAt(block, 'thinking') ?? ''),
        (here) => signed(here, key, readStringAt(block, 'signature') ?? ''),
      ]);
    case 'redacted_thinking':
      return [setNative(draft, key, () => block), []];
    case 'tool_use':
      return [openCall(draft, key, block), []];
    default:
      // A tool that the server runs, or what came of it: goes back as it is.
      return [type === 'server_tool_use' || type.endsWith('_tool_result') ? setNative(draft, key, () => block) : draft, []];
  }
}

/** A streamed call begins with an empty input and brings it as text; a whole one has it at once. */
function openCall(draft: ReplyDraft, key: string, block: Json): ReplyDraft {
  const input = readPath(block, 'input');
  const args = isObject(input) && Object.keys(input).length > 0 ? toStableJson(input) : '';
  return putCall(draft, {
    kind: 'call',
    key,
    slot: listCallBlocks(draft).length,
    id: readStringAt(block, 'id') ?? '',
    name: readStringAt(block, 'name') ?? '',
    args,
  });
}

function stepDelta(draft: ReplyDraft, frame: MessagesFrame): FoldStep {
  const key = keyOf(frame);
  const delta = readPath(frame, 'delta') ?? {};
  switch (readStringAt(delta, 'type') ?? '') {
    case 'text_delta':
      return addText(draft, key, readStringAt(delta, 'text') ?? '');
    case 'thinking_delta':
      return addThinking(draft, key, readStringAt(delta, 'thinking') ?? '');
    case 'signature_delta':
      return signed(draft, key, readStringAt(delta, 'signature') ?? '');
    case 'input_json_delta':
      return [growCall(draft, key, readStringAt(delta, 'partial_json') ?? ''), []];
    default:
      return [draft, []];
  }
}

/** The whole block goes back later, word for word with its signature. */
function signed(draft: ReplyDraft, key: string, signature: string): FoldStep {
  if (signature === '') return [draft, []];
  const next = setNative(draft, key, (known, thinking) => ({
    type: 'thinking',
    thinking,
    signature: (readStringAt(known, 'signature') ?? '') + signature,
  }));
  return [next, []];
}

function growCall(draft: ReplyDraft, key: string, delta: string): ReplyDraft {
  const open = listCallBlocks(draft).findLast((call) => call.key === key);
  if (open !== undefined) return putCall(draft, { ...open, args: open.args + delta });
  if (!isServerCall(draft, key)) return draft;
  return setNative(draft, key, (known) =>
    isObject(known) ? { ...known, [PARTIAL]: (readStringAt(known, PARTIAL) ?? '') + delta } : delta,
  );
}

/** Where the input of a tool that the server runs is collected, until it is whole. */
const PARTIAL = 'partial_json';
const isServerCall = (draft: ReplyDraft, key: string): boolean =>
  draft.blocks.some((block) => block.kind === 'thinking' && block.key === key && readPath(block.native, 'input') !== undefined);

function closeServerCall(draft: ReplyDraft, key: string): ReplyDraft {
  if (!isServerCall(draft, key)) return draft;
  return setNative(draft, key, (known) => {
    const json = readStringAt(known, PARTIAL);
    if (!isObject(known) || json === undefined) return known ?? null;
    const { [PARTIAL]: _, ...block } = known;
    return { ...block, input: parseJson(json) ?? {} };
  });
}

function stepMessage(draft: ReplyDraft, frame: MessagesFrame): FoldStep {
  const reason = readStringAt(frame, 'delta', 'stop_reason');
  const next = counted(draft, readPath(frame, 'usage'));
  return [reason === undefined ? next : { ...next, finish: FINISH[reason] ?? 'stop' }, []];
}

const counted = (draft: ReplyDraft, usage: Json | undefined): ReplyDraft =>
  isObject(usage) ? { ...draft, usage: parseExclusiveUsage(draft.usage, usage) } : draft;

// ── end ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Some compatible servers leave `message_stop` out; a stop reason is a last word too. */
const end = (draft: ReplyDraft): readonly ModelEvent[] => (draft.finish === undefined ? cutOff(draft) : finishAnswer(draft))[1];

// ── whole ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The unstreamed answer, told as the frames it would have come in. */
function whole(request: ModelRequest, body: string, estimate?: number): readonly ModelEvent[] {
  const draft = begin(ANTHROPIC, request, estimate);
  const message = parseJson(body);
  const content = readPath(message, 'content');
  if (!isObject(message) || !Array.isArray(content)) return rejectBody(draft, body)[1];
  const frames: readonly MessagesFrame[] = [
    { type: 'message_start', message },
    ...content.map((block: Json, index): MessagesFrame => ({ type: 'content_block_start', index, content_block: block })),
    { type: 'message_delta', delta: { stop_reason: message['stop_reason'] ?? 'end_turn' } },
    { type: 'message_stop' },
  ];
  return runFoldSteps(
    draft,
    frames.map((frame) => (here: ReplyDraft) => step(here, frame)),
  )[1];
}
