import { hostOf } from '../../../base/http.ts';
import type { Failure } from '../../../contracts/failure.ts';
import { type AssistantMessage, type Json, type Native, NO_USAGE, type ToolCall } from '../../../contracts/message.ts';
import type { Finish, ModelEvent } from '../../../contracts/provider.ts';
import { classify } from '../failure.ts';
import { settleCalls } from './calls.ts';
import { type Block, type CallBlock, callsOf, closeText, type Draft, REFUSAL, type Step } from './draft.ts';

/** The terminal event of an answer that came whole. */
export function done(draft: Draft): Step {
  if (draft.over) return [draft, []];
  const [closed, events] = closeText(draft);
  const event: ModelEvent = { type: 'done', message: messageOf(closed), usage: closed.usage, finish: finishOf(closed) };
  return [{ ...closed, over: true }, [...events, event]];
}

/** Servers disagree on what they call an answer with calls; the calls themselves decide. A refusal counts when it is all there is. */
function finishOf(draft: Draft): Finish {
  const finish = draft.finish ?? 'stop';
  const called = callsOf(draft).length > 0;
  const texts = draft.blocks.filter((block) => block.kind === 'text');
  if (!called && texts.length > 0 && texts.every((block) => block.key === `text:${REFUSAL}`)) return 'content_filter';
  if (finish === 'stop' && called) return 'tool_calls';
  return finish === 'tool_calls' && !called ? 'stop' : finish;
}

/** An error inside the stream, in the provider's words. */
export function refused(draft: Draft, said: Json): Step {
  const { provider, model, protocol, limits } = draft.request.runtime;
  const estimate = draft.estimate === undefined ? {} : { estimate: draft.estimate };
  return failed(draft, classify({ where: 'frame', provider, model, protocol, window: limits.window, ...estimate, body: JSON.stringify(said) }));
}

/** The connection closed before the wire's own last word. */
export function cutOff(draft: Draft): Step {
  if (draft.over) return [draft, []];
  const [closed, events] = closeText(draft);
  const detail = 'The connection closed before the answer was complete.';
  const [next, last] = failed(closed, { type: 'network', detail, partial: { text: wordsOf(closed) } });
  return [next, [...events, ...last]];
}

/** A whole answer that is not of this wire: an error page, a cut document. */
export const unreadable = (draft: Draft, body: string): Step =>
  failed(draft, { type: 'malformed', detail: `The answer is not JSON of this protocol: ${body.slice(0, 200)}`, partial: { text: wordsOf(draft) } });

function failed(draft: Draft, failure: Failure): Step {
  if (draft.over) return [draft, []];
  const event: ModelEvent = { type: 'failed', failure, ...(draft.usage === NO_USAGE ? {} : { usage: draft.usage }) };
  return [{ ...draft, over: true }, [event]];
}
const wordsOf = (draft: Draft): string => draft.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('');

function messageOf(draft: Draft): AssistantMessage {
  const open = callsOf(draft);
  const raw = open.map(({ id, name, args, native }) => ({ id, name, args, ...stamped(draft, native) }));
  // The place in the transcript makes an id given here differ from one given to the same call earlier.
  const calls = settleCalls(raw, draft.request.messages.length);
  const settledOf = new Map(open.map((block, index) => [block, calls[index]]));
  return { role: 'assistant', content: draft.blocks.flatMap((block) => contentOf(draft, block, settledOf)) };
}

function contentOf(draft: Draft, block: Block, calls: ReadonlyMap<CallBlock, ToolCall | undefined>): AssistantMessage['content'] {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text, trust: 'model' }];
    case 'thinking': {
      const text = block.tagged === true ? block.text.trim() : block.text;
      const idle = (block.tagged === true && draft.structured) || (text === '' && block.native === undefined);
      return idle ? [] : [{ type: 'thinking', text, trust: 'model', ...stamped(draft, block.native) }];
    }
    case 'call': {
      const call = calls.get(block);
      return call === undefined ? [] : [call];
    }
  }
}

/** Opaque data under the name of the protocol and host that can read it. */
const stamped = (draft: Draft, data: Json | undefined): { readonly native?: Native } =>
  data === undefined ? {} : { native: { protocol: draft.protocol, issuer: hostOf(draft.request.runtime.baseUrl), data } };
