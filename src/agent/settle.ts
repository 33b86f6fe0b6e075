import { isMessage, type NewEntry } from '../contracts/entry.ts';
import type { InboxItem } from '../contracts/session-store.ts';
import type { InPhase } from '../contracts/turn.ts';
import type { Advance, PhaseStep, TurnDeps } from './deps.ts';
import { steerEntry, waitingSteers } from './inbox.ts';
import { SILENCE } from './nudge.ts';
import { turnBase, toSample } from './state.ts';

/** The turn has an outcome. Texts that were sent into it meanwhile are answered first; then it is closed for good. */
// oxlint-disable-next-line require-yield -- a phase like the others, with nothing to tell
export async function* settle(state: InPhase<'settle'>, deps: TurnDeps): PhaseStep {
  const steers = state.outcome.type === 'answered' ? await waitingSteers(deps.journal) : [];
  return steers.length > 0 ? goOn(state, steers, deps) : close(state, deps);
}

function goOn(state: InPhase<'settle'>, steers: readonly InboxItem[], deps: TurnDeps): Advance {
  // An answer given beside calls has their results after it, and those went out already: nothing may join them.
  const last = deps.journal.entries.findLast(isMessage)?.message.role;
  return {
    state: toSample({ ...turnBase(state), parts: [] }),
    append: last === 'assistant' ? [steerEntry(steers)] : [SILENCE, steerEntry(steers)],
    fates: steers.map(({ id }) => ({ id, fate: 'steered' })),
  };
}

function close(state: InPhase<'settle'>, deps: TurnDeps): Advance {
  const { outcome, messageIds } = state;
  const messageId = messageIds.at(-1);
  const last = deps.journal.entries.findLast(isMessage)?.message.role;
  const entry: NewEntry = {
    type: 'outcome',
    origin: 'system',
    outcome: outcome.type,
    exitReason: outcome.exitReason,
    ...(messageId === undefined ? { notice: outcome.text } : { messageId }),
    ...(messageIds.length > 1 && { parts: messageIds }),
  };
  // The next turn begins with a user message: silence keeps the roles alternating when this one ended without an answer.
  return { state: { ...turnBase(state), phase: 'done', outcome }, append: last === 'assistant' ? [entry] : [SILENCE, entry] };
}
