import { context, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type IdGenerator } from '@opentelemetry/sdk-trace';
import { waitAtMost } from '../../base/waits.ts';
import type { TurnSpan } from './turn-spans.ts';

export interface SpanExporterOptions {
  /** The collector's address, without the path of traces. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
}
export interface SpanSink extends AsyncDisposable {
  add(spans: readonly TurnSpan[]): void;
}

/** How long a process that ends waits for its collector. */
const CLOSE_MS = 2_000;
const EXPORT_MS = 5_000;

/** Hands spans to a collector in batches, by the official SDK. A collector that is away costs its spans and nothing else. */
export function openSpanExporter({ endpoint, headers, serviceName, version }: SpanExporterOptions): SpanSink {
  const ids = createPlannedIds();
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers, timeoutMillis: EXPORT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  });
  const tracer = provider.getTracer('hermes', version);
  return {
    add: (spans) => {
      for (const { traceId, spanId, parentId, name, kind, startMs, endMs, failed, attributes } of spans) {
        ids.plan(traceId, spanId);
        const parent =
          parentId === undefined
            ? context.active()
            : trace.setSpanContext(context.active(), { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED });
        const span = tracer.startSpan(
          name,
          { startTime: startMs, kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes, root: parentId === undefined },
          parent,
        );
        if (failed !== undefined) span.setAttribute('error.type', failed).setStatus({ code: SpanStatusCode.ERROR, message: failed });
        span.end(endMs);
      }
    },
    [Symbol.asyncDispose]: async () =>
      void (await waitAtMost(
        provider.shutdown().catch(() => undefined),
        CLOSE_MS,
      )),
  };
}

/** Gives the ids that were decided for the next span. */
function createPlannedIds(): IdGenerator & { plan(traceId: string, spanId: string): void } {
  let next = { traceId: '', spanId: '' };
  return {
    plan: (traceId, spanId) => (next = { traceId, spanId }),
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.spanId,
  };
}
