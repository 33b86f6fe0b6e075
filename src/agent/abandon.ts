import type { NewEntry } from '../contracts/entry.ts';
import type { Outcome } from '../contracts/event.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { TurnState } from '../contracts/turn.ts';
import { createBreakdownResults } from './act.ts';
import { openIdleJournal } from './journal.ts';
import { toSettle } from './state.ts';
import { RESTORED_OUTCOME } from './words.ts';

/** A turn that nobody goes on with: what it was at has no result, and the outcome is told. */
export const abandonTurn = (state: TurnState, outcome: Outcome): { readonly turn: TurnState; readonly append?: readonly NewEntry[] } => ({
  turn: toSettle(state, outcome),
  ...(state.phase === 'act' && { append: createBreakdownResults(state) }),
});

/**
 * Gives up the turns that were running when a store was copied: whoever had the store went on with them, and nobody knows how
 * far. Gives how many there were.
 */
export async function abandonCopiedTurns(store: SessionStore): Promise<number> {
  let count = 0;
  for (const { session } of await store.pending()) {
    const state = await store.turn(session.id);
    if (state === undefined || state.phase === 'settle' || state.phase === 'done') continue;
    await using journal = await openIdleJournal(store, session.id);
    if (journal === undefined) continue;
    await journal.commit({ turnId: state.turnId, ...abandonTurn(state, RESTORED_OUTCOME) });
    count++;
  }
  return count;
}
