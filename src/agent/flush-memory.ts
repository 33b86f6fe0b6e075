import { isMessageEntry, type Entry, type NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { createTextBlock, collectToolCalls, isProjectSource, type ToolCall } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { EndReason } from '../contracts/session-store.ts';
import type { ToolRunOptions } from '../contracts/tool.ts';
import { enterCall, isFree, judgeCall } from './budget.ts';
import { releaseBudget } from './budget-left.ts';
import type { TurnDeps } from './deps.ts';
import { openCall } from './ledger.ts';
import { findCurrentEpoch } from './request.ts';
import { applyRouteFacts } from './route.ts';
import { createTurnState, toSample } from './state.ts';
import { collectTaint } from './taint.ts';
import { FLUSH, MEMORY_FLUSH, MEMORY_NUDGE, NUDGE } from './words.ts';

/** Whether a session that ends for this reason leaves its context behind. */
const LOSES_CONTEXT: Readonly<Record<EndReason, boolean>> = {
  // Its chat goes on with an empty log.
  reset: true,
  // Its chat goes on with the log of another session.
  resumed_elsewhere: true,
  // Nobody came back to it.
  expired: true,
  // `--continue` takes up this very log, and whoever leaves does not wait for a model.
  exit: false,
};

/** The one tool whose calls are run. */
const MEMORY_TOOL = 'memory';
/** How long the whole of it may take. */
const MAX_FLUSH_MS = 30_000;
/** Tokens the answer may have: room for a model that thinks first, and for more than both files can hold. */
const MAX_FLUSH_TOKENS = 8_192;
/** Calls that are run: two files, each in a batch or entry by entry. */
const MAX_FLUSH_CALLS = 8;

/** Why a flush is stopped: somebody writes to the session, or it took too long. */
export type FlushStop = 'message' | 'late';
export interface FlushDeps extends TurnDeps {
  /** Aborts `signal`. */
  stop(reason: FlushStop): void;
}

/**
 * The last chance of a session to keep something: its model is asked once what is worth remembering, and may change the
 * memory. The request is the session's own with a question behind it, so that the provider's cache holds; neither question
 * nor answer is stored. A note in the log, durable before the model is asked, keeps it from being done twice.
 */
export async function* flushMemory(
  deps: FlushDeps,
  route: Runtime,
  reason: EndReason,
  more: { readonly goesOn?: true } = {},
): AsyncGenerator<AgentEvent, void> {
  if (!LOSES_CONTEXT[reason] || deps.signal.aborted || !(await hasSomethingToSave(deps, deps.settings['memory.flush_min_turns']))) return;
  yield* askInTime(deps, route, {
    question: MEMORY_FLUSH,
    words: FLUSH,
    note: { type: 'note', origin: 'system', text: FLUSH.note, flush: reason, ...more },
  });
}

/** Asks the same of a session that goes on, when it has had many turns in which memory did not change. */
export async function* nudgeMemory(deps: FlushDeps, route: Runtime): AsyncGenerator<AgentEvent, void> {
  if (deps.signal.aborted || !(await hasSomethingToSave(deps, deps.settings['memory.nudge_interval'], true))) return;
  const note = { type: 'note', origin: 'system', text: NUDGE.note, flush: 'expired', goesOn: true } as const;
  yield* askInTime(deps, route, { question: MEMORY_NUDGE, words: NUDGE, note });
}

/** What the model is asked, what is told of it, and the note that keeps it from being asked again. */
interface MemoryQuestion {
  readonly question: string;
  readonly words: typeof FLUSH;
  readonly note: NewEntry;
}

async function* askInTime(deps: FlushDeps, route: Runtime, asked: MemoryQuestion): AsyncGenerator<AgentEvent, void> {
  const over = new AbortController();
  void deps.clock.sleep(MAX_FLUSH_MS, over.signal).then(() => over.signal.aborted || deps.stop('late'));
  try {
    yield* askAndSave(deps, route, asked);
  } finally {
    over.abort();
    releaseBudget(deps.journal.sessionId, deps);
  }
}

/** Nobody is there to agree to a change that words from outside may have suggested: while some are in view, none is asked for. */
async function hasSomethingToSave(
  { journal, settings, context, toolkit }: FlushDeps,
  minTurns: number,
  countsChanges = false,
): Promise<boolean> {
  const { entries, log, sessionId, store } = journal;
  const changed = countsChanges ? (entries.findLast(callsMemory)?.seq ?? 0) : 0;
  const offers = (tools: readonly { readonly name: string }[] = []) => tools.some(({ name }) => name === MEMORY_TOOL);
  return (
    minTurns > 0 &&
    !settings['memory.write_approval'] &&
    turnsSinceFlush(entries, log, changed) >= minTurns &&
    offers(findCurrentEpoch(entries)?.tools) &&
    offers(toolkit.definitions) &&
    (await store.turn(sessionId)) === undefined &&
    collectTaint(context.view(entries)).every(isProjectSource)
  );
}

const callsMemory = (entry: Entry): boolean =>
  isMessageEntry(entry) && entry.message.role === 'assistant' && collectToolCalls(entry.message).some(({ name }) => name === MEMORY_TOOL);

function turnsSinceFlush(entries: readonly Entry[], log: readonly Entry[], changed: number): number {
  const flushed = Math.max(changed, log.findLast((entry) => entry.type === 'note' && entry.flush !== undefined)?.seq ?? 0);
  return entries.filter((entry) => entry.seq > flushed && isMessageEntry(entry) && entry.message.role === 'user' && !OURS.has(entry.origin))
    .length;
}
/** User messages that open no turn. */
const OURS: ReadonlySet<string> = new Set<Entry['origin']>(['nudge', 'steer', 'summary']);

async function* askAndSave(
  deps: FlushDeps,
  route: Runtime,
  { question: asked, words, note }: MemoryQuestion,
): AsyncGenerator<AgentEvent, void> {
  const { journal, clock, signal } = deps;
  const { runtime, adjust } = await applyRouteFacts(route, deps);
  const maxOutput = Math.min(MAX_FLUSH_TOKENS, runtime.limits.maxOutput ?? MAX_FLUSH_TOKENS);
  const started = createTurnState({ sessionId: journal.sessionId, turnId: BETWEEN_TURNS, startedAt: clock.now(), runtime });
  const state = toSample({ ...started, adjust: { ...adjust, maxOutput } });
  const question = { message: { role: 'user', content: [createTextBlock(asked, 'owner')] } } as const;
  const call = openCall(state, deps, { purpose: 'memory', messages: [question] });
  const verdict = await judgeCall(state, call, deps);
  if (!('maxOutput' in verdict ? verdict.maxOutput === maxOutput : isFree(verdict))) return yield notice(words.overBudget);
  for (const entry of await journal.commit({ append: [note] })) yield { type: 'entry', entry };
  await enterCall(call, state, verdict, deps);
  const prompt = 'prompt' in verdict ? { uncountedPrompt: verdict.prompt } : {};
  const ended = await lastEvent(deps.provider.stream(call.encoded, { signal, estimate: call.estimate, ...prompt }));
  const record = call.close(clock.now(), ended.type === 'done' ? ended.finish : ended.failure.type, ended);
  await journal.commit({ calls: [record] });
  if (signal.reason === ('message' satisfies FlushStop)) return;
  if (ended.type === 'failed') return yield notice(words.failed(signal.reason === 'late' ? words.late : ended.failure.detail));
  yield* saveAll(collectToolCalls(ended.message), words, deps);
}

/** A call between turns belongs to none. */
const BETWEEN_TURNS = '';

type Ended = Extract<ModelEvent, { type: 'done' } | { type: 'failed' }>;

async function lastEvent(events: AsyncIterable<ModelEvent>): Promise<Ended> {
  for await (const event of events) if (event.type === 'done' || event.type === 'failed') return event;
  return { type: 'failed', failure: { type: 'network', detail: 'the stream ended without a result' } };
}

/** Runs what the model asked of the memory, and nothing else it may have asked for. */
async function* saveAll(calls: readonly ToolCall[], words: typeof FLUSH, deps: FlushDeps): AsyncGenerator<AgentEvent, void> {
  const told: string[] = [];
  const run: ToolRunOptions = {
    signal: deps.signal,
    sessionId: deps.journal.sessionId,
    turnId: BETWEEN_TURNS,
    taint: collectTaint(deps.context.view(deps.journal.entries)),
    report: (note) => void told.push(note),
    notice: (each) => void told.push(each),
  };
  let [saved, unsaved] = [0, 0];
  for (const call of calls.slice(0, MAX_FLUSH_CALLS)) {
    const done = deps.signal.aborted ? false : await save(call, run, deps);
    if (done === true) saved++;
    else if (done === false) unsaved++;
  }
  for (const each of told) yield notice(each);
  if (saved + unsaved > 0) yield notice(words.done(saved, unsaved));
}

/** Whether the memory took it; `undefined` for a call of something else. Nobody is asked: what needs consent is not done. */
async function save(call: ToolCall, run: ToolRunOptions, { toolkit }: FlushDeps): Promise<boolean | undefined> {
  const resolved = toolkit.resolve(call);
  if (!resolved.ok) return resolved.meant === MEMORY_TOOL ? false : undefined;
  if (resolved.tool.name !== MEMORY_TOOL) return undefined;
  const prepared = await toolkit.prepare(resolved, run);
  const admission = await prepared.admission();
  return admission.type === 'ready' && !(await prepared.run()).message.failed;
}

const notice = (words: string): AgentEvent => ({ type: 'notice', text: words });
