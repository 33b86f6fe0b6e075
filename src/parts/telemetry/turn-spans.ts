import { sha256 } from '../../base/sha256.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { SettledTurn } from './settled-turns.ts';
import { isUsefulResult } from './turn-metrics.ts';

/** One thing that took time. Its ids are made of what it is, so that a turn is the same trace whoever tells of it, and however often. */
export interface TurnSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the turn itself. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly failed?: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A turn with its model calls and tools, in the names of OpenTelemetry's conventions for generative AI. No word of anybody's is in it. */
export function describeTurn(
  turn: SettledTurn,
  session: Pick<Session, 'platform' | 'source' | 'parent'>,
  log: { readonly entries: readonly Entry[]; readonly calls: readonly CallRecord[] },
): readonly TurnSpan[] {
  const traceId = sha256(`trace ${turn.turnId}`).slice(0, 32);
  const root: TurnSpan = {
    traceId,
    spanId: toSpanId(turn.turnId),
    name: 'invoke_agent hermes',
    kind: 'internal',
    startMs: turn.startedAt,
    endMs: Math.max(turn.startedAt, turn.endedAt),
    ...(turn.outcome === 'failed' && { failed: turn.exitReason }),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'hermes',
      'gen_ai.conversation.id': turn.sessionId,
      'hermes.turn.id': turn.turnId,
      'hermes.platform': session.platform,
      'hermes.source': session.source,
      'hermes.outcome': turn.outcome,
      'hermes.exit_reason': turn.exitReason,
      'hermes.steps': turn.steps,
      ...(session.parent !== undefined && { 'hermes.parent_session.id': session.parent.sessionId }),
    },
  };
  const below = { traceId, parentId: root.spanId };
  return [
    root,
    ...log.calls.filter(({ turnId }) => turnId === turn.turnId).map((call) => ({ ...below, ...describeCall(call) })),
    ...log.entries.flatMap((entry) => (entry.turnId === turn.turnId ? describeTool(entry) : [])).map((tool) => ({ ...below, ...tool })),
  ];
}

type SpanOfOne = Omit<TurnSpan, 'traceId' | 'parentId'>;

const describeCall = ({ id, at, ms, runtime, purpose, usage, price, result, firstByteMs }: CallRecord): SpanOfOne => ({
  spanId: toSpanId(id),
  name: `chat ${runtime.model}`,
  kind: 'client',
  startMs: at,
  endMs: at + ms,
  ...(!isUsefulResult(result) && { failed: result }),
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': runtime.provider,
    'gen_ai.request.model': runtime.model,
    'gen_ai.response.finish_reasons': result,
    'gen_ai.usage.input_tokens': usage.input + usage.cacheRead + usage.cacheWrite,
    'gen_ai.usage.output_tokens': usage.output,
    'hermes.usage.cache_read_tokens': usage.cacheRead,
    'hermes.usage.cache_write_tokens': usage.cacheWrite,
    ...(purpose !== undefined && { 'hermes.purpose': purpose }),
    ...(price !== undefined && { 'hermes.cost_usd': price }),
    ...(firstByteMs !== undefined && { 'hermes.first_byte_ms': firstByteMs }),
  },
});

function describeTool(entry: Entry): readonly SpanOfOne[] {
  if (entry.type !== 'message' || entry.message.role !== 'tool' || entry.ms === undefined) return [];
  const tool = entry.tool ?? entry.message.name;
  return [
    {
      spanId: toSpanId(entry.id),
      name: `execute_tool ${tool}`,
      kind: 'internal',
      startMs: entry.at - entry.ms,
      endMs: entry.at,
      ...(entry.message.failed && { failed: 'tool_failed' }),
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, 'gen_ai.tool.call.id': entry.message.callId },
    },
  ];
}

const toSpanId = (id: string): string => sha256(`span ${id}`).slice(0, 16);
