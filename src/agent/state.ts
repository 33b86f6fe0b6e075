import type { ClosingReason, Outcome } from '../contracts/event.ts';
import type { InPhase, TurnBase, TurnState } from '../contracts/turn.ts';
import type { Sampling } from '../contracts/provider.ts';
import { PLAIN, type Runtime } from '../contracts/runtime.ts';

export interface TurnStart {
  readonly sessionId: string;
  readonly turnId: string;
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly sampling?: Sampling;
}

export const begin = (start: TurnStart): InPhase<'prepare'> => ({
  ...start,
  phase: 'prepare',
  steps: 0,
  spent: {},
  adjust: PLAIN,
  parts: [],
  guard: { calls: {}, failing: {}, strangers: 0 },
});

/** What every phase carries on to the next. */
export const turnBase = ({ sessionId, turnId, startedAt, steps, spent, runtime, sampling, adjust, parts, guard }: TurnState): TurnBase => ({
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
});

export const toSample = (state: TurnBase, closing?: ClosingReason): InPhase<'sample'> => ({
  ...state,
  phase: 'sample',
  ...(closing !== undefined && { closing }),
});

export const toSettle = (state: TurnState, outcome: Outcome, messageIds: readonly string[] = []): InPhase<'settle'> => ({
  ...turnBase(state),
  phase: 'settle',
  outcome,
  messageIds,
});

/** Counts one use of a bounded thing. */
export const spend = (spent: TurnBase['spent'], name: string): Record<string, number> => ({ ...spent, [name]: (spent[name] ?? 0) + 1 });
