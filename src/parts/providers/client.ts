import { joinUrl } from '../../base/http.ts';
import { isObject } from '../../base/json.ts';
import type { Failure } from '../../contracts/failure.ts';
import type { Usage } from '../../contracts/message.ts';
import type {
  Auth,
  CallContext,
  CallProgress,
  Deadlines,
  EncodedRequest,
  ModelEvent,
  Provider,
  ServerFrame,
  Transport,
} from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { AuthError } from './auth/auth-error.ts';
import { chargeBroken, chargeCall, countProduced, watchUsage } from './charge.ts';
import { classify, type Evidence } from './failure/failure.ts';
import { resolveMaxOutput } from './protocols/wire.ts';
import { watchReply, type ReplyWatch } from './reply-watch.ts';
import type { ReplyFold, WireFormat } from './wire-format.ts';
import { TransportError } from './transports/transport-error.ts';

export interface ProviderParts {
  readonly formatOf: (runtime: Runtime) => WireFormat;
  readonly transport: Transport;
  readonly auth: Auth;
  readonly deadlinesOf: (runtime: Runtime) => Deadlines;
}

/** One model call: encode, sign, send, fold. Remote trouble of any kind ends in one `failed` event. */
export function createProvider(parts: ProviderParts): Provider {
  return {
    encode: (request) => parts.formatOf(request.runtime).encode(request),
    stream: (encoded, call) => stream(parts, encoded, call),
  };
}

async function* stream(parts: ProviderParts, encoded: EncodedRequest, call: CallContext): AsyncGenerator<ModelEvent, void> {
  const conceal = concealer(parts, encoded);
  const reply = watchReply(resolveMaxOutput(encoded.request, false));
  const way: CallWay = { isServed: false, usage: watchUsage() };
  const fail = (failure: Failure, counted?: Usage): ModelEvent => {
    const { usage, isServed } = way;
    const broken = usage.broken();
    const charged =
      !isServed && !usage.isCounted && counted === undefined ? {} : chargeBroken({ ...broken, counted: counted ?? broken.counted }, call);
    return { type: 'failed', failure: unsaid(failure, conceal), ...charged };
  };
  try {
    for await (const event of answer(parts, encoded, call, reply, way)) {
      if (event.type === 'failed') return yield fail(event.failure, event.usage);
      if (event.type === 'done') return yield { ...event, ...chargeCall(event.usage, countProduced(event.message), call) };
      const endless = event.type === 'call_start' ? undefined : reply.add(event);
      yield event;
      if (endless !== undefined) return yield fail(endless);
    }
    yield fail({ type: 'network', detail: 'The connection closed before the answer was complete.', partial: { text: reply.text } });
  } catch (error) {
    way.isServed ||= error instanceof TransportError && error.stage !== 'connect' && error.code !== 'redirect';
    yield fail(failureOf(error, encoded, call, reply.text, conceal));
  }
}

/** How far a call has come. */
interface CallWay {
  /** The server has worked on the request, or may have: it can be billed. A request that was refused cannot. */
  isServed: boolean;
  readonly usage: ReturnType<typeof watchUsage>;
}

/** Servers repeat the key they refuse. What a failure says is stored and shown, so it is taken out before anybody reads it. */
type ConcealKey = (text: string) => string;
const concealer =
  ({ auth }: ProviderParts, { request }: EncodedRequest): ConcealKey =>
  (text) =>
    auth.conceal?.(request.runtime, text) ?? text;
const unsaid = (failure: Failure, conceal: ConcealKey): Failure => ({ ...failure, detail: conceal(failure.detail) });

async function* answer(
  parts: ProviderParts,
  encoded: EncodedRequest,
  call: CallContext,
  reply: ReplyWatch,
  way: CallWay,
): AsyncGenerator<ModelEvent, void> {
  const { request } = encoded;
  const { runtime, adjust } = request;
  const format = parts.formatOf(runtime);
  const headers = { ...format.headers, ...(await parts.auth.headers(runtime)) };
  const conceal = concealer(parts, encoded);
  const begin = () => format.fold(request, call.estimate);
  const fold = begin();
  const target = { url: joinUrl(runtime.baseUrl, format.path), headers, deadlines: parts.deadlinesOf(runtime), signal: call.signal };
  let isEmpty = true;
  const findStarted = watchCallStarts();
  /** What was said before trouble was said. */
  const take = (frames: readonly ServerFrame[]): { readonly events: readonly ModelEvent[]; readonly error?: unknown } => {
    const events: ModelEvent[] = [];
    try {
      for (const frame of frames) {
        if (frame.type === 'response') continue;
        const given = fold.take(frame.event, dataOf(frame, begin, conceal));
        way.usage.hear(given, fold);
        events.push(...given);
        way.isServed ||= events.at(-1)?.type !== 'failed';
        if (!events.some(isLast)) events.push(...findStarted(fold.progress()));
        const endless = reply.addCalls(fold.progress());
        if (endless !== undefined) return { events: [...events, { type: 'failed', failure: endless }] };
      }
      return { events };
    } catch (error) {
      return { events, error };
    }
  };
  try {
    for await (const frames of parts.transport.open({ ...target, body: encoded.bytes(), stream: adjust.stream })) {
      const [first] = frames;
      isEmpty &&= first === undefined;
      if (first?.type === 'response') return yield* whole(format, encoded, call, first, conceal);
      const { events, error } = take(frames);
      yield* joinDeltas(events);
      if (error !== undefined) throw error;
    }
  } catch (error) {
    yield* saved(fold, error);
  }
  way.isServed = true;
  if (isEmpty) yield { type: 'failed', failure: { type: 'malformed', detail: 'The server answered with success and an empty body.' } };
  else yield* fold.end();
}

const isLast = ({ type }: ModelEvent): boolean => type === 'done' || type === 'failed';

/** Tells of each call once, when its name is known. */
function watchCallStarts(): (progress: CallProgress) => readonly ModelEvent[] {
  let told = 0;
  return ({ calls, name }) => {
    if (calls <= told || name === '') return [];
    told = calls;
    return [{ type: 'call_start', name }];
  };
}

/** Words that came together are told together: a reader cannot tell them apart, and each telling has its price. */
function joinDeltas(events: readonly ModelEvent[]): ModelEvent[] {
  const joined: ModelEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last !== undefined && 'delta' in last && 'delta' in event && last.type === event.type)
      joined[joined.length - 1] = { type: last.type, delta: last.delta + event.delta };
    else joined.push(event);
  }
  return joined;
}

/** A complaint is read without our key; in the model's own words it stays, for they may be a file it was told to write. */
function dataOf({ event, data }: EventFrame, begin: () => ReplyFold, conceal: ConcealKey): string {
  const clean = conceal(data);
  return clean !== data && isComplaint(() => begin().take(event, data)) ? clean : data;
}

function isComplaint(read: () => readonly ModelEvent[]): boolean {
  try {
    return read().some((event) => event.type === 'failed');
  } catch {
    return true;
  }
}

/** A line that breaks after the answer's own last word has cost nothing. */
function saved(fold: ReplyFold, error: unknown): readonly ModelEvent[] {
  const events = fold.end();
  if (events.at(-1)?.type !== 'done') throw error;
  return events;
}

type ResponseFrame = Extract<ServerFrame, { readonly type: 'response' }>;
type EventFrame = Extract<ServerFrame, { readonly type: 'event' }>;

function whole(
  format: WireFormat,
  encoded: EncodedRequest,
  call: CallContext,
  { status, headers: heads, body: said }: ResponseFrame,
  conceal: ConcealKey,
): readonly ModelEvent[] {
  const read = (text: string) => format.whole(encoded.request, text, call.estimate);
  const body = conceal(said);
  if (status >= 200 && status < 300) return read(body !== said && isComplaint(() => read(said)) ? body : said);
  const headers = Object.fromEntries(Object.entries(heads).map(([name, value]) => [name, conceal(value)]));
  return [{ type: 'failed', failure: classify({ where: 'http', status, headers, body, ...routeOf(encoded, call) }) }];
}

/** Everything that was thrown on the way, as a failure with the words that had come. */
function failureOf(error: unknown, encoded: EncodedRequest, call: CallContext, text: string, conceal: ConcealKey): Failure {
  if (call.signal.aborted) return { type: 'cancelled', detail: 'The call was stopped.' };
  if (error instanceof AuthError) return { type: error.code === 'missing' ? 'unauthorized' : 'forbidden', detail: error.message };
  if (error instanceof TransportError) {
    const failure = classify({
      where: 'transport',
      error: { code: error.code, message: conceal(error.message) },
      event: error.stage,
      ...routeOf(encoded, call),
    });
    if (failure.type === 'network' && isAbsent(error, encoded.request.runtime.baseUrl)) return { ...failure, absent: true };
    return text === '' ? failure : withPartial(failure, text);
  }
  if (error instanceof SyntaxError) return { type: 'malformed', detail: error.message, partial: { text } };
  throw error;
}

/** Whether a port of this very machine refused: no server is there, and none will be a second later. */
function isAbsent({ cause }: TransportError, baseUrl: string): boolean {
  const refused = isObject(cause) && cause['code'] === 'ECONNREFUSED';
  return refused && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(baseUrl)?.hostname ?? '');
}

function withPartial(failure: Failure, text: string): Failure {
  const broken = failure.type === 'network' || failure.type === 'timeout' || failure.type === 'tls' || failure.type === 'malformed';
  return broken ? { ...failure, partial: { text } } : failure;
}

function routeOf(
  { request }: EncodedRequest,
  call: CallContext,
): Pick<Evidence, 'provider' | 'model' | 'protocol' | 'estimate' | 'window' | 'now'> {
  const { provider, model, protocol, limits } = request.runtime;
  return { provider, model, protocol, estimate: call.estimate, window: limits.window, now: Date.now() };
}
