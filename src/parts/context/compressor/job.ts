import type { CompressAsk } from '../../../contracts/context-engine.ts';
import { requestTokens } from '../tokens.ts';
import { boundsOf, summaryBudget, type Bounds, type CompressionSettings } from './budgets.ts';
import { shapesFor } from './ladder.ts';
import { factsOf, type FactOptions, type Facts } from './notes.ts';
import { planOf, type Plan, type Shape } from './plan.ts';
import { tokensOf, type Row } from './rows.ts';

/** One way to make the request smaller that can work: where it is cut, what is known of the span, how long the notes may be. */
export interface Job {
  readonly plan: Plan;
  readonly facts: Facts;
  /** What the model is told to keep to. */
  readonly budget: number;
  /** What its notes are cut to. */
  readonly most: number;
  /** What the request must come under. */
  readonly limit: number;
}
export interface Frame {
  readonly ask: CompressAsk;
  readonly rows: readonly Row[];
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
/** What of the target the active task may take when its message cannot stay. */
const ACTIVE_SHARE = 0.25;

/** The ways to try, the gentlest first. Values in estimated tokens. */
export function* jobs(frame: Frame): Generator<Job> {
  const { ask, rows, settings, forced } = frame;
  const bounds = boundsOf(settings, ask.runtime.limits, frame.calibration);
  const fixed = requestTokens(ask.system, ask.tools, []);
  const room = bounds.target - fixed - 2 * summaryBudget(tokensOf(rows), bounds.window);
  const shapes = shapesFor(forced ? 'overflow' : ask.reason, bounds, { room, protectLast: settings['compression.protect_last_n'] }, rows);
  for (const limit of forced ? [bounds.target, bounds.hard, Infinity] : [bounds.target]) {
    for (const shape of shapes) {
      const job = jobOf(frame, shape, bounds, limit, fixed);
      if (job !== undefined) yield job;
    }
  }
}

function jobOf({ ask, rows, options, forced }: Frame, shape: Shape, bounds: Bounds, limit: number, fixed: number): Job | undefined {
  const plan = planOf(rows, shape);
  if (plan === undefined) return undefined;
  const middle = tokensOf(plan.middle);
  if (!forced && ask.reason !== 'asked' && middle < bounds.target * LEAST_MIDDLE) return undefined;
  const wanted = summaryBudget(middle, bounds.window);
  const facts = factsOf(ask.entries, plan, wanted, Math.floor(bounds.target * ACTIVE_SHARE), options);
  const stays = fixed + tokensOf(plan.head) + tokensOf(plan.tail) + SILENCES;
  // Notes must leave the request under its limit and smaller than it was.
  const space = Math.min(limit - stays, middle) - facts.tokens;
  const budget = Math.floor(Math.min(wanted, space * 0.6));
  if (budget < LEAST_BUDGET) return undefined;
  return { plan, facts, budget, most: Math.floor(Math.min(2 * wanted, space * 0.95)), limit };
}
/** Silence the view may put on both sides of a summary. */
const SILENCES = 10;

/** Why there is no way, for the person. */
export function noWay({ ask, rows, settings, calibration }: Frame): string {
  const { target } = boundsOf(settings, ask.runtime.limits, calibration);
  const fixed = requestTokens(ask.system, ask.tools, []);
  if (fixed >= target)
    return `the system prompt and the tools alone take about ${Math.round(fixed * calibration)} tokens, and the target is ${Math.round(target * calibration)}; a model with a larger window or fewer toolsets would help`;
  return `nothing is worth summing up: of ${rows.length} messages too few lie between the first and the last ones, which stay`;
}
