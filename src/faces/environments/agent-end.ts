import type { ExitReason, Outcome } from '../../contracts/outcome.ts';
import { describeFailedTurn } from './run-advice.ts';

/** How the model's part of an attempt ended. */
export interface AgentEnd {
  readonly outcome: Outcome;
  readonly error?: string;
  /** The model was not heard to its end, through no fault of its own. */
  readonly isCutOff: boolean;
  /** The conversation became longer than the model takes. */
  readonly isOutgrown: boolean;
}

/** Failures of whoever serves the model, and of ours. What a model brings upon itself, as a request that is too long, is none of them. */
const CUT_OFF: ReadonlySet<ExitReason> = new Set<ExitReason>([
  'rate_limited',
  'upstream_limited',
  'overloaded',
  'server_error',
  'network',
  'tls',
  'timeout',
  'unauthorized',
  'forbidden',
  'billing',
  'model_not_found',
  'endpoint_not_found',
  'internal_error',
  'store_failed',
  'crashed',
]);

export const readAgentEnd = (outcome: Outcome): AgentEnd =>
  outcome.type === 'failed'
    ? {
        outcome,
        error: describeFailedTurn(outcome),
        isCutOff: CUT_OFF.has(outcome.exitReason),
        isOutgrown: outcome.exitReason === 'context_overflow',
      }
    : { outcome, isCutOff: false, isOutgrown: false };
