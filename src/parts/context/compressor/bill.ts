import type { Completion } from '../../../contracts/complete.ts';
import type { Usage } from '../../../contracts/message.ts';

/** What was asked of models so far, whatever came of it. */
export interface Bill {
  /** The one asked last. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly price?: number;
}

export const toBill = (given: Completion): Bill =>
  given.ok ? { model: given.model, usage: given.usage, ...(given.price !== undefined && { price: given.price }) } : { model: given.model };

export function addBills(first: Bill, second: Bill): Bill {
  const model = second.model ?? first.model;
  const usage =
    first.usage === undefined || second.usage === undefined ? (second.usage ?? first.usage) : usageSum(first.usage, second.usage);
  const price = first.price === undefined || second.price === undefined ? (second.price ?? first.price) : first.price + second.price;
  return { ...(model !== undefined && { model }), ...(usage !== undefined && { usage }), ...(price !== undefined && { price }) };
}

const usageSum = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  reasoning: a.reasoning + b.reasoning,
});
