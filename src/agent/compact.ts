import type { AgentEvent } from '../contracts/event.ts';
import type { Runtime } from '../contracts/runtime.ts';
import { announceOnce } from './announce.ts';
import {
  collectCompactionOptions,
  attemptCompaction,
  estimateCalibratedTokens,
  type CompactionResult,
  type CompactionRequest,
} from './attempt.ts';
import type { TurnDeps } from './deps.ts';

/** One compaction, told as it happens. */
export async function* compact(deps: TurnDeps, runtime: Runtime, request: CompactionRequest): AsyncGenerator<AgentEvent, CompactionResult> {
  const ask = await collectCompactionOptions(deps, runtime);
  const event = {
    type: 'compacting',
    tokens: estimateCalibratedTokens(ask, deps),
    window: runtime.limits.window,
    ...(runtime.limits.reported === true && { reported: true as const }),
    reason: request.reason,
  } as const;
  const { result, told } = yield* announceOnce((begins) => attemptCompaction(deps, ask, request, begins), event);
  // An engine that does not say when it begins is announced when it has something to show.
  if (!told && result.tells.some(({ type }) => type === 'compacted')) yield event;
  yield* result.tells;
  return result;
}
