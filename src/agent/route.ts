import { DEFAULT_ADJUSTMENTS, type RequestAdjustments, type Runtime } from '../contracts/runtime.ts';
import type { TurnDeps } from './deps.ts';
import { readLargestAnsweredPrompt } from './gauge.ts';

/** A route as it is first asked in a turn: plainly, but with what earlier runs learnt about it. */
export async function applyRouteFacts(
  runtime: Runtime,
  deps: TurnDeps,
): Promise<{ readonly runtime: Runtime; readonly adjust: RequestAdjustments }> {
  const { stream, without, window, plainSchemas = false } = await deps.routes.learnt(runtime);
  const adjust = { ...DEFAULT_ADJUSTMENTS, plainSchemas, ...(stream === false && { stream }), ...(without !== undefined && { without }) };
  // A window the owner has stated is his to be right about, and one that the route has answered more than is none.
  if (window === undefined || runtime.limits.stated === true) return { runtime, adjust };
  if (window < (await readLargestAnsweredPrompt(runtime, deps))) return { runtime, adjust };
  return { runtime: { ...runtime, limits: { ...runtime.limits, window, reported: true } }, adjust };
}
