import { parseHost, redactUrl } from '../../../base/http.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { toOneLine } from '../../../base/printable.ts';
import { maskSecret } from '../../../base/secret-names.ts';
import type { FetchMethod, NetworkAccess } from '../../../contracts/reach.ts';

/** Why a memory service gave no answer, in words for the owner. Known by its code; `status` is what the server said, 0 when it said nothing. */
export class MemoryServiceError extends Error {
  override readonly name = 'MemoryServiceError';
  readonly code = 'memory_service';
  readonly status: number;
  constructor(words: string, status: number) {
    super(words);
    this.status = status;
  }
}

export interface ServiceClientOptions {
  /** What people call the service. */
  readonly label: string;
  readonly baseUrl: string;
  /** The variable that holds its key, for whoever has to mend it. */
  readonly keyVariable: string;
  /** Absent for a server of the owner's that wants none. */
  readonly key?: string;
  /** How the key is sent. */
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
  readonly network: NetworkAccess;
}
export interface ServiceRequest {
  readonly method: FetchMethod;
  /** Begins with a slash; its segments are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: JsonObject | readonly Json[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}
/** Asks one service. Gives what it answered, `null` for an answer without a body; throws a `MemoryServiceError` for everything else. */
export type AskService = (request: ServiceRequest) => Promise<Json>;

const TIMEOUT_MS = 30_000;
/** More than any page of memories has. */
const MAX_BYTES = 4 * 1024 * 1024;
/** What is shown of a server's own words. */
const MAX_DETAIL = 200;

/**
 * The key goes to the address that the owner set and to no other: a redirect is an answer that is not followed, whatever it
 * leads to.
 */
export const createServiceClient =
  (options: ServiceClientOptions): AskService =>
  async ({ method, path, query = {}, body, headers, signal, timeoutMs = TIMEOUT_MS }) => {
    const { label, baseUrl, network, key, authorize } = options;
    const url = `${baseUrl.replace(/\/+$/, '')}${path}${toQuery(query)}`;
    const answer = await network.fetch({
      url,
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...(key !== undefined && authorize(key)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      followRedirects: false,
      signal,
      timeoutMs,
      maxBytes: MAX_BYTES,
    });
    const place = `${label} at ${parseHost(baseUrl)}`;
    if (!answer.ok)
      throw new MemoryServiceError(`${place} ${answer.refused ? 'was not asked' : 'did not answer'}: ${withoutKey(answer.reason, key)}`, 0);
    const { status } = answer;
    if (status >= 300 && status < 400) throw new MemoryServiceError(describeRedirect(options, status, answer.headers['location']), status);
    const text = answer.body.toString();
    if (status >= 400) throw new MemoryServiceError(describeStatus(options, status, readDetail(text, key), answer.headers), status);
    if (text === '') return null;
    const parsed = answer.cut ? undefined : parseJson(text);
    if (parsed === undefined)
      throw new MemoryServiceError(`${place} gave ${answer.cut ? 'an answer that is too long' : 'an answer that is not JSON'}.`, status);
    return parsed;
  };

function toQuery(query: NonNullable<ServiceRequest['query']>): string {
  const found = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return found.length === 0 ? '' : `?${new URLSearchParams(found).toString()}`;
}

/** A segment of a path, whatever is in it. */
export const toSegment = (text: string): string => encodeURIComponent(text);

const STATUSES: Readonly<Record<number, (options: ServiceClientOptions) => string>> = {
  401: ({ key, keyVariable }) =>
    key === undefined
      ? `it wants a key. Put one in .env as ${keyVariable}`
      : `it does not take the key in ${keyVariable}. Put a valid one in .env`,
  402: () => 'the account has used up what it paid for',
  403: ({ keyVariable }) => `the key in ${keyVariable} may not do this. Check what it is allowed to do`,
  404: () => 'it does not know what was asked for. Check the address of the server',
  413: () => 'what was sent is too long for it',
  429: () => 'it was asked too often',
};

function describeStatus(options: ServiceClientOptions, status: number, detail: string, headers: Readonly<Record<string, string>>): string {
  const words = STATUSES[status]?.(options) ?? (status >= 500 ? 'it has a problem of its own' : 'it did not accept what was sent');
  const wait =
    status === 429 && headers['retry-after'] !== undefined ? `; it asks to wait ${toOneLine(headers['retry-after']).slice(0, 30)} s` : '';
  const said = detail === '' ? '' : ` It says: ${detail}`;
  return `${options.label} at ${parseHost(options.baseUrl)} answered ${status}: ${words}${wait}.${said}`;
}

function describeRedirect({ label, baseUrl }: ServiceClientOptions, status: number, location = ''): string {
  const to = URL.parse(location, baseUrl);
  const where = to === null ? 'somewhere else' : redactUrl(to.href);
  return `${label} at ${parseHost(baseUrl)} answered ${status}: it redirects to ${toOneLine(where).slice(0, MAX_DETAIL)}, which is not followed, because the key is only for ${parseHost(baseUrl)}. If that is the right address, set it as the base URL.`;
}

/** The server's own words, where the common fields have some. */
function readDetail(text: string, key: string | undefined): string {
  const parsed = parseJson(text);
  const found = isObject(parsed) ? [parsed['detail'], parsed['message'], parsed['error']].flatMap(toWords)[0] : undefined;
  return withoutKey(toOneLine(found ?? ''), key).slice(0, MAX_DETAIL);
}
function toWords(value: Json | undefined): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isObject(value) ? toWords(value['message']) : [];
}

const withoutKey = (text: string, key: string | undefined): string =>
  key === undefined || key.length < 4 ? text : text.replaceAll(key, maskSecret(key));
