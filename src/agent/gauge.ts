import type { ContextGauge } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import { toRouteKey, type Runtime } from '../contracts/runtime.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { isAnswered, isOwnRequest } from './attribution.ts';
import type { TurnDeps } from './deps.ts';
import type { Journal } from './journal.ts';

/** How far a calibration may go: beyond this it is not the counting that differs. */
export const CALIBRATION = { least: 0.5, most: 3 } as const;

/**
 * Real tokens for each estimated one, by the last call the provider counted on this model. Every gate reads it, so that
 * all of them see the same size.
 */
export async function findCalibration(journal: Journal, runtime: Runtime): Promise<number> {
  const counted = await findCountedCall(journal, runtime);
  return counted === undefined ? 1 : toCalibration(counted);
}

/** The last call of the session's own that the provider counted on this model. */
export async function findCountedCall(journal: Journal, { model }: Runtime): Promise<CallRecord | undefined> {
  const counts = (call: CallRecord) =>
    call.runtime.model === model && isAnswered(call) && isOwnRequest(call) && call.estimate > 0 && countPrompt(call) > 0;
  return (await journal.calls()).findLast(counts);
}

export const toCalibration = (counted: CallRecord): number =>
  Math.min(CALIBRATION.most, Math.max(CALIBRATION.least, countPrompt(counted) / counted.estimate));

/** How far back a route's answers are looked through. */
const ANSWERS_MS = 7 * 86_400_000;

/** The largest prompt this route has answered of late, in any session. Whatever a refusal says, its window is no smaller. */
export async function readLargestAnsweredPrompt(runtime: Runtime, { journal, clock }: TurnDeps): Promise<number> {
  const calls = await journal.store.calls({ since: clock.now() - ANSWERS_MS });
  const own = calls.filter((call) => toRouteKey(call.runtime) === toRouteKey(runtime) && isAnswered(call));
  return own.reduce((most, call) => Math.max(most, countPrompt(call)), 0);
}

/** As the provider counted it; nothing where it did not. */
export const countPrompt = ({ usage, usageEstimated }: CallRecord): number =>
  usageEstimated ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;

/** What the next request will take of the window. */
export function toGauge(estimate: number, ratio: number, { limits }: Runtime): ContextGauge {
  const { window, maxOutput } = limits;
  return { tokens: Math.ceil(estimate * ratio), window, ...(maxOutput !== undefined && { maxOutput }) };
}

/** Why the next request should be made smaller before it is sent. */
export interface SizePressure {
  /** Notes may be asked for: no rest holds them back. */
  readonly notes: boolean;
  /** By the provider's own figures the request cannot be answered as it is. */
  readonly exceeds: boolean;
}

/** `undefined` when it may go out as it is. The ledger is read only where it can make a difference. */
export async function findSizePressure(estimate: number, runtime: Runtime, deps: TurnDeps): Promise<SizePressure | undefined> {
  const { context, journal, clock } = deps;
  if (!context.shouldCompress(toGauge(estimate, CALIBRATION.most, runtime))) return undefined;
  const rests =
    context.resting === undefined ? refusedInTurn(journal.entries) : context.resting(journal.entries, clock.now()) !== undefined;
  if (rests && runtime.limits.reported === undefined) return undefined;
  const gauge = toGauge(estimate, await findCalibration(journal, runtime), runtime);
  const exceeds = runtime.limits.reported === true && gauge.tokens >= roomFor(gauge);
  return context.shouldCompress(gauge) && (exceeds || !rests) ? { notes: !rests, exceeds } : undefined;
}

/** What a prompt may take; an answer never claims more than half the window. */
const roomFor = ({ window, maxOutput = 0 }: ContextGauge): number => window - Math.min(maxOutput, window / 2);

/** An engine that knows no rests has said no in this turn: it would be asked the same before every call. */
function refusedInTurn(entries: readonly Entry[]): boolean {
  const turnId = entries.at(-1)?.turnId;
  return entries.some((entry) => entry.type === 'note' && entry.turnId === turnId && entry.compaction?.outcome === 'refused');
}
