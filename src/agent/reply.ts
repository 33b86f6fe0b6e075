import { isBrokenOff } from '../base/json-in-text.ts';
import { isObject } from '../base/json.ts';
import type { Failure } from '../contracts/failure.ts';
import { collectToolCalls, joinTextBlocks, type AssistantMessage, type ToolCall } from '../contracts/message.ts';
import type { FinishReason, ToolDefinition } from '../contracts/provider.ts';
import type { TurnState } from '../contracts/turn.ts';
import { BOUNDS, type BoundName } from './bounds.ts';
import { isWrittenCall, stripWrittenCalls } from './written-call.ts';

/** What a well-formed reply amounts to. `keep` stores a message the model must be reminded of; `isShown`: it is part of the answer as well. */
export type ReplyVerdict =
  | { readonly type: 'answer' | 'calls' | 'paused' }
  | { readonly type: 'fragment'; readonly failure: Failure }
  | { readonly type: 'unusable'; readonly failure: Failure; readonly keep: boolean; readonly isShown?: true };

/** `tools`: what could have been called. */
export function judgeReply(
  message: AssistantMessage,
  finish: FinishReason,
  state: TurnState,
  tools: readonly ToolDefinition[] = [],
): ReplyVerdict {
  const calls = collectToolCalls(message);
  const words = joinTextBlocks(message);
  if (finish === 'content_filter')
    return unusable({
      type: 'content_blocked',
      detail: words || 'the provider stopped the reply on grounds of content',
      // What was said before the filter stepped in stays in the log.
      ...(words.trim() !== '' && { partial: { text: words } }),
    });
  if (calls.length > 0) return judgeCalls(calls, words, finish);
  if (finish === 'paused' && !isSpent(state, 'continue_paused')) return { type: 'paused' };
  if (finish === 'length' && words.trim() !== '') {
    return {
      type: 'fragment',
      failure: { type: 'truncated', detail: 'the answer reached its length limit', partial: { text: words }, calls: false },
    };
  }
  if (!isSpent(state, 'reask_written_call') && isWrittenCall(words, tools)) return judgeWrittenCall(words, tools);
  if (finish === 'tool_calls' && words.trim() !== '' && !isSpent(state, 'reask_dropped_call')) {
    return unusable({ type: 'dropped_call', detail: 'the reply announced a tool call and brought none' });
  }
  if (words.trim() !== '') return { type: 'answer' };
  const thought = message.content.some((block) => block.type === 'thinking' && (block.text !== '' || block.native !== undefined));
  return thought
    ? {
        type: 'unusable',
        // Kept thoughts are followed by a request for words; once those are used up, one would be the last message of the next request.
        keep: !isSpent(state, 'prefill_thinking'),
        failure: {
          type: 'thinking_only',
          detail: 'the reply held reasoning and nothing else',
          ...(finish === 'length' && { atLength: true }),
        },
      }
    : unusable({ type: 'empty', detail: `the reply was empty (finish: ${finish})` });
}

/** So many words beside a written call are an answer that may only speak of calls: they are not lost, whatever the model says next. */
const ANSWER_CHARS = 200;

function judgeWrittenCall(words: string, tools: readonly ToolDefinition[]): ReplyVerdict {
  const failure: Failure = { type: 'written_call', detail: 'the reply wrote a tool call as text' };
  const isAnswer = stripWrittenCalls(words, tools).length >= ANSWER_CHARS;
  return { type: 'unusable', keep: true, failure, ...(isAnswer && { isShown: true }) };
}

/** Arguments that break off are never run and asked for again; what is wrong with others the result of the call says. */
function judgeCalls(calls: readonly ToolCall[], words: string, finish: FinishReason): ReplyVerdict {
  const broken = calls.filter((call) => call.malformed !== undefined || (finish === 'length' && isBlank(call, calls)));
  if (broken.length === 0) return { type: 'calls' };
  const isCutOff = finish === 'length' || broken.some(({ malformed }) => malformed !== undefined && isBrokenOff(malformed));
  if (!isCutOff) return { type: 'calls' };
  const detail = `the arguments of ${broken.map((call) => call.name).join(', ')} broke off`;
  return unusable({ type: 'truncated', detail, partial: { text: words }, calls: true });
}

/** The last call of a reply that ran out of room before its arguments began. */
const isBlank = (call: ToolCall, calls: readonly ToolCall[]): boolean =>
  call === calls.at(-1) && isObject(call.input) && Object.keys(call.input).length === 0;

const isSpent = ({ spent }: TurnState, name: BoundName): boolean => (spent[name] ?? 0) >= BOUNDS[name].limit;

const unusable = (failure: Failure): ReplyVerdict => ({ type: 'unusable', failure, keep: false });
