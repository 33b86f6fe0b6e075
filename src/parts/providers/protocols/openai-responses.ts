import type OpenAI from 'openai';
import { readPath, isObject, readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { FinishReason, ModelEvent, ModelRequest, Protocol } from '../../../contracts/provider.ts';
import type { ProviderQuirks } from '../../../contracts/provider-profile.ts';
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
  REFUSAL,
  setNative,
  type FoldStep,
} from './draft.ts';
import { RESPONSES, createResponsesEncoder } from './openai-responses-encode.ts';
import { addLogprobs } from './logprobs.ts';
import { parseInclusiveUsage } from './usage.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

type ResponsesFrame = JsonObject;
type ResponsesFrameType = OpenAI.Responses.ResponseStreamEvent['type'];
type FoldResponsesFrame = (draft: ReplyDraft, frame: ResponsesFrame) => FoldStep;

// ── encode ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function openaiResponses(quirks: ProviderQuirks = {}): Protocol<ResponsesFrame, ReplyDraft> {
  return {
    id: RESPONSES,
    path: '/responses',
    encode: createResponsesEncoder(quirks),
    begin: (request, estimate) => begin(RESPONSES, request, estimate),
    parse,
    step,
    end,
    whole,
    progress: (draft) => draft.progress,
    counted: (draft) => draft.usage,
  };
}

// ── state ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Blocks are keyed by the place of their item in the output. */
const itemKey = (frame: ResponsesFrame): string => `item:${readNumberAt(frame, 'output_index') ?? 0}`;

const INCOMPLETE: Readonly<Record<string, FinishReason>> = { max_output_tokens: 'length', content_filter: 'content_filter' };

// ── parse ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function parse(event: string | undefined, data: string): ResponsesFrame | undefined {
  if (data.trim() === '' || data.trim() === '[DONE]') return undefined;
  const frame = parseJson(data);
  if (!isObject(frame)) throw new SyntaxError(`not a response stream event: ${data.slice(0, 200)}`);
  return frame['type'] === undefined && event !== undefined ? { type: event, ...frame } : frame;
}

// ── step ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const words = (frame: ResponsesFrame): string => readStringAt(frame, 'delta') ?? '';
const foldThinking: FoldResponsesFrame = (draft, frame) => addThinking(draft, itemKey(frame), words(frame));

const STEPS: Readonly<Record<string, FoldResponsesFrame>> = {
  'response.output_text.delta': (draft, frame) => addText(draft, itemKey(frame), words(frame)),
  'response.refusal.delta': (draft, frame) => addText(draft, REFUSAL, words(frame)),
  'response.reasoning_summary_part.added': stepPart,
  'response.reasoning_summary_text.delta': foldThinking,
  'response.reasoning_text.delta': foldThinking,
  'response.output_item.added': stepAdded,
  'response.function_call_arguments.delta': stepArguments,
  'response.output_item.done': stepItem,
  'response.completed': stepOver,
  'response.incomplete': stepOver,
  'response.failed': (draft, frame) => refuseAnswer(withUsage(draft, frame), readPath(frame, 'response') ?? frame),
  error: (draft, frame) => refuseAnswer(draft, frame),
} satisfies Partial<Record<ResponsesFrameType, FoldResponsesFrame>>;

function step(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const type = readStringAt(frame, 'type') ?? (frame['error'] === undefined ? '' : 'error');
  const fold = Object.hasOwn(STEPS, type) ? STEPS[type] : undefined;
  return draft.over || fold === undefined ? [draft, []] : fold(draft, frame);
}

/** The parts of one summary stand apart like paragraphs. */
function stepPart(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const later = (readNumberAt(frame, 'summary_index') ?? 0) > 0;
  return later ? addThinking(draft, itemKey(frame), '\n\n') : [draft, []];
}

function stepAdded(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const item = readPath(frame, 'item') ?? {};
  return [readStringAt(item, 'type') === 'function_call' ? putItemCall(draft, frame, item) : draft, []];
}

/** Arguments of an item nobody has named announce a call: this wire has no finish reason to do it. */
function stepArguments(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const open = listCallBlocks(draft).findLast((call) => call.key === itemKey(frame));
  return [open === undefined ? { ...draft, finish: 'tool_calls' } : putCall(draft, { ...open, args: open.args + words(frame) }), []];
}

/** A finished item is the authority; deltas that were never sent are made up for. */
function stepItem(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const item = readPath(frame, 'item') ?? {};
  switch (readStringAt(item, 'type') ?? '') {
    case 'function_call':
      return [putItemCall(draft, frame, item), []];
    case 'reasoning':
      return stepReasoning(draft, frame, item);
    case 'message':
      return stepMessage(draft, frame, item);
    default:
      return [draft, []];
  }
}

function putItemCall(draft: ReplyDraft, frame: ResponsesFrame, item: Json): ReplyDraft {
  const key = itemKey(frame);
  const slot = readNumberAt(frame, 'output_index') ?? 0;
  const id = readStringAt(item, 'call_id') ?? readStringAt(item, 'id') ?? '';
  return putCall(draft, {
    kind: 'call',
    key,
    slot,
    id,
    name: readStringAt(item, 'name') ?? '',
    args: readStringAt(item, 'arguments') ?? '',
  });
}

function stepReasoning(draft: ReplyDraft, frame: ResponsesFrame, item: Json): FoldStep {
  const key = itemKey(frame);
  const shown = draft.blocks.some((block) => block.kind === 'thinking' && block.key === key && block.text !== '');
  const [next, events] = shown ? [draft, []] : addThinking(draft, key, textIn(item, 'summary', 'text', '\n\n') || textIn(item, 'content'));
  // Without its encrypted content an item that the server does not keep means nothing when it goes back.
  return [readStringAt(item, 'encrypted_content') === undefined ? next : setNative(next, key, () => item), events];
}

function stepMessage(draft: ReplyDraft, frame: ResponsesFrame, item: Json): FoldStep {
  const content = readPath(item, 'content');
  const parts = Array.isArray(content) ? content : [];
  const [closed, before] = closeText(parts.reduce<ReplyDraft>((here, part) => addLogprobs(here, readPath(part, 'logprobs')), draft));
  const known = [`text:${itemKey(frame)}`, `tag:${itemKey(frame)}`, `text:${REFUSAL}`];
  const said = closed.blocks.some((block) => known.includes(block.key));
  if (said) return [closed, before];
  const refusal = textIn(item, 'content', 'refusal');
  const [next, events] = refusal === '' ? addText(closed, itemKey(frame), textIn(item, 'content')) : addText(closed, REFUSAL, refusal);
  return [next, [...before, ...events]];
}

function textIn(item: Json, list: string, field = 'text', between = ''): string {
  const parts = readPath(item, list);
  return Array.isArray(parts) ? parts.map((part: Json) => readStringAt(part, field) ?? '').join(between) : '';
}

/** The last frame: counts, the reason for stopping, and items of a server that never told them one by one. */
function stepOver(draft: ReplyDraft, frame: ResponsesFrame): FoldStep {
  const response = readPath(frame, 'response') ?? {};
  const reason = readStringAt(response, 'incomplete_details', 'reason');
  const finish = reason === undefined ? (draft.finish ?? 'stop') : (INCOMPLETE[reason] ?? 'length');
  const next: ReplyDraft = { ...withUsage(draft, frame), finish };
  return runFoldSteps(next, [(here) => stepOutput(here, response, here.blocks.length === 0 && here.textKey === ''), finishAnswer]);
}

function withUsage(draft: ReplyDraft, frame: ResponsesFrame): ReplyDraft {
  const usage = readPath(frame, 'response', 'usage');
  return isObject(usage) ? { ...draft, usage: parseInclusiveUsage(draft.usage, usage) } : draft;
}

/** Calls that were told here alone are never left out; the rest counts only where nothing was told before. */
function stepOutput(draft: ReplyDraft, response: Json, untold: boolean): FoldStep {
  const output = readPath(response, 'output');
  const items = Array.isArray(output) ? output : [];
  const isNew = (item: Json, index: number): boolean =>
    readStringAt(item, 'type') === 'function_call' &&
    !listCallBlocks(draft).some(({ key, id }) => key === `item:${index}` || id === readStringAt(item, 'call_id'));
  return runFoldSteps(
    draft,
    items.flatMap((item: Json, index) =>
      untold || isNew(item, index) ? [(here: ReplyDraft) => stepItem(here, { output_index: index, item })] : [],
    ),
  );
}

// ── end ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Only the server's own last frame ends an answer on this wire. */
const end = (draft: ReplyDraft): readonly ModelEvent[] => cutOff(draft)[1];

// ── whole ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The unstreamed answer is what the last frame would have carried. */
function whole(request: ModelRequest, body: string, estimate?: number): readonly ModelEvent[] {
  const draft = begin(RESPONSES, request, estimate);
  const response = parseJson(body);
  const failed = (readPath(response, 'error') ?? undefined) !== undefined;
  if (failed || !Array.isArray(readPath(response, 'output'))) return rejectBody(withUsage(draft, { response: response ?? null }), body)[1];
  return stepOver(draft, { response: response ?? null })[1];
}
