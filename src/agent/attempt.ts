import { toErrorMessage } from '../base/errors.ts';
import { waitUnlessAborted } from '../base/waits.ts';
import type { CompressResult, CompressRequest, CompressReason } from '../contracts/context-engine.ts';
import type { CompactionReport, Entry, NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { TextBlock } from '../contracts/message.ts';
import { joinSlots } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { createCompactionEntry } from './compaction-entry.ts';
import type { TurnDeps } from './deps.ts';
import { CALIBRATION, findCalibration } from './gauge.ts';
import { openMeter } from './meter.ts';
import { createNotesBudgetCheck } from './notes-budget.ts';
import { findCurrentEpoch } from './request.ts';
import { describeSkippedCompaction } from './words.ts';

export interface CompactionRequest {
  readonly reason: CompressReason;
  readonly focus?: string;
  /** The turn it is done for, if there is one. */
  readonly turnId?: string;
  /** Another try follows, and tells what came of both. */
  readonly isFirstTry?: true;
}
/** What came of a compaction: what to commit of it, its entry or a note and the calls it took, and what to tell. */
export interface CompactionResult {
  readonly ok: boolean;
  readonly why?: string;
  readonly append: readonly NewEntry[];
  readonly calls: readonly CallRecord[];
  readonly tells: readonly AgentEvent[];
}
/** What every compaction of a session is asked with. */
export type CompactionOptions = Omit<CompressRequest, 'reason'>;

export const collectCompactionOptions = async ({ journal, signal }: TurnDeps, runtime: Runtime): Promise<CompactionOptions> => ({
  ...collectRequest(journal.entries),
  runtime,
  calibration: await findCalibration(journal, runtime),
  signal,
});

type EstimatedRequest = Pick<CompactionOptions, 'entries' | 'system' | 'tools'>;
function collectRequest(entries: readonly Entry[]): EstimatedRequest {
  const epoch = findCurrentEpoch(entries);
  return { entries, ...joinSlots(epoch?.slots ?? []), tools: epoch?.tools ?? [] };
}

/** Tokens the request would take at most, whatever the provider counted. */
export const estimateMostTokens = (entries: readonly Entry[], deps: TurnDeps): number =>
  estimated(collectRequest(entries), deps) * CALIBRATION.most;

/** Tokens the request would take as it stands. */
export const estimateCalibratedTokens = (ask: CompactionOptions, deps: TurnDeps): number =>
  Math.ceil(estimated(ask, deps) * ask.calibration);
/** Tokens of what every request carries, whatever is left out of the conversation. */
export const estimateFixedTokens = (ask: CompactionOptions, { context }: TurnDeps): number =>
  Math.ceil(context.estimate({ ...ask, view: [] }) * ask.calibration);
const estimated = (ask: EstimatedRequest, { context }: TurnDeps): number => context.estimate({ ...ask, view: context.view(ask.entries) });

/** Asks the engine once. Commits nothing. */
export async function attemptCompaction(
  deps: TurnDeps,
  ask: CompactionOptions,
  request: CompactionRequest,
  begins?: CompressRequest['begins'],
): Promise<CompactionResult> {
  const { reason, focus, turnId } = request;
  const meter =
    deps.summarisers &&
    openMeter(deps.summarisers(ask.runtime), deps.journal, turnId, createNotesBudgetCheck(deps, estimateCalibratedTokens(ask, deps)));
  const insights = await gatherInsights(deps, ask, reason, meter?.summarisers.length);
  const compressed = await compress(deps, {
    ...ask,
    reason,
    ...(insights.length > 0 && { insights }),
    ...(focus !== undefined && { focus }),
    ...(meter !== undefined && { summarisers: meter.summarisers }),
    ...(begins !== undefined && { begins }),
  });
  const calls = meter?.calls ?? [];
  if (!compressed.ok) return { ok: false, why: compressed.why, calls, ...remains(compressed, ask, request, deps) };
  deps.toolkit.forget?.(deps.journal.sessionId);
  return {
    ok: true,
    append: [createCompactionEntry(compressed, deps, insights)],
    calls,
    tells: [{ type: 'compacted', report: compressed.report }],
  };
}

/** Nobody is asked for a summary that no model will write. */
async function gatherInsights(
  deps: TurnDeps,
  ask: CompactionOptions,
  reason: CompressReason,
  summarisers: number | undefined,
): Promise<readonly TextBlock[]> {
  if (deps.gatherInsights === undefined || summarisers === 0 || deps.signal.aborted) return [];
  const { sessionId } = deps.journal;
  const messages = deps.context.view(ask.entries).map(({ message }) => message);
  const estimatedTokens = estimateCalibratedTokens(ask, deps);
  const about = { sessionId, reason, model: ask.runtime.model, messageCount: messages.length, estimatedTokens };
  return (await waitUnlessAborted(deps.gatherInsights(about, messages), deps.signal)) ?? [];
}

/** An engine that breaks off leaves the old view, like one that says no. */
async function compress(deps: TurnDeps, ask: CompressRequest): Promise<CompressResult> {
  const { context } = deps;
  try {
    return smaller(await context.compress(ask), ask, deps);
  } catch (error) {
    return { ok: false, why: `the context engine ${context.name} broke off: ${toErrorMessage(error)}` };
  }
}

/** No engine is taken at its word: what would not make the request smaller is not committed. */
function smaller(compressed: CompressResult, ask: CompressRequest, deps: TurnDeps): CompressResult {
  if (!compressed.ok) return compressed;
  const sizes = [ask.entries, withEntry(ask.entries, createCompactionEntry(compressed, deps, ask.insights))].map((entries) =>
    estimated({ ...ask, entries }, deps),
  );
  const [before = 0, after = 0] = sizes;
  if (after < before) return compressed;
  const [tokensBefore = 0, tokensAfter = 0] = sizes.map((tokens) => Math.ceil(tokens * ask.calibration));
  const why = `the context engine ${deps.context.name} would make ${tokensAfter} tokens of ${tokensBefore}`;
  return { ok: false, why, report: { ...compressed.report, outcome: 'refused', kind: 'too_large', why, tokensBefore, tokensAfter } };
}

/** The log as it would be. */
function withEntry(entries: readonly Entry[], entry: NewEntry): readonly Entry[] {
  const { sessionId = '', seq = 0, at = 0 } = entries.at(-1) ?? {};
  return [...entries, { ...entry, id: 'pending', sessionId, seq: seq + 1, at }];
}

type RefusedCompaction = Extract<CompressResult, { readonly ok: false }>;
type CompactionRemains = Pick<CompactionResult, 'append' | 'tells'>;
const NOTHING: CompactionRemains = { append: [], tells: [] };

/** What is left of a compaction that was not done. */
function remains(
  { why, report }: RefusedCompaction,
  ask: CompactionOptions,
  { reason, isFirstTry }: CompactionRequest,
  deps: TurnDeps,
): CompactionRemains {
  if (report !== undefined) return noted(why, report);
  return deps.signal.aborted || isFirstTry ? NOTHING : DECLINED[reason](why, ask, deps);
}

const noted = (why: string, report: CompactionReport): CompactionRemains => ({
  append: [{ type: 'note', origin: 'system', text: describeSkippedCompaction(why), compaction: report }],
  tells: [{ type: 'compacted', report }],
});

/** An engine that does not even try, by who wanted it. */
const DECLINED: Readonly<Record<CompressReason, (why: string, ask: CompactionOptions, deps: TurnDeps) => CompactionRemains>> = {
  // The request cannot be sent, so this is how the turn may end: it has its record whatever the engine says.
  overflow: (why, ask, deps) => noted(why, refusal(why, ask, deps)),
  asked: (why) => ({ append: [], tells: [{ type: 'notice', text: describeSkippedCompaction(why) }] }),
  // It is asked again before every call: the reason is told once a session.
  threshold: (why, { entries }) => {
    if (entries.some((entry) => entry.type === 'note' && entry.declined === true)) return NOTHING;
    // What was shortened in this very turn is as small as it gets: to say that it was not would be untrue.
    const turnId = entries.at(-1)?.turnId;
    if (entries.some((entry) => entry.type === 'compaction' && entry.turnId === turnId)) return NOTHING;
    const text = describeSkippedCompaction(why);
    return { append: [{ type: 'note', origin: 'system', text, declined: true }], tells: [{ type: 'notice', text }] };
  },
  // The turn that follows meets the other gates.
  hygiene: () => NOTHING,
};

function refusal(why: string, ask: CompactionOptions, deps: TurnDeps): CompactionReport {
  const [tokens, messages] = [estimateCalibratedTokens(ask, deps), deps.context.view(ask.entries).length];
  const size = { tokensBefore: tokens, tokensAfter: tokens, messagesBefore: messages, messagesAfter: messages };
  return { engine: deps.context.name, reason: 'overflow', outcome: 'refused', why, ...size, ms: 0 };
}
