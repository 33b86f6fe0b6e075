import type { Gauge } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { isAnswered, isOwnRequest } from './attribution.ts';
import type { TurnDeps } from './deps.ts';
import type { Journal } from './journal.ts';

/** How far a calibration may go: beyond this it is not the counting that differs. */
const RANGE = { least: 0.5, most: 3 } as const;

/**
 * Real tokens for each estimated one, by the last call the provider counted on this model. Every gate reads it, so that
 * all of them see the same size.
 */
export async function findCalibration(journal: Journal, { model }: Runtime): Promise<number> {
  const counts = (call: CallRecord) => call.runtime.model === model && isAnswered(call) && isOwnRequest(call) && promptOf(call) > 0;
  const counted = (await journal.calls()).findLast(counts);
  if (counted === undefined || counted.estimate === 0) return 1;
  return Math.min(RANGE.most, Math.max(RANGE.least, promptOf(counted) / counted.estimate));
}

const promptOf = ({ usage }: CallRecord): number => usage.input + usage.cacheRead + usage.cacheWrite;

/** What the next request will take of the window. */
export function gaugeOf(estimate: number, ratio: number, { limits }: Runtime): Gauge {
  const { window, maxOutput } = limits;
  return { tokens: Math.ceil(estimate * ratio), window, ...(maxOutput !== undefined && { maxOutput }) };
}

/** Whether the next request should be made smaller before it is sent. The ledger is read only where it can make a difference. */
export async function isTooLarge(estimate: number, runtime: Runtime, { context, journal, clock }: TurnDeps): Promise<boolean> {
  if (!context.shouldCompress(gaugeOf(estimate, RANGE.most, runtime))) return false;
  if (context.resting === undefined ? refusedInTurn(journal.entries) : context.resting(journal.entries, clock.now()) !== undefined)
    return false;
  return context.shouldCompress(gaugeOf(estimate, await findCalibration(journal, runtime), runtime));
}

/** An engine that knows no rests has said no in this turn: it would be asked the same before every call. */
function refusedInTurn(entries: readonly Entry[]): boolean {
  const turnId = entries.at(-1)?.turnId;
  return entries.some((entry) => entry.type === 'note' && entry.turnId === turnId && entry.compaction?.outcome === 'refused');
}
