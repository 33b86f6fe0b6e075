import type { Failure } from '../contracts/failure.ts';
import { toolCalls, visibleText, type AssistantMessage, type ToolCall } from '../contracts/message.ts';
import type { Finish } from '../contracts/provider.ts';
import type { TurnState } from '../contracts/turn.ts';
import { BOUNDS } from './bounds.ts';

/** What a well-formed reply amounts to. `keep` stores a message the model must be reminded of. */
export type Reply =
  | { readonly type: 'answer' | 'calls' }
  | { readonly type: 'fragment'; readonly failure: Failure }
  | { readonly type: 'unusable'; readonly failure: Failure; readonly keep: boolean };

export function judge(message: AssistantMessage, finish: Finish, state: TurnState): Reply {
  const calls = toolCalls(message);
  const words = visibleText(message);
  if (finish === 'content_filter')
    return unusable({ type: 'content_blocked', detail: words || 'the provider stopped the reply on grounds of content' });
  if (calls.length > 0) return judgeCalls(calls, words, finish, state);
  if (finish === 'length' && words.trim() !== '') {
    return {
      type: 'fragment',
      failure: { type: 'truncated', detail: 'the answer reached its length limit', partial: { text: words }, calls: false },
    };
  }
  if (words.trim() !== '') return { type: 'answer' };
  const thought = message.content.some((block) => block.type === 'thinking' && (block.text !== '' || block.native !== undefined));
  return thought
    ? {
        type: 'unusable',
        keep: mayAskForWords(state),
        failure: { type: 'thinking_only', detail: 'the reply held reasoning and nothing else' },
      }
    : unusable({ type: 'empty', detail: `the reply was empty (finish: ${finish})` });
}

/** Arguments that break off are never run; arguments that are merely broken are asked for again, then reported to the model. */
function judgeCalls(calls: readonly ToolCall[], words: string, finish: Finish, state: TurnState): Reply {
  const broken = calls.filter((call) => call.malformed !== undefined);
  if (broken.length === 0) return { type: 'calls' };
  const cutOff = finish === 'length' || broken.some((call) => !/[}\]]\s*$/.test(call.malformed ?? ''));
  if (cutOff) {
    const detail = `the arguments of ${broken.map((call) => call.name).join(', ')} broke off`;
    const spent = state.spent['reask_truncated_call'] ?? 0;
    return spent < BOUNDS.reask_truncated_call.limit
      ? unusable({ type: 'truncated', detail, partial: { text: words }, calls: true })
      : { type: 'calls' };
  }
  const spent = state.spent['invalid_json'] ?? 0;
  if (spent >= BOUNDS.invalid_json.limit) return { type: 'calls' };
  return unusable({ type: 'invalid_arguments', detail: `the arguments of ${broken.map((call) => call.name).join(', ')} were not JSON` });
}

/** Kept thoughts are followed by a request for words. Once those are used up a kept one would be the last message of the next request. */
const mayAskForWords = ({ spent }: TurnState): boolean => (spent['prefill_thinking'] ?? 0) < BOUNDS.prefill_thinking.limit;

const unusable = (failure: Failure): Reply => ({ type: 'unusable', failure, keep: false });
