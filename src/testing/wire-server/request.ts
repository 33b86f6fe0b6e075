import type { IncomingHttpHeaders } from 'node:http';

export type WireProtocol = 'openai-chat' | 'anthropic-messages' | 'openai-responses';

/** One request as it arrived, kept for the whole life of the server. */
export interface RecordedRequest {
  /** Position in `WireServer.requests`. */
  readonly index: number;
  /** `models`: the list of models was asked for. `unknown`: nothing is served there and the answer was 404. */
  readonly protocol: WireProtocol | 'models' | 'unknown';
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The exact body. */
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  /** Milliseconds since 1970, when the last byte had come in. */
  readonly at: number;
}

/** A recorded request that asks a model for an answer. */
export interface ModelCall extends RecordedRequest {
  readonly protocol: WireProtocol;
}

const endpoints: readonly { readonly method: string; readonly ending: string; readonly protocol: RecordedRequest['protocol'] }[] = [
  { method: 'POST', ending: '/chat/completions', protocol: 'openai-chat' },
  { method: 'POST', ending: '/v1/messages', protocol: 'anthropic-messages' },
  { method: 'POST', ending: '/responses', protocol: 'openai-responses' },
  { method: 'GET', ending: '/models', protocol: 'models' },
];

export function toRecordedRequest(arrival: Omit<RecordedRequest, 'protocol' | 'body'>): RecordedRequest {
  return { ...arrival, protocol: protocolOf(arrival.method, arrival.path), body: parsed(arrival.text) };
}

export function isModelCall(request: RecordedRequest): request is ModelCall {
  return request.protocol !== 'models' && request.protocol !== 'unknown';
}

export function asksForStream(request: RecordedRequest): boolean {
  return asJsonObject(request.body)['stream'] === true;
}

/** The fields of a JSON object; of anything else, none. */
export function asJsonObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function protocolOf(method: string, path: string): RecordedRequest['protocol'] {
  const [pathname = ''] = path.split('?');
  return endpoints.find((endpoint) => endpoint.method === method && pathname.endsWith(endpoint.ending))?.protocol ?? 'unknown';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
