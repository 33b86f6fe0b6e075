import type { AsideResult } from '../contracts/aside.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { createTextBlock, joinTextBlocks } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { LogChange, SessionStore } from '../contracts/session-store.ts';
import { findTurnBorders } from './branch.ts';
import { enterCall, isFree, judgeCall } from './budget.ts';
import { hasBudget, releaseBudget } from './budget-left.ts';
import type { AgentDeps, TurnDeps } from './deps.ts';
import { commitIdle, openIdleJournal, readJournal } from './journal.ts';
import { openCall } from './ledger.ts';
import { findCurrentEpoch } from './request.ts';
import { applyRouteFacts } from './route.ts';
import { createTurnState, toSample } from './state.ts';
import { ASIDE } from './words.ts';

export interface AsideQuestion {
  readonly sessionId: string;
  readonly runtime: Runtime;
  readonly question: string;
  readonly signal: AbortSignal;
}

/** Tokens the answer may have: it is meant to be short. */
const MAX_ASIDE_TOKENS = 8_192;
/** It belongs to no turn. */
const BESIDE_TURNS = '';

/**
 * Asks the model something beside the conversation: with all that is settled of it in view, so that the provider's cache
 * holds, and without tools. Neither question nor answer is stored; what it cost is in the ledger. A turn that runs is not
 * touched, unless there is a budget: two calls at a time could exceed it.
 */
export async function* askAside(store: SessionStore, deps: AgentDeps, asked: AsideQuestion): AsyncGenerator<AgentEvent, AsideResult> {
  const { sessionId } = asked;
  if (!hasBudget(deps)) return yield* askNow(store, deps, asked);
  await using idle = await openIdleJournal(store, sessionId);
  if (idle === undefined) return { ok: false, why: ASIDE.busy };
  try {
    return yield* askNow(store, deps, asked, (change) => idle.commit(change));
  } finally {
    releaseBudget(sessionId, deps);
  }
}

/** Gives whether it could be written: another process may hold the session. */
type CommitCalls = (change: Pick<LogChange, 'calls' | 'sent'>) => Promise<unknown>;

async function* askNow(
  store: SessionStore,
  deps: AgentDeps,
  { sessionId, runtime: route, question, signal }: AsideQuestion,
  commit: CommitCalls = async (change) =>
    (await commitIdle(store, sessionId, change)) || change.calls?.forEach((record) => deps.side?.note(record)),
): AsyncGenerator<AgentEvent, AsideResult> {
  const journal = await readJournal(store, sessionId, findTurnBorders);
  if (findCurrentEpoch(journal.entries) === undefined) return { ok: false, why: ASIDE.nothingYet };
  const turn: TurnDeps = { ...deps, journal, signal };
  const { runtime, adjust } = await applyRouteFacts(route, turn);
  const started = createTurnState({ sessionId, turnId: BESIDE_TURNS, startedAt: deps.clock.now(), runtime });
  const maxOutput = Math.min(MAX_ASIDE_TOKENS, runtime.limits.maxOutput ?? MAX_ASIDE_TOKENS);
  const state = toSample({ ...started, adjust: { ...adjust, maxOutput } });
  const message = { role: 'user', content: [createTextBlock(ASIDE.question(question), 'owner')] } as const;
  const call = openCall(state, turn, { purpose: 'aside', messages: [{ message }], toolUse: 'forbidden' });
  const verdict = await judgeCall(state, call, turn);
  if (!('maxOutput' in verdict ? verdict.maxOutput === maxOutput : isFree(verdict))) return { ok: false, why: ASIDE.overBudget };
  await enterCall(call, state, verdict, turn, commit);
  const prompt = 'prompt' in verdict ? { uncountedPrompt: verdict.prompt } : {};
  const ended = yield* streamAnswer(deps.provider.stream(call.encoded, { signal, estimate: call.estimate, ...prompt }));
  await commit({ calls: [call.close(deps.clock.now(), ended.type === 'done' ? ended.finish : ended.failure.type, ended)] });
  if (ended.type === 'failed') return { ok: false, why: ended.failure.detail };
  const text = joinTextBlocks(ended.message).trim();
  return text === '' ? { ok: false, why: ASIDE.empty } : { ok: true, text };
}

type FinalEvent = Extract<ModelEvent, { type: 'done' } | { type: 'failed' }>;

async function* streamAnswer(events: AsyncIterable<ModelEvent>): AsyncGenerator<AgentEvent, FinalEvent> {
  for await (const event of events) {
    if (event.type === 'done' || event.type === 'failed') return event;
    if (event.type !== 'call_start') yield event;
  }
  return { type: 'failed', failure: { type: 'network', detail: 'the stream ended without a result' } };
}
