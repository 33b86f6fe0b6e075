import { measureView, type ViewSize } from '../view/view.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Summariser } from '../../../contracts/complete.ts';
import type { CompressResult, CompressRequest } from '../../../contracts/context-engine.ts';
import type { CompactionRefusal } from '../../../contracts/entry.ts';
import { explainSwitchedOff } from './off.ts';
import { toCompressResult, createCompactionReport, withSummary, type AttemptFacts } from './assemble.ts';
import { addBills, type Bill } from './bill.ts';
import { sanitizeCalibration, type CompressionSettings } from './budgets.ts';
import { renderDigest } from './digest.ts';
import { draftNotes, type SummaryDraft, type DraftOptions } from './draft.ts';
import { listJobs, explainNoCompression, type CompressionFrame, type CompressionJob } from './job.ts';
import { joinEarlierNotes, ENGINE, createSummaryMessage, type FactOptions } from './notes.ts';
import { prune } from './prune.ts';
import { findCompactionRest } from './rest.ts';
import { hasPendingCalls, listViewRows } from './rows/rows.ts';
import { renderInsightPieces, renderTranscriptPieces } from './transcript.ts';
import { checkNotes } from './validate.ts';

export interface Compressor extends FactOptions {
  readonly settings: CompressionSettings;
  readonly summarisers: () => readonly Summariser[];
  readonly clock: Pick<Clock, 'now'>;
}

/** Makes the view smaller, or says why not. Never throws and commits nothing; where it is in doubt the old view stays. */
export async function compress(ask: CompressRequest, compressor: Compressor): Promise<CompressResult> {
  try {
    return await attempt(ask, compressor);
  } catch (error) {
    return { ok: false, why: `compaction broke off: ${toErrorMessage(error)}` };
  }
}

async function attempt(ask: CompressRequest, compressor: Compressor): Promise<CompressResult> {
  const startedAt = compressor.clock.now();
  const held = heldBack(ask, compressor, startedAt);
  if (held !== undefined) return { ok: false, why: held };
  const rows = listViewRows(ask.entries);
  if (hasPendingCalls(rows)) return { ok: false, why: 'tool calls are still running' };
  const calibration = sanitizeCalibration(ask.calibration);
  const before = measureView(ask, ask.entries);
  // Only a provider's refusal forces: a window we know may be smaller than the real one, and the user's words go out whole.
  const forced = ask.reason === 'overflow';
  const frame: CompressionFrame = { ask, rows, settings: compressor.settings, calibration, forced, options: compressor };
  const tried: AttemptFacts = { reason: ask.reason, before, calibration, startedAt, now: () => compressor.clock.now() };
  const [job] = listJobs(frame);
  if (job === undefined) return { ok: false, why: explainNoCompression(frame) };
  await ask.begins?.();
  const written = await bySummary(frame, job, compressor, tried);
  if (written.result !== undefined) return written.result;
  const digest = forced && written.refusal !== 'stopped' ? byDigest(frame, tried, written.bill) : undefined;
  const { refusal, why, bill, after = before } = written;
  return digest ?? { ok: false, why, report: createCompactionReport(tried, after, refusal, bill, why) };
}

/** What keeps a compaction from being tried at all. */
function heldBack({ signal, reason, entries }: CompressRequest, { settings }: Compressor, now: number): string | undefined {
  if (signal.aborted) return 'stopped';
  const off = explainSwitchedOff(settings, reason);
  if (off !== undefined) return off;
  const rest = findCompactionRest(entries, ENGINE, reason, now);
  return rest === undefined ? undefined : `waiting for ${Math.ceil((rest.until - now) / 1000)} s: ${rest.why}`;
}

interface SummaryResult {
  readonly result?: CompressResult;
  readonly refusal: CompactionRefusal;
  readonly why: string;
  readonly bill: Bill;
  /** How large the request would have been. */
  readonly after?: ViewSize;
}

/** Asks one model after the other until the notes of one can stand. */
async function bySummary(
  frame: CompressionFrame,
  job: CompressionJob,
  compressor: Compressor,
  tried: AttemptFacts,
): Promise<SummaryResult> {
  const { signal, focus, insights = [] } = frame.ask;
  const { middle } = job.plan;
  const pieces = [...renderTranscriptPieces(prune(middle)), ...renderInsightPieces(insights)];
  const material = { pieces, earlier: joinEarlierNotes(middle), focus };
  const sources: DraftOptions = { ...material, budget: job.budget, calibration: frame.calibration, signal };
  let last: SummaryResult = { refusal: 'hopeless', why: 'no model is there to write a summary', bill: {} };
  for (const summariser of frame.ask.summarisers ?? compressor.summarisers()) {
    const draft = await draftNotes(summariser, sources);
    last = weighed(draft, last, summariser.model, (text, bill) => {
      const source = () => [...pieces, material.earlier].join('\n');
      const checked = checkNotes(text, { most: job.most, suspicious: compressor.suspicious, source });
      return checked.ok ? judgeResult(frame, job, checked.notes, 'summary', tried, bill) : { refusal: 'invalid', why: checked.why, bill };
    });
    if (last.result !== undefined || last.refusal === 'stopped') return last;
  }
  return last;
}

/** What is to be thought of one model's answer after those before it. */
function weighed(
  draft: SummaryDraft,
  last: SummaryResult,
  model: string,
  judge: (text: string, bill: Bill) => SummaryResult,
): SummaryResult {
  const bill = addBills(last.bill, draft.bill);
  const written = draft.ok ? judge(draft.text, bill) : { refusal: worse(last, draft.kind), why: draft.why, bill };
  return written.result === undefined ? { ...written, why: `${model}: ${written.why}` } : written;
}

/** Hopeless only when every model was: one that may answer in a minute is worth asking then. */
const worse = (last: SummaryResult, kind: CompactionRefusal): CompactionRefusal => (kind === 'hopeless' ? last.refusal : kind);

/** The proof before the commit: the request as it would really be sent is smaller than before and comes under its limit. */
function judgeResult(
  frame: CompressionFrame,
  job: CompressionJob,
  body: string,
  kind: 'summary' | 'digest',
  tried: AttemptFacts,
  bill: Bill,
): SummaryResult {
  const facts = job.facts(body);
  const summary = createSummaryMessage(facts, body);
  const after = measureView(frame.ask, withSummary(frame.ask.entries, job.plan, summary));
  if (after.tokens < tried.before.tokens && after.tokens < job.limit) {
    return {
      refusal: 'too_large',
      why: '',
      bill,
      after,
      result: toCompressResult(job.plan, summary, {
        ...createCompactionReport(tried, after, kind, bill),
        ...(facts.isRequestCut && { requestShortened: true }),
      }),
    };
  }
  const size = (tokens: number) => Math.round(tokens * tried.calibration);
  return {
    refusal: 'too_large',
    why: `${size(tried.before.tokens)} tokens would become ${size(after.tokens)}, the target is ${size(job.limit)}`,
    bill,
    after,
  };
}

/** Notes without a model, for a request that cannot be sent as it is: the first way to cut that makes it small enough. */
function byDigest(frame: CompressionFrame, tried: AttemptFacts, bill: Bill): CompressResult | undefined {
  const { suspicious } = frame.options;
  for (const job of listJobs(frame)) {
    const { middle } = job.plan;
    const body = renderDigest(middle, joinEarlierNotes(middle), job.digest(), suspicious);
    const { result } = judgeResult(frame, job, body, 'digest', tried, bill);
    if (result !== undefined) return result;
  }
  return undefined;
}
