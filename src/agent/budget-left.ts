import { resolveBudgetOwner, sumUsageTokens, type CostLimit } from './budget-reservations.ts';
import type { TurnDeps } from './deps.ts';

type BudgetDeps = Pick<TurnDeps, 'settings' | 'allowance' | 'reservations' | 'journal'>;

/** What limits the cost of a session: its family's budget, and the allowance that it shares with others. 0 is no limit. */
export function readBudgets({ settings, allowance }: Pick<TurnDeps, 'settings' | 'allowance'>): {
  readonly family: CostLimit;
  readonly shared: CostLimit;
} {
  return {
    family: { tokens: settings['agent.budget_tokens'], usd: settings['agent.budget_usd'] },
    shared: { tokens: allowance?.tokens ?? 0, usd: allowance?.usd ?? 0 },
  };
}

const isLimit = ({ tokens, usd }: CostLimit): boolean => tokens > 0 || usd > 0;
export const hasBudget = (deps: Pick<TurnDeps, 'settings' | 'allowance'>): boolean => Object.values(readBudgets(deps)).some(isLimit);
export const hasMoneyBudget = (deps: Pick<TurnDeps, 'settings' | 'allowance'>): boolean =>
  Object.values(readBudgets(deps)).some(({ usd }) => usd > 0);

/** What a session may still cost, less what others have set aside. `Infinity` where nothing limits it. */
export async function readBudgetLeft(sessionId: string, deps: BudgetDeps): Promise<CostLimit> {
  const { family, shared } = readBudgets(deps);
  const lefts = [
    ...(isLimit(family) ? [await leftOfFamily(sessionId, family, deps)] : []),
    ...(await leftOfAllowance(sessionId, shared, deps)),
  ];
  return { tokens: Math.min(Infinity, ...lefts.map(({ tokens }) => tokens)), usd: Math.min(Infinity, ...lefts.map(({ usd }) => usd)) };
}

async function leftOfFamily(sessionId: string, limit: CostLimit, { journal: { store }, reservations }: BudgetDeps): Promise<CostLimit> {
  const owner = await resolveBudgetOwner(sessionId, store);
  const spent = await store.spent(owner);
  return subtract(limit, { tokens: sumUsageTokens(spent), usd: spent.price }, reservations?.besides(owner, sessionId));
}

async function leftOfAllowance(sessionId: string, limit: CostLimit, { allowance }: BudgetDeps): Promise<readonly CostLimit[]> {
  if (allowance === undefined || !isLimit(limit)) return [];
  return [subtract(limit, await allowance.spent(), allowance.reservations.besides(allowance.id, sessionId))];
}

const subtract = (limit: CostLimit, spent: CostLimit, others: CostLimit = { tokens: 0, usd: 0 }): CostLimit => ({
  tokens: limit.tokens === 0 ? Infinity : limit.tokens - spent.tokens - others.tokens,
  usd: limit.usd === 0 ? Infinity : limit.usd - spent.usd - others.usd,
});

/** Looks at what is left and sets something aside, while nobody else counts on it. */
export async function reserveAlone<Value>(
  sessionId: string,
  deps: BudgetDeps,
  reserve: (left: CostLimit, hold: (bound: CostLimit) => void) => Value,
): Promise<Value> {
  return workAlone(sessionId, deps, async (hold) => reserve(await readBudgetLeft(sessionId, deps), hold));
}

/** Enters in the ledger what was set aside, and sets aside what is to follow, in one step, so that it is never counted twice. */
export const enterAlone = (sessionId: string, deps: BudgetDeps, enter: () => Promise<unknown>, next: CostLimit): Promise<void> =>
  workAlone(sessionId, deps, async (hold) => {
    await enter();
    hold(next);
  });

async function workAlone<Value>(
  sessionId: string,
  { journal, reservations, allowance }: BudgetDeps,
  work: (hold: (bound: CostLimit) => void) => Promise<Value>,
): Promise<Value> {
  const owner = await resolveBudgetOwner(sessionId, journal.store);
  const hold = (bound: CostLimit): void => {
    reservations?.hold(owner, sessionId, bound);
    allowance?.reservations.hold(allowance.id, sessionId, bound);
  };
  const alone = () => (reservations === undefined ? work(hold) : reservations.alone(owner, () => work(hold)));
  return allowance === undefined ? alone() : allowance.reservations.alone(allowance.id, alone);
}

/** The session's turn is over, or what it asked beside one. */
export function releaseBudget(sessionId: string, { reservations, allowance }: Pick<TurnDeps, 'reservations' | 'allowance'>): void {
  reservations?.release(sessionId);
  allowance?.reservations.release(sessionId);
}
