import type { NewEntry } from '../contracts/entry.ts';
import { collectToolCalls, joinTextBlocks, type AssistantMessage } from '../contracts/message.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { resetCallCounters } from './bounds.ts';
import type { PhaseResult } from './deps.ts';
import type { ReplyVerdict } from './reply.ts';
import { spend, toSample, toSettle, toTurnBase } from './state.ts';

/** Where a reply leads. The message is stored under an id of its own, so that the outcome can name it. */
export function followReply(state: TurnInPhase<'sample'>, reply: ReplyVerdict, message: AssistantMessage): PhaseResult {
  const id = `${state.turnId}.${state.steps + 1}`;
  const entry: NewEntry = { type: 'message', id, origin: 'model', message };
  const asked = { ...toTurnBase(state), steps: state.steps + 1 };
  const heard = { ...asked, spent: resetCallCounters(state.spent) };
  const parts = [...state.parts, { id, text: joinTextBlocks(message) }];
  switch (reply.type) {
    case 'answer': {
      const outcome = { type: 'answered', exitReason: 'answered', text: parts.map((part) => part.text).join('') } as const;
      return {
        state: toSettle(
          { ...heard, phase: 'prepare' },
          outcome,
          parts.map((part) => part.id),
        ),
        append: [entry],
      };
    }
    case 'calls':
      return {
        state: { ...heard, parts: [], phase: 'act', calls: collectToolCalls(message).map((call) => ({ status: 'planned', call })) },
        append: [entry],
      };
    case 'paused':
      return { state: toSample({ ...asked, spent: spend(heard.spent, 'continue_paused'), parts }), append: [entry] };
    case 'fragment':
      return { state: { ...asked, parts, phase: 'recover', failure: reply.failure }, append: [entry] };
    case 'unusable':
      return {
        state: { ...asked, ...(reply.isShown && { parts: withGap(parts) }), phase: 'recover', failure: reply.failure },
        ...(reply.keep && { append: [entry] }),
      };
  }
}

/** What follows is another message, not the rest of a sentence. */
const withGap = (parts: TurnInPhase<'sample'>['parts']): TurnInPhase<'sample'>['parts'] =>
  parts.map((part, index) => (index === parts.length - 1 ? { ...part, text: `${part.text}\n\n` } : part));
