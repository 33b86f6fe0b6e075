import type { AgentEvent } from '../../../contracts/event.ts';
import type { Usage } from '../../../contracts/message.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { AsideBlock, Block, ToolBlock, TypedBlock } from '../contract.ts';
import { createToolBlock, readResult } from './blocks.ts';
import { addEntry, takeWords } from './entries.ts';
import { addProgress, changeCall } from './calls.ts';
import { pushLive, settleLive, toDraft, type Activity, type TranscriptDraft, type LiveItem, type Transcript } from './state.ts';

/**
 * Folds what a turn tells into the transcript. Finished blocks come from stored entries alone; everything else only lies over
 * what is live until its entry comes.
 */
export function applyEvent(state: Transcript, event: AgentEvent, now: number): Transcript {
  const draft = toDraft(state);
  applyToDraft(draft, event, now);
  settleLive(draft);
  return draft;
}

/** Something said by the face or the host: it takes its place behind what is live now, and is in no log. */
export function addAside(state: Transcript, aside: AsideBlock | TypedBlock): Transcript {
  const draft = toDraft(state);
  pushLive(draft, aside, 'done');
  settleLive(draft);
  return draft;
}

/** Blocks of a stored session, to be printed as they were live. */
export function addStored(state: Transcript, blocks: readonly Block[]): Transcript {
  const finished = blocks.map((block, index) => ({ key: `b${state.keys + index + 1}`, block }));
  return { ...state, finished: [...state.finished, ...finished], keys: state.keys + blocks.length };
}

function applyToDraft(draft: TranscriptDraft, event: AgentEvent, now: number): void {
  switch (event.type) {
    case 'entry':
      addEntry(draft, event.entry);
      if (event.entry.turnId !== undefined) act(draft, draft.live.some(isRunning) ? 'running' : 'waiting', now);
      return;
    case 'thinking_delta':
      return addWords(draft, 'thinking', event.delta, now);
    case 'text_delta':
      return addWords(draft, 'answer', event.delta, now);
    case 'sampled':
      closeWords(draft);
      draft.counters = {
        ...draft.counters,
        steps: draft.counters.steps + 1,
        usage: add(draft.counters.usage, event.usage),
        last: event.usage,
      };
      return act(draft, 'waiting', now);
    case 'tool_started':
    case 'asking':
    case 'asked':
    case 'tool_progress':
    case 'tool_finished':
      return applyCallEvent(draft, event, now);
    case 'recovering':
      takeWords(draft);
      return recoverFrom(draft, event, now);
    case 'compacting':
      draft.activity = { what: 'compacting', since: now };
      return;
    case 'compacted':
      // Between turns nothing comes after it.
      if (draft.turnSince === undefined) draft.activity = { what: 'idle' };
      else act(draft, 'waiting', now);
      return;
    case 'notice':
      return pushLive(draft, { kind: 'aside', tone: 'plain', text: event.text }, 'done');
    case 'settled':
      return endTurn(draft, event.outcome);
    case 'inbox':
    case 'runtime_changed':
  }
}

type CallEvent = Extract<AgentEvent, { readonly type: 'tool_started' | 'asking' | 'asked' | 'tool_progress' | 'tool_finished' }>;

function applyCallEvent(draft: TranscriptDraft, event: CallEvent, now: number): void {
  switch (event.type) {
    case 'tool_started':
      if (!changeCall(draft, event.call.id, (block) => ({ ...block, state: 'running', startedAt: now })))
        pushLive(draft, { ...createToolBlock(event.call), state: 'running', startedAt: now }, 'pending');
      return act(draft, 'running', now);
    case 'asking':
      changeCall(draft, event.question.callId, (block) => ({ ...block, state: 'asking' }));
      return act(draft, 'asking', now);
    case 'asked':
      // The wait for consent is nobody's work: the row counts from here.
      changeCall(draft, event.callId, (block) => ({ ...block, state: 'running', startedAt: now }));
      return act(draft, draft.live.some(isAsking) ? 'asking' : 'running', now);
    case 'tool_progress':
      changeCall(draft, event.callId, (block) => addProgress(block, event.note, event.childId));
      return;
    case 'tool_finished':
      changeCall(draft, event.callId, (block) => showResult(block, event));
      return act(draft, draft.live.some(isRunning) ? 'running' : 'waiting', now);
  }
}

/** The result as the call gave it; the stored one takes its place. */
function showResult(block: ToolBlock, { result, details, ms }: Extract<CallEvent, { readonly type: 'tool_finished' }>): ToolBlock {
  const { children: _, ...rest } = block;
  const state = result.failed ? 'failed' : 'finished';
  return { ...rest, state, progress: [], ...readResult(result), ...(details !== undefined && { details }), ms };
}

const isRunning = ({ block }: LiveItem): boolean => block.kind === 'tool' && (block.state === 'running' || block.state === 'asking');
const isAsking = ({ block }: LiveItem): boolean => block.kind === 'tool' && block.state === 'asking';

function addWords(draft: TranscriptDraft, kind: 'thinking' | 'answer', delta: string, now: number): void {
  const last = draft.live.at(-1);
  if (last?.state === 'streaming' && last.block.kind === kind) {
    draft.live[draft.live.length - 1] = { ...last, block: { kind, text: last.block.text + delta } };
  } else {
    // Another part of this reply has begun, so the one before it is over.
    closeWords(draft);
    pushLive(draft, { kind, text: delta }, 'streaming');
  }
  act(draft, kind === 'thinking' ? 'thinking' : 'writing', now);
  draft.counters = { ...draft.counters, streamed: draft.counters.streamed + delta.length };
}

function closeWords(draft: TranscriptDraft): void {
  draft.live = draft.live.map((item) => (item.state === 'streaming' ? { ...item, state: 'streamed' } : item));
}

function recoverFrom(
  draft: TranscriptDraft,
  { strategy, failure, waitMs }: Extract<AgentEvent, { type: 'recovering' }>,
  now: number,
): void {
  draft.activity = {
    what: 'recovering',
    since: now,
    strategy,
    detail: failure.detail,
    ...(waitMs !== undefined && waitMs > 0 && { until: now + waitMs }),
  };
}

/** What happens now. It began when something else ended. */
function act(draft: TranscriptDraft, what: Exclude<Activity['what'], 'idle' | 'recovering' | 'compacting'>, now: number): void {
  if (draft.turnSince === undefined) {
    draft.turnSince = now;
    draft.counters = { ...draft.counters, streamed: 0 };
  }
  if (draft.activity.what !== what) draft.activity = { what, since: now };
}

/** A turn that could not be stored to its end has its last words and its outcome in no log: they are told here. */
function endTurn(draft: TranscriptDraft, outcome: Outcome): void {
  const unstored = takeWords(draft);
  if (outcome.exitReason === 'store_failed') {
    for (const { key, block } of unstored) pushLive(draft, block, 'done', key);
    draft.live = draft.live.map((item) => ({ ...item, state: 'done' }));
    pushLive(draft, { kind: 'aside', tone: 'bad', text: outcome.text }, 'done');
  }
  draft.activity = { what: 'idle' };
  delete draft.turnSince;
}

const add = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  reasoning: one.reasoning + other.reasoning,
});
