import type { ClosingReason, Outcome } from '../contracts/event.ts';
import type { TurnInPhase, TurnBase, TurnState } from '../contracts/turn.ts';
import type { Json } from '../contracts/message.ts';
import type { Sampling } from '../contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../contracts/runtime.ts';

export interface TurnStart {
  readonly sessionId: string;
  readonly turnId: string;
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly sampling?: Sampling;
  readonly replyTo?: Json;
}

export const createTurnState = (start: TurnStart): TurnInPhase<'prepare'> => ({
  ...start,
  phase: 'prepare',
  steps: 0,
  spent: {},
  adjust: DEFAULT_ADJUSTMENTS,
  parts: [],
  guard: { calls: {}, failing: {}, strangers: 0 },
});

/** What every phase carries on to the next. */
export const toTurnBase = ({
  sessionId,
  turnId,
  startedAt,
  steps,
  spent,
  runtime,
  sampling,
  adjust,
  parts,
  guard,
  replyTo,
  crashes,
  crashedAt,
}: TurnState): TurnBase => ({
  sessionId,
  turnId,
  startedAt,
  steps,
  spent,
  runtime,
  ...(sampling !== undefined && { sampling }),
  adjust,
  parts,
  guard,
  ...(replyTo !== undefined && { replyTo }),
  ...(crashes !== undefined && { crashes }),
  ...(crashedAt !== undefined && { crashedAt }),
});

export const toSample = (state: TurnBase, closing?: ClosingReason): TurnInPhase<'sample'> => ({
  ...state,
  phase: 'sample',
  ...(closing !== undefined && { closing }),
});

export const toSettle = (state: TurnState, outcome: Outcome, messageIds: readonly string[] = []): TurnInPhase<'settle'> => ({
  ...toTurnBase(state),
  phase: 'settle',
  outcome,
  messageIds,
});

/** Counts one use of a bounded thing. */
export const spend = (spent: TurnBase['spent'], name: string): Record<string, number> => ({ ...spent, [name]: (spent[name] ?? 0) + 1 });
