import type { NewEntry } from '../contracts/entry.ts';
import type { Failure } from '../contracts/failure.ts';
import { createTextBlock } from '../contracts/message.ts';
import type { TurnState } from '../contracts/turn.ts';
import type { PhaseResult, TurnDeps } from './deps.ts';
import { toSettle } from './state.ts';
import { createStoppedOutcome } from './words.ts';

/**
 * The turn was told to stop. What the model had said by then stays in the log, the reply that broke off included: somebody
 * read it, and the next turn goes on from it.
 */
export function leave(state: TurnState, { signal }: Pick<TurnDeps, 'signal'>, heard = findUnsavedReply(state)): PhaseResult {
  const broken = heard.trim() === '' ? [] : [{ id: `${state.turnId}.broken`, text: heard }];
  const parts = [...state.parts, ...broken];
  const said = parts.map((part) => part.text).join('');
  const next = toSettle(
    state,
    createStoppedOutcome(signal, said),
    parts.map((part) => part.id),
  );
  return { state: next, ...(broken.length > 0 && { append: broken.map(createPartialReplyEntry) }) };
}

/** A reply that broke off, as the log has it. */
export const createPartialReplyEntry = ({ id, text: words }: { readonly id: string; readonly text: string }): NewEntry => ({
  type: 'message',
  id,
  origin: 'model',
  message: { role: 'assistant', content: [createTextBlock(words, 'model')] },
});

const findUnsavedReply = (state: TurnState): string => (state.phase === 'recover' ? extractPartialReply(state.failure) : '');

/** Words of a stream that broke. A fragment cut at its length is stored already. */
export function extractPartialReply(failure: Failure): string {
  const words = failure.type !== 'truncated' && 'partial' in failure ? (failure.partial?.text ?? '') : '';
  return words.trim() === '' ? '' : words;
}
