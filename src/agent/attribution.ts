import type { Entry } from '../contracts/entry.ts';
import type { FinishReason } from '../contracts/provider.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { AttributionService, CacheFinding } from '../contracts/services/insight.ts';
import { CAUSES, type CallPair } from './cache-causes.ts';
import { findCurrentEpoch } from './request.ts';

export const createAttributionService = (): AttributionService => ({
  explain: (call, calls, entries) => {
    const previous = findPreviousAnsweredCall(calls, call);
    return { call, previous, finding: explainCall(previous, call, entries) };
  },
});

/** `previous` is the session's last call before this one that the model answered; a refused one leaves nothing in a cache. */
export function explainCall(previous: CallRecord | undefined, call: CallRecord, entries: readonly Entry[]): CacheFinding {
  if (!isAnswered(call))
    return {
      cause: 'not_answered',
      words: `${describeEnd(call)}: what the cache gave is not known`,
      kept: 0,
    };
  if (call.purpose !== undefined) return { cause: 'beside_the_log', words: BESIDE[call.purpose], kept: 0 };
  if (previous === undefined) return { cause: 'first_call', words: firstWords(call), kept: 0 };
  const kept = sameFromTheStart(previous, call);
  const segment = previous.segments[kept]?.name;
  const upTo = (seq: number) => entries.filter((entry) => entry.seq <= seq);
  const pair: CallPair = {
    previous,
    call,
    segment,
    before: findCurrentEpoch(upTo(previous.throughSeq)),
    after: findCurrentEpoch(upTo(call.throughSeq)),
    between: entries.filter((entry) => entry.seq > previous.throughSeq && entry.seq <= call.throughSeq),
  };
  for (const [cause, judge] of CAUSES) {
    const words = judge(pair);
    if (words !== undefined) return { cause, words, kept, ...(segment !== undefined && { segment }) };
  }
  throw new Error('the last judge always has words');
}

function describeEnd({ result }: CallRecord): string {
  if (result === 'running') return 'the call has not ended';
  return result === 'lost' ? 'the process died during the call' : `the call failed (${result.replaceAll('_', ' ')})`;
}

/** The call to hold another against: the last before it that the model answered. */
export const findPreviousAnsweredCall = (calls: readonly CallRecord[], call: CallRecord): CallRecord | undefined =>
  calls
    .slice(
      0,
      calls.findIndex(({ id }) => id === call.id),
    )
    .findLast((earlier) => isAnswered(earlier) && isOwnRequest(earlier));
const FINISHES: ReadonlySet<string> = new Set<FinishReason>(['stop', 'tool_calls', 'length', 'content_filter', 'paused']);
export const isAnswered = ({ result }: CallRecord): boolean => FINISHES.has(result);
/** Made from the log, not beside it. */
export const isOwnRequest = ({ purpose }: CallRecord): boolean => purpose === undefined;

const BY_ITSELF = 'a request by itself, with no prefix of this session';
/** What a call was for that is not made from the log. */
const BESIDE: Readonly<Record<NonNullable<CallRecord['purpose']>, string>> = {
  compaction: `it asked for the notes of a compaction: ${BY_ITSELF}`,
  tool: `it was made for a tool call: ${BY_ITSELF}`,
  title: `it asked for a title of the session: ${BY_ITSELF}`,
  memory: 'it asked what to remember before the session ended: the log, with a question behind it that is not stored',
  aside: 'it asked a question of the owner beside the conversation: the log, with a question behind it that is not stored',
  elsewhere: 'it is the sum of what the session had cost in the program it was taken over from',
};

const firstWords = ({ usage }: CallRecord): string =>
  usage.cacheRead === 0
    ? 'first call of a session, nothing is cached yet'
    : `new session: what came from the cache (${usage.cacheRead} tokens) was left there by another session with the same beginning`;

function sameFromTheStart(previous: CallRecord, call: CallRecord): number {
  const end = previous.segments.findIndex(
    ({ name, hash }, index) => call.segments[index]?.name !== name || call.segments[index]?.hash !== hash,
  );
  return end < 0 ? previous.segments.length : end;
}
