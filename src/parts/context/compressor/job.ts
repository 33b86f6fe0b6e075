import type { CompressRequest } from '../../../contracts/context-engine.ts';
import { estimateRequestTokens, estimateTextTokens } from '../view/tokens.ts';
import { computeWindowBudgets, computeSummaryBudget, type WindowBudgets, type CompressionSettings } from './budgets.ts';
import { listPlanLimits } from './ladder.ts';
import { findLatestRequest, estimateFullTokens } from './facts/active.ts';
import { estimateConversationTokens } from './facts/answers.ts';
import { createFactSource, requestFacts, type FactBudgets, type FactOptions, type NoteFacts } from './notes.ts';
import { planCompaction, type CompactionPlan, type PlanLimits } from './plan.ts';
import { sumTokens, type ViewRow } from './rows/rows.ts';

/** One way to make the request smaller that can work: where it is cut, what is known of the span, how long the notes may be. */
export interface CompressionJob {
  readonly plan: CompactionPlan;
  /** The facts beside these notes: they have what room the notes leave. */
  facts(body: string): NoteFacts;
  /** What the model is told to keep to. */
  readonly budget: number;
  /** What its notes are cut to. */
  readonly most: number;
  /** What notes made without a model may take when the facts have had their room. */
  digest(): number;
  /** What the request must come under. */
  readonly limit: number;
}
export interface CompressionFrame {
  readonly ask: CompressRequest;
  readonly rows: readonly ViewRow[];
  readonly settings: CompressionSettings;
  readonly calibration: number;
  /** The request cannot be sent as it is. */
  readonly forced: boolean;
  readonly options: FactOptions;
}

/** A saving under this share of the target is not worth a call nobody asked for. */
const LEAST_MIDDLE = 0.1;
/** Notes shorter than this say nothing. */
const LEAST_BUDGET = 120;
/** What of the target the latest request may take when the window cannot hold it whole. */
const SHORTENED_SHARE = 0.25;
/** What of the target each other part of the facts may take at the very most. */
const FACT_SHARE = 1 / 16;
/** Notes and facts at their full size, in budgets of a summary: a tail that leaves less makes the notes worse. */
const NOTES_ROOM = 2.5;

/** The ways to try, the gentlest first. Values in estimated tokens. */
export function* listJobs(frame: CompressionFrame): Generator<CompressionJob> {
  const { ask, rows, settings, forced } = frame;
  const bounds = computeWindowBudgets(settings, ask.runtime.limits, frame.calibration);
  const fixed = estimateRequestTokens(ask.system, ask.tools, []);
  const wanted = computeSummaryBudget(sumTokens(rows), bounds.window);
  const room = Math.min(bounds.target - fixed - NOTES_ROOM * wanted, endsRoom(ask, bounds, wanted));
  for (const [limit, most] of forced ? forcedLimits(bounds) : usualLimits(bounds)) {
    const given = { room, request: requestSizes(ask, most), protectLast: settings['compression.protect_last_n'] };
    for (const shape of listPlanLimits(forced ? 'overflow' : ask.reason, bounds, given, rows)) {
      const job = jobOf(frame, shape, bounds, limit, most, fixed);
      if (job !== undefined) yield job;
    }
  }
}

/** What both ends may take so that the words of the conversation have room beside them: half a tail is always left. */
function endsRoom({ entries }: CompressRequest, { tail, softTail }: WindowBudgets, wanted: number): number {
  const words = Math.min(estimateConversationTokens(entries), softTail / 2);
  return Math.max(softTail - words - wanted * NOTES_LEFT, tail / 2);
}
/** What of a summary's budget is left free for the notes when the ends are measured out. */
const NOTES_LEFT = 0.25;

const usualLimits = ({ aim, target }: WindowBudgets): readonly (readonly [limit: number, request: number])[] => [
  [aim, Infinity],
  [target, Infinity],
];

/** What the request must come under, and what the words of the latest one may take: only what the window cannot hold is shortened. */
function forcedLimits({ aim, target, hard }: WindowBudgets): readonly (readonly [limit: number, request: number])[] {
  const shortened = Math.floor(target * SHORTENED_SHARE);
  return [
    [aim, Infinity],
    [target, Infinity],
    [hard * WORKABLE, Infinity],
    [target, shortened],
    [hard, shortened],
    [Infinity, Infinity],
    [Infinity, shortened],
  ];
}

/** What of the window may be full with the latest request whole: without room for a step it would be read and never worked on. */
const WORKABLE = 0.9;

const requestSizes = ({ entries }: CompressRequest, most: number): PlanLimits['request'] =>
  findLatestRequest(entries).map((row) => ({ seq: row.seq, tokens: Math.min(estimateFullTokens(row), most) }));

function jobOf(
  frame: CompressionFrame,
  shape: PlanLimits,
  bounds: WindowBudgets,
  limit: number,
  request: number,
  fixed: number,
): CompressionJob | undefined {
  const { ask, rows, options, forced } = frame;
  const plan = planCompaction(rows, shape);
  if (plan === undefined) return undefined;
  const middle = sumTokens(plan.middle);
  if (!forced && ask.reason !== 'asked' && middle < bounds.target * LEAST_MIDDLE) return undefined;
  const wanted = computeSummaryBudget(middle, bounds.window);
  const budgets: FactBudgets = { summary: wanted, most: bounds.target * FACT_SHARE, request };
  const stays = fixed + sumTokens(plan.head) + sumTokens(plan.tail) + SILENCES;
  // Notes must leave the request under its limit and smaller than it was.
  const free = Math.min(limit - stays, middle);
  const active = requestFacts(ask.entries, plan, budgets, options);
  if (free - active.tokens < LEAST_BUDGET) return undefined;
  const source = createFactSource(ask.entries, plan, active, budgets, options);
  const least = source.draw(0, '');
  const space = free - least.tokens;
  const budget = Math.floor(Math.min(wanted, space * 0.6));
  if (budget < LEAST_BUDGET) return undefined;
  // What the view should take: one and a half tails beside the prompt, never more than a compaction aims at.
  const kept = Math.min(fixed + bounds.softTail, bounds.aim) - stays - least.tokens;
  const draw = (notes: number, body: string) => source.draw(Math.max(0, Math.min(kept, space * 0.95) - notes), body);
  const reserved = Math.min(budget, Math.max(LEAST_BUDGET, wanted * NOTES_LEFT));
  return {
    plan,
    facts: (body) => draw(estimateTextTokens(body), body),
    budget,
    most: Math.floor(Math.min(2 * wanted, space * 0.95)),
    digest: () => Math.floor(Math.min(budget, Math.max(reserved, kept - draw(reserved, '').tokens + least.tokens))),
    limit,
  };
}
/** Silence the view may put on both sides of a summary. */
const SILENCES = 10;

/** Why there is no way, for the person. */
export function explainNoCompression({ ask, rows, settings, calibration }: CompressionFrame): string {
  const { target } = computeWindowBudgets(settings, ask.runtime.limits, calibration);
  const fixed = estimateRequestTokens(ask.system, ask.tools, []);
  if (fixed >= target)
    return `the system prompt and the tools alone take about ${Math.round(fixed * calibration)} tokens, and the target is ${Math.round(target * calibration)}; a model with a larger window or fewer toolsets would help`;
  const request = findLatestRequest(ask.entries).reduce((sum, row) => sum + estimateFullTokens(row), 0);
  if (fixed + request >= target)
    return `the latest request alone takes about ${Math.round(request * calibration)} tokens, which with the system prompt and the tools is more than the target of ${Math.round(target * calibration)}, and it is kept whole while the window can hold it`;
  return `the conversation is too short to summarize (${rows.length} ${rows.length === 1 ? 'message' : 'messages'})`;
}
