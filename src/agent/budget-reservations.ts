import { createKeyedQueue } from '../base/keyed-queue.ts';
import type { SpendingAllowance, Spending } from '../contracts/ledger.ts';
import type { SessionStore } from '../contracts/session-store.ts';

/** What something may cost at most. */
export interface CostLimit {
  readonly tokens: number;
  readonly usd: number;
}

/**
 * What the sessions of one family have set aside for calls that are not in the ledger yet. A child spends its family's
 * budget, and several of them ask at the same time: without this each would take the same rest for its own. Lost with the
 * process, as are the calls it stands for.
 */
export interface BudgetReservations {
  /** Work on one family's account, one at a time: nobody spends what another is still counting. */
  alone<Value>(owner: string, work: () => Promise<Value>): Promise<Value>;
  /** Sets aside for a session what its next call and its closing call may take, in place of what it had set aside before. */
  hold(owner: string, session: string, bound: CostLimit): void;
  holds(session: string): boolean;
  /** What all others of the family have set aside. */
  besides(owner: string, session: string): CostLimit;
  /** The session's turn is over. */
  release(session: string): void;
}

/** An allowance, and what all sessions that share it have set aside. */
export interface SharedAllowance extends SpendingAllowance {
  readonly reservations: BudgetReservations;
}

export function openReservations(): BudgetReservations {
  const held = new Map<string, CostLimit & { readonly owner: string }>();
  return {
    alone: createKeyedQueue(),
    hold: (owner, session, bound) => void held.set(session, { ...bound, owner }),
    holds: (session) => held.has(session),
    besides: (owner, session) =>
      [...held]
        .filter(([id, { owner: theirs }]) => id !== session && theirs === owner)
        .reduce((sum, [, { tokens, usd }]) => ({ tokens: sum.tokens + tokens, usd: sum.usd + usd }), { tokens: 0, usd: 0 }),
    release: (session) => void held.delete(session),
  };
}

export const sumUsageTokens = ({ usage }: Pick<Spending, 'usage'>): number =>
  usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

/** The session whose budget a session spends: a child spends that of the session it works for, however deep it is. */
export async function resolveBudgetOwner(sessionId: string, store: Pick<SessionStore, 'find'>): Promise<string> {
  const [session] = await store.find(sessionId);
  return session?.parent?.kind === 'child' ? resolveBudgetOwner(session.parent.sessionId, store) : sessionId;
}
