import { createTimeId } from '../base/ids.ts';
import { lazy } from '../base/lazy.ts';
import { sha256 } from '../base/sha256.ts';
import { NO_USAGE, type Usage } from '../contracts/message.ts';
import type { EncodedRequest, ReportedUsage, ViewMessage } from '../contracts/provider.ts';
import type { RequestAdjustments } from '../contracts/runtime.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { TurnInPhase } from '../contracts/turn.ts';
import { hasBudget } from './budget-left.ts';
import type { TurnDeps } from './deps.ts';
import { createModelRequest } from './request.ts';

/** How long an answer may get under a budget when neither the route nor the owner says so. It goes on the wire: a bound nobody keeps is none. */
export const BUDGETED_OUTPUT_TOKENS = 8_192;

/** A model call from its encoding to its row in the ledger. */
export interface OpenCall {
  readonly encoded: EncodedRequest;
  readonly estimate: number;
  /** The first visible sign of the answer came now. */
  heard(now: number): void;
  /** The call as it goes out, at the most it may cost. */
  begin(bound: CallBound): CallRecord;
  close(now: number, result: CallRecord['result'], reported?: ReportedUsage): CallRecord;
}

/** The most that a call may take. */
export interface CallBound {
  readonly usage: Usage;
  readonly price: number | undefined;
}

/** What a request holds behind the log, and what for: such a call is not the session's own. */
export interface UnloggedRequest {
  readonly purpose: NonNullable<CallRecord['purpose']>;
  readonly messages: readonly ViewMessage[];
  /** `forbidden`: an answer in words alone is wanted. */
  readonly toolUse?: 'forbidden';
}

export function openCall(state: TurnInPhase<'sample'>, deps: TurnDeps, beside?: UnloggedRequest): OpenCall {
  const { entries, log, sessionId } = deps.journal;
  const sampling = state.sampling ?? deps.sampling;
  const toolUse = state.closing === undefined ? (beside?.toolUse ?? 'auto') : 'forbidden';
  const ask = {
    runtime: state.runtime,
    adjust: withinBudget(state, deps),
    ...(sampling !== undefined && { sampling }),
    toolUse,
    cacheTtl: deps.settings['prompt_caching.cache_ttl'],
  } as const;
  const own = createModelRequest(entries, ask, deps.context);
  const request = beside === undefined ? own : { ...own, messages: [...own.messages, ...beside.messages] };
  const encoded = deps.provider.encode(request);
  const estimate = deps.context.estimate({ system: request.system, tools: request.tools, view: request.messages });
  const at = deps.clock.now();
  let firstAt: number | undefined;
  const made = lazy(() => {
    const body = encoded.bytes();
    return {
      ...ask,
      id: createTimeId('c', at),
      sessionId,
      turnId: state.turnId,
      ...(beside !== undefined && { purpose: beside.purpose }),
      at,
      throughSeq: log.at(-1)?.seq ?? 0,
      bodyHash: sha256(body),
      bodyBytes: body.length,
      segments: encoded.segments,
      estimate,
    };
  });
  return {
    encoded,
    estimate,
    heard: (now) => (firstAt ??= now),
    begin: ({ usage, price }) => ({
      ...made(),
      ms: 0,
      usage,
      usageEstimated: true,
      ...(price !== undefined && { price }),
      result: 'running',
    }),
    close: (now, result, { usage = NO_USAGE, usageEstimated } = {}) => {
      const price = deps.price(state.runtime, usage);
      return {
        ...made(),
        ms: now - at,
        ...(firstAt !== undefined && { firstByteMs: firstAt - at }),
        usage,
        ...(usageEstimated && { usageEstimated }),
        ...(price !== undefined && { price }),
        result,
      };
    },
  };
}

/** What a call asks for. Under a budget every call states how much it may give, so that the bound judged before it is the bound. */
function withinBudget({ adjust, runtime }: TurnInPhase<'sample'>, deps: TurnDeps): RequestAdjustments {
  const free = adjust.maxOutput === undefined && runtime.limits.maxOutput === undefined;
  return hasBudget(deps) && free ? { ...adjust, maxOutput: BUDGETED_OUTPUT_TOKENS } : adjust;
}
