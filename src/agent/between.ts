import { isMessageEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { NO_USAGE } from '../contracts/message.ts';
import type { Runtime } from '../contracts/runtime.ts';
import { collectCompactionOptions, estimateCalibratedTokens, estimateMostTokens, type CompactionRequest } from './attempt.ts';
import { compact } from './compact.ts';
import type { TurnDeps } from './deps.ts';
import { hasBudget, hasMoneyBudget, readBudgetLeft } from './budget-left.ts';
import { findCurrentEpoch } from './request.ts';
import { applyRouteFacts } from './route.ts';

/** The share of the window from which on a session is made smaller before its next turn even begins (seed 002). */
const HYGIENE_SHARE = 0.85;
/** With fewer messages there is nothing to leave out (seed 002). */
const MIN_MESSAGES = 4;

/** A compaction between turns, committed at once. Gives whether the view is smaller now. */
export async function* compactBetween(deps: TurnDeps, route: Runtime, request: CompactionRequest): AsyncGenerator<AgentEvent, boolean> {
  const { runtime } = await applyRouteFacts(route, deps);
  const { ok, append, calls } = yield* compact(deps, runtime, request);
  if (append.length === 0 && calls.length === 0) return ok;
  const entries = await deps.journal.commit({ append, calls });
  for (const entry of entries) yield { type: 'entry', entry };
  return ok;
}

/** Whether what is stored would fill the window almost by itself. Not while a turn that was cut off is left to finish, nor beyond a budget. */
export async function isOverfull(deps: TurnDeps, route: Runtime): Promise<boolean> {
  const { store, sessionId, entries } = deps.journal;
  if (entries.filter(isMessageEntry).length < MIN_MESSAGES) return false;
  if (findCurrentEpoch(entries) === undefined || (await store.turn(sessionId)) !== undefined) return false;
  const { runtime } = await applyRouteFacts(route, deps);
  const most = HYGIENE_SHARE * runtime.limits.window;
  if (estimateMostTokens(entries, deps) < most) return false;
  const tokens = estimateCalibratedTokens(await collectCompactionOptions(deps, runtime), deps);
  return tokens >= most && (await isAffordable(tokens, runtime, deps));
}

/** Nobody asked for it, so a budget must have room: notes are written by a model that reads about what is stored. */
async function isAffordable(tokens: number, runtime: Runtime, deps: TurnDeps): Promise<boolean> {
  if (!hasBudget(deps)) return true;
  const left = await readBudgetLeft(deps.journal.sessionId, deps);
  // As before a call: what has no known price cannot be held to a money budget.
  const cost = deps.price(runtime, { ...NO_USAGE, input: tokens });
  return tokens <= left.tokens && (!hasMoneyBudget(deps) || (cost !== undefined && cost <= left.usd));
}
