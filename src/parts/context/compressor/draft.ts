import { toErrorMessage } from '../../../base/errors.ts';
import type { Completion, Summariser } from '../../../contracts/complete.ts';
import type { CompactionRefusal } from '../../../contracts/entry.ts';
import { estimateTextTokens } from '../view/tokens.ts';
import { toBill, addBills, type Bill } from './bill.ts';
import { clipTokens } from './rows/blocks.ts';
import { renderMergeRequest, renderSummariserSystem, renderSummariserRequest } from './words.ts';

export interface DraftOptions {
  /** The span, one piece a message. */
  readonly pieces: readonly string[];
  /** What earlier notes say of what came before. */
  readonly earlier: string;
  readonly focus?: string | undefined;
  /** Tokens the notes may take. */
  readonly budget: number;
  /** Real tokens for each estimated one. */
  readonly calibration: number;
  readonly signal: AbortSignal;
}
export type SummaryDraft = { readonly bill: Bill } & (
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly kind: CompactionRefusal; readonly why: string }
);

/** A summariser whose window would need more slices than this, or gives each so little, is no use. */
const MAX_SLICES = 24;
const LEAST_SHARE = 200;
/** Our estimate of a token may be wrong by this much to the worse. */
const SAFETY = 1.15;

/** What of its window a summariser may fill with its answer. */
const ANSWER_SHARE = 0.25;

/** Notes on a span by one model: in one reading, or in slices that are then merged. Never throws. */
export async function draftNotes(summariser: Summariser, given: DraftOptions): Promise<SummaryDraft> {
  const sources = { ...given, budget: Math.min(given.budget, Math.floor(summariser.window * ANSWER_SHARE)) };
  const room = readingRoom(summariser, sources);
  const earlier = clipTokens(sources.earlier, Math.max(Math.floor(room / 3), 0));
  const free = room - estimateTextTokens(earlier);
  const slices = free < LEAST_SHARE ? [] : packSlices(sources.pieces, free);
  if (free < LEAST_SHARE || slices.length > MAX_SLICES || free / Math.max(slices.length, 1) < LEAST_SHARE)
    return { ok: false, bill: {}, kind: 'hopeless', why: `a window of ${summariser.window} tokens is too small to read this log` };
  const [log = ''] = slices;
  if (slices.length <= 1)
    return askOnce(summariser, sources, sources.budget, renderSummariserRequest({ log, earlier, focus: sources.focus }));
  return readInSlices(summariser, sources, slices, earlier, Math.min(sources.budget, Math.floor(free / slices.length) - 10));
}

/** Estimated tokens of log one call can hold beside the prompt and the answer. */
function readingRoom({ window }: Summariser, { budget, calibration, focus }: DraftOptions): number {
  const prompt =
    estimateTextTokens(renderSummariserSystem(budget)) +
    estimateTextTokens(renderSummariserRequest({ log: '', earlier: ' ', focus })) +
    100;
  return Math.floor((window - budget) / (calibration * SAFETY)) - prompt;
}

/** Pieces packed in order into as few slices as hold them; a piece too large for one is shortened. */
export function packSlices(pieces: readonly string[], room: number): readonly string[] {
  const slices: string[] = [];
  let size = Infinity;
  for (const piece of pieces.map((each) => clipTokens(each, room))) {
    const cost = estimateTextTokens(piece) + 2;
    const joins = size + cost <= room;
    if (joins) slices.push(`${slices.pop() ?? ''}\n\n${piece}`);
    else slices.push(piece);
    size = joins ? size + cost : cost;
  }
  return slices;
}

async function readInSlices(
  summariser: Summariser,
  sources: DraftOptions,
  slices: readonly string[],
  earlier: string,
  share: number,
): Promise<SummaryDraft> {
  const parts: string[] = [];
  let bill: Bill = {};
  for (const log of slices) {
    const part = await askOnce(summariser, sources, share, renderSummariserRequest({ log, earlier: '', focus: sources.focus }));
    bill = addBills(bill, part.bill);
    if (!part.ok) return { ...part, bill };
    parts.push(clipTokens(part.text, share));
  }
  const merged = await askOnce(summariser, sources, sources.budget, renderMergeRequest(parts, earlier, sources.focus));
  return { ...merged, bill: addBills(bill, merged.bill) };
}

async function askOnce(summariser: Summariser, { signal }: DraftOptions, budget: number, text: string): Promise<SummaryDraft> {
  if (signal.aborted) return { ok: false, bill: {}, kind: 'stopped', why: 'stopped before the model was asked' };
  const given = await answer(summariser, budget, text, signal);
  const bill = toBill(given);
  if (signal.aborted) return { ok: false, bill, kind: 'stopped', why: 'stopped while the model was writing' };
  return given.ok
    ? { ok: true, bill, text: given.text }
    : { ok: false, bill, kind: given.hopeless ? 'hopeless' : 'failed', why: given.why };
}

/** A model that does not heed the stop is not waited for. */
async function answer(summariser: Summariser, maxTokens: number, text: string, signal: AbortSignal): Promise<Completion> {
  const stopped = Promise.withResolvers<Completion>();
  const failed = (why: string): Completion => ({ ok: false, why, model: summariser.model, hopeless: false });
  const stop = () => stopped.resolve(failed('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const asked = Promise.try(summariser.complete, { system: renderSummariserSystem(maxTokens), text, maxTokens, signal });
    return await Promise.race([asked, stopped.promise]);
  } catch (error) {
    return failed(toErrorMessage(error));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
