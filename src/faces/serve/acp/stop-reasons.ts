import { RequestError, type StopReason } from '@agentclientprotocol/sdk';
import type { ExitReason, Outcome } from '../../../contracts/event.ts';

/** Why a turn ended, in the words of the protocol; any other reason is a plain end. */
const REASONS: Partial<Readonly<Record<ExitReason, StopReason>>> = {
  interrupted: 'cancelled',
  terminated: 'cancelled',
  truncated: 'max_tokens',
  token_budget: 'max_tokens',
  turn_limit: 'max_turn_requests',
  money_budget: 'max_turn_requests',
  policy_blocked: 'refusal',
  content_blocked: 'refusal',
};
/** Failures that only another key or another setup can mend. */
const NEEDS_SETUP: ReadonlySet<ExitReason> = new Set(['unauthorized', 'forbidden', 'billing']);
const INTERNAL_ERROR = -32_603;

/** The answer to a prompt. A turn that failed is an error with its words. */
export function toStopReason({ type, exitReason, text }: Outcome): StopReason {
  const reason = REASONS[exitReason];
  if (type !== 'failed' || reason !== undefined) return reason ?? 'end_turn';
  if (NEEDS_SETUP.has(exitReason)) throw RequestError.authRequired({ reason: exitReason }, text);
  throw new RequestError(INTERNAL_ERROR, text, { reason: exitReason });
}
