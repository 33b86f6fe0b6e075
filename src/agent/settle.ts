import { isMessageEntry, type NewEntry } from '../contracts/entry.ts';
import type { NewDelivery } from '../contracts/gateway-store.ts';
import type { InboxItem } from '../contracts/session-store.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import type { PhaseResult, PhaseStep, TurnDeps } from './deps.ts';
import { createSteerEntry, isBareStop, readWaitingTexts, takeTexts } from './inbox.ts';
import { SILENCE } from './nudge.ts';
import { toTurnBase, toSample } from './state.ts';

/**
 * The turn has an outcome. Texts that were sent into it meanwhile are answered first; then it is closed for good. Whatever was
 * said goes out in the same commit, to where the turn's first message came from.
 */
// oxlint-disable-next-line require-yield -- a phase like the others, with nothing to tell
export async function* settle(state: TurnInPhase<'settle'>, deps: TurnDeps): PhaseStep {
  const { steers, interrupts } = await readWaitingTexts(deps.journal);
  const goesOn = state.outcome.type === 'answered' && steers.length > 0;
  takeTexts(deps.journal, goesOn ? steers : interrupts.filter(isBareStop));
  const deliveries = await planDeliveries(state, deps, !goesOn);
  return {
    ...(goesOn ? await goOn(state, steers, deps) : close(state, interrupts.filter(isBareStop), deps)),
    ...(deliveries.length > 0 && { deliveries }),
  };
}

async function planDeliveries(
  { sessionId, turnId, replyTo, outcome, messageIds }: TurnInPhase<'settle'>,
  { planAnswer, journal }: TurnDeps,
  isFinal: boolean,
): Promise<readonly NewDelivery[]> {
  if (replyTo === undefined || planAnswer === undefined) return [];
  // The place in the log tells the answers of one turn apart, also when it is resumed.
  const seq = journal.entries.at(-1)?.seq ?? 0;
  return planAnswer({ sessionId, turnId, replyTo, outcome, isFinal, key: messageIds.at(-1) ?? `${turnId}:${seq}` });
}

async function goOn(state: TurnInPhase<'settle'>, steers: readonly InboxItem[], deps: TurnDeps): Promise<PhaseResult> {
  // An answer given beside calls has their results after it, and those went out already: nothing may join them.
  const last = deps.journal.entries.findLast(isMessageEntry)?.message.role;
  const { entry, notices } = await createSteerEntry(steers, deps);
  return {
    state: toSample({ ...toTurnBase(state), parts: [] }),
    append: last === 'assistant' ? [entry] : [SILENCE, entry],
    fates: steers.map(({ id }) => ({ id, fate: 'steered' })),
    notices,
  };
}

function close(state: TurnInPhase<'settle'>, stops: readonly InboxItem[], deps: TurnDeps): PhaseResult {
  const { outcome, messageIds } = state;
  const messageId = messageIds.at(-1);
  const last = deps.journal.entries.findLast(isMessageEntry)?.message.role;
  const entry: NewEntry = {
    type: 'outcome',
    origin: 'system',
    outcome: outcome.type,
    exitReason: outcome.exitReason,
    ...(messageId === undefined ? { notice: outcome.text } : { messageId }),
    ...(messageIds.length > 1 && { parts: messageIds }),
  };
  const { sessionId, turnId } = state;
  const calls = deps.side?.take({ sessionId, turnId, throughSeq: deps.journal.entries.at(-1)?.seq ?? 0 }) ?? [];
  // The next turn begins with a user message: silence keeps the roles alternating when this one ended without an answer.
  return {
    state: { ...toTurnBase(state), phase: 'done', outcome },
    append: last === 'assistant' ? [entry] : [SILENCE, entry],
    ...(calls.length > 0 && { calls }),
    ...(stops.length > 0 && { fates: stops.map(({ id }) => ({ id, fate: 'command' })) }),
  };
}
