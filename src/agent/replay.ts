import { sha256 } from '../base/sha256.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { Entry } from '../contracts/entry.ts';
import type { EncodedRequest, Provider, PrefixSegment } from '../contracts/provider.ts';
import type { ReplayedCall } from '../contracts/services/insight.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { findCurrentEpoch, createModelRequest } from './request.ts';

/** The request as the agent would make it today, held against what the ledger says was sent. Needs no key and no network. */
export function replayCall(call: CallRecord, entries: readonly Entry[], context: ContextEngine, encode: Provider['encode']): ReplayedCall {
  const then = entries.filter((entry) => entry.seq <= call.throughSeq);
  if (findCurrentEpoch(then) === undefined) return { call, identical: false, firstDifference: call.segments[0]?.name ?? 'tools' };
  const { runtime, adjust, sampling, toolUse, cacheTtl } = call;
  const ask = { runtime, adjust, ...(sampling !== undefined && { sampling }), toolUse, cacheTtl };
  const encoded = encode(createModelRequest(then, ask, context));
  const rebuiltHash = sha256(encoded.body);
  const rebuiltBytes = Buffer.byteLength(encoded.body);
  const identical = rebuiltHash === call.bodyHash && rebuiltBytes === call.bodyBytes;
  return { call, identical, rebuiltHash, rebuiltBytes, ...(!identical && { firstDifference: firstDifference(call.segments, encoded) }) };
}

function firstDifference(recorded: readonly PrefixSegment[], { segments }: EncodedRequest): string {
  const length = Math.max(recorded.length, segments.length);
  for (let index = 0; index < length; index++) {
    const [was, is] = [recorded[index], segments[index]];
    if (was?.hash !== is?.hash || was?.name !== is?.name) return was?.name ?? is?.name ?? 'parameters';
  }
  return 'parameters';
}
