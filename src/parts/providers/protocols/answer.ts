import { parseHost } from '../../../base/http.ts';
import type { Failure } from '../../../contracts/failure.ts';
import { type AssistantMessage, type Json, type NativeData, NO_USAGE, type ToolCall } from '../../../contracts/message.ts';
import type { FinishReason, ModelEvent } from '../../../contracts/provider.ts';
import { classify, type Evidence } from '../failure/failure.ts';
import { settleCalls } from './calls.ts';
import { type DraftBlock, type CallBlock, listCallBlocks, closeText, type ReplyDraft, REFUSAL, type FoldStep } from './draft.ts';

/** The terminal event of an answer that came whole. */
export function finishAnswer(draft: ReplyDraft): FoldStep {
  if (draft.over) return [draft, []];
  const [closed, events] = closeText(draft);
  const { usage, logprobs } = closed;
  const event: ModelEvent = {
    type: 'done',
    message: messageOf(closed),
    usage,
    finish: finishOf(closed),
    ...(logprobs !== undefined && { logprobs }),
  };
  return [{ ...closed, over: true }, [...events, event]];
}

/**
 * Servers disagree on what they call an answer with calls, so calls make it one; calls that were announced and did not come stay
 * announced, for the loop to ask again. A refusal counts when it is all there is.
 */
function finishOf(draft: ReplyDraft): FinishReason {
  const finish = draft.finish ?? 'stop';
  const called = listCallBlocks(draft).length > 0;
  const texts = draft.blocks.filter((block) => block.kind === 'text');
  if (!called && texts.length > 0 && texts.every((block) => block.key === `text:${REFUSAL}`)) return 'content_filter';
  return finish === 'stop' && called ? 'tool_calls' : finish;
}

/** An error inside the stream, in the provider's words. */
export const refuseAnswer = (draft: ReplyDraft, said: Json): FoldStep =>
  failed(draft, classify({ where: 'frame', ...routeOf(draft), body: JSON.stringify(said) }));

/** A success that is no answer: an error in disguise, a login page, a cut document, nothing at all. */
export const rejectBody = (draft: ReplyDraft, body: string): FoldStep =>
  failed(draft, classify({ where: 'http', status: 200, ...routeOf(draft), body }));

function routeOf({ request, estimate }: ReplyDraft): Pick<Evidence, 'provider' | 'model' | 'protocol' | 'window' | 'estimate'> {
  const { provider, model, protocol, limits } = request.runtime;
  return { provider, model, protocol, window: limits.window, ...(estimate === undefined ? {} : { estimate }) };
}

/** The connection closed before the wire's own last word. */
export function cutOff(draft: ReplyDraft): FoldStep {
  if (draft.over) return [draft, []];
  const [closed, events] = closeText(draft);
  const detail = 'The connection closed before the answer was complete.';
  const [next, last] = failed(closed, { type: 'network', detail, partial: { text: wordsOf(closed) } });
  return [next, [...events, ...last]];
}

function failed(draft: ReplyDraft, failure: Failure): FoldStep {
  if (draft.over) return [draft, []];
  const event: ModelEvent = { type: 'failed', failure, ...(draft.usage === NO_USAGE ? {} : { usage: draft.usage }) };
  return [{ ...draft, over: true }, [event]];
}
const wordsOf = (draft: ReplyDraft): string => draft.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('');

function messageOf(draft: ReplyDraft): AssistantMessage {
  const open = listCallBlocks(draft);
  const raw = open.map(({ id, name, args, native }) => ({ id, name, args, ...stamped(draft, native) }));
  // The place in the transcript makes an id given here differ from one given to the same call earlier.
  const calls = settleCalls(raw, draft.request.messages.length);
  const settledOf = new Map(open.map((block, index) => [block, calls[index]]));
  return { role: 'assistant', content: draft.blocks.flatMap((block) => contentOf(draft, block, settledOf)) };
}

function contentOf(draft: ReplyDraft, block: DraftBlock, calls: ReadonlyMap<CallBlock, ToolCall | undefined>): AssistantMessage['content'] {
  if (block.kind === 'call') return [calls.get(block)].filter((call) => call !== undefined);
  if (block.kind === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text, trust: 'model' }];
  const text = block.tagged === true ? block.text.trim() : block.text;
  const idle = (block.tagged === true && draft.structured) || (text === '' && block.native === undefined);
  return idle ? [] : [{ type: 'thinking', text, trust: 'model', ...stamped(draft, block.native) }];
}

/** Opaque data under the name of the protocol and host that can read it. */
const stamped = (draft: ReplyDraft, data: Json | undefined): { readonly native?: NativeData } =>
  data === undefined ? {} : { native: { protocol: draft.protocol, issuer: parseHost(draft.request.runtime.baseUrl), data } };
