import type { HttpAnswer } from '../../../../base/http-server/contract.ts';
import { EVENT_STREAM_HEADERS, streamEvents } from '../../../../base/http-server/sse-body.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { isOver, type Run } from '../../../../contracts/run-store.ts';
import type { BegunRun } from '../request/begin-run.ts';
import type { ApiContext, ApiRequest } from '../http/contract.ts';
import { ApiError, toJsonAnswer } from '../http/errors.ts';
import { refuseFailedRun } from '../wire/result.ts';
import { readPosition, streamRun, type StreamFormat, type StreamPosition } from '../wire/stream.ts';

/** How often a quiet stream shows that it lives. */
const QUIET_MS = 30_000;

export const describeRunHeaders = ({ run, isKnown }: BegunRun): Readonly<Record<string, string>> => ({
  'x-hermes-session-id': run.sessionId,
  'x-hermes-run-id': run.id,
  ...(isKnown && { 'idempotency-replayed': 'true' }),
});

/** Waits for the end of a run. A client that leaves leaves the run alone. */
export async function awaitRun({ id }: Run, { news, host }: ApiContext, signal: AbortSignal): Promise<Run> {
  for await (const _event of news.follow(id, 0, signal)) continue;
  const run = await host.store.runs.find(id);
  if (run === undefined || !isOver(run)) throw new ApiError(503, 'shutting_down', 'The server is about to end; the run goes on.');
  return run;
}

/** The whole answer, once there is one. */
export async function answerWhole(
  begun: BegunRun,
  toBody: (run: Run) => JsonObject | Promise<JsonObject>,
  { signal }: ApiRequest,
  context: ApiContext,
): Promise<HttpAnswer> {
  const run = await awaitRun(begun.run, context, signal);
  refuseFailedRun(run);
  return toJsonAnswer(200, await toBody(run), describeRunHeaders(begun));
}

/** The answer as it comes about, from where the client was when it lost the connection. */
export async function answerStream(
  begun: BegunRun,
  format: StreamFormat,
  request: ApiRequest,
  { news, host }: ApiContext,
  position?: StreamPosition,
): Promise<HttpAnswer> {
  if (isOver(begun.run) && (await host.store.runs.events(begun.run.id, 0, 1)).length === 0) throw createGoneError(begun);
  const at = position ?? { after: readPosition(request.headers['last-event-id'] ?? request.query.get('after') ?? undefined) };
  const frames = streamRun(begun.run, format, { news, signal: request.signal, ...at });
  return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...describeRunHeaders(begun) }, body: streamEvents(frames, QUIET_MS) };
}

/** A stream of nothing would end without its last event, which clients take for a broken connection. */
const createGoneError = (begun: BegunRun): ApiError =>
  new ApiError(
    410,
    'events_gone',
    `The events of this run are no longer kept, so it cannot be streamed again. GET /v1/runs/${begun.run.id} says what came of it.`,
    { headers: describeRunHeaders(begun) },
  );
