import type { SpendingAllowance } from '../../../contracts/ledger.ts';
import type { RunStore } from '../../../contracts/run-store.ts';
import type { KeyBudget } from './http/contract.ts';

/** What the sessions of a key may cost together, those of its jobs included. */
export const createAllowance = (name: string, { usd = 0, tokens = 0 }: KeyBudget, runs: Pick<RunStore, 'spent'>): SpendingAllowance => ({
  id: `key ${name}`,
  usd,
  tokens,
  spent: async () => {
    const spent = await runs.spent(name);
    return { tokens: spent.tokens, usd: spent.price };
  },
});
