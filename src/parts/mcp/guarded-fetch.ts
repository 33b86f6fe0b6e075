import { redactUrl } from '../../base/http.ts';
import type { FetchRequest, FetchResult, NetworkAccess } from '../../contracts/reach.ts';
import { createBoundedFetch, type Fetch, type FetchRules } from './bounded-fetch.ts';
import { McpSetupError } from './sdk.ts';

/** What a server's login has to say is small: metadata, a registration, tokens. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface GuardedRules extends FetchRules {
  readonly reach: NetworkAccess;
}
export interface GuardedFetch {
  readonly fetch: Fetch;
  /** Whether a person may be sent there. Throws when they may not. */
  vet(url: URL, signal: AbortSignal): Promise<void>;
  /** The first address that was out of reach: the reason for whatever failed afterwards. */
  refusal(): McpSetupError | undefined;
  /** A redirect of the server itself that nobody followed, in words. */
  strayed(): string | undefined;
}

/**
 * The address the owner set up is theirs to choose, wherever it lies. Every other one was named by the server or by what it
 * named: those are judged as if a model had asked for them, and so is each redirect on the way.
 */
export function createGuardedFetch({ reach, ...rules }: GuardedRules): GuardedFetch {
  const own = createBoundedFetch(rules);
  const home = new URL(rules.url);
  let refusal: McpSetupError | undefined;
  let strayed: string | undefined;
  const refuse = (url: URL, reason: string): McpSetupError => {
    const why = reason.replace(/^Refused: |\.$/g, '');
    const said = new McpSetupError(`the server named ${redactUrl(url.href)} for its login, which was refused: ${why}`);
    refusal ??= said;
    return said;
  };
  const byReach = async (url: URL, init: RequestInit): Promise<Response> => {
    const answer = await reach.fetch(askFor(url, init));
    if (answer.ok && new URL(answer.url).origin === url.origin && !answer.cut) return responseOf(answer);
    if (answer.ok)
      throw refuse(url, answer.cut ? `it answered with more than ${MAX_BYTES} bytes` : `it leads on to ${redactUrl(answer.url)}`);
    // The kind of error a failed fetch throws: then other ways to the same metadata are tried.
    throw answer.refused ? refuse(url, answer.reason) : new TypeError(`${redactUrl(url.href)}: ${answer.reason}`);
  };
  return {
    fetch: async (address, init = {}) => {
      const url = new URL(address);
      if (!isHome(url, home)) return byReach(url, init);
      const response = await own(url, { ...init, redirect: 'manual' });
      const away = awayFrom(home, url, response);
      if (away !== undefined) strayed ??= `${redactUrl(url.href)} redirects to ${redactUrl(away.href)}, which was not followed`;
      return response;
    },
    vet: async (url, signal) => {
      const verdict = isHome(url, home) ? undefined : await reach.check(url.href, signal);
      if (verdict?.allow === false) throw refuse(url, verdict.reason);
    },
    refusal: () => refusal,
    strayed: () => strayed,
  };
}

/** The same place, or the secure form of it. */
const isHome = (url: URL, home: URL): boolean =>
  url.origin === home.origin ||
  (url.hostname === home.hostname && home.protocol === 'http:' && url.protocol === 'https:' && home.port === '' && url.port === '');

function awayFrom(home: URL, url: URL, { status, headers }: Response): URL | undefined {
  const location = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', url) : null;
  return location === null || isHome(location, home) ? undefined : location;
}

function askFor(url: URL, { method = 'GET', headers, body, signal }: RequestInit): FetchRequest {
  return {
    url: url.href,
    method: method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(new Headers(headers)),
    ...((typeof body === 'string' || body instanceof URLSearchParams) && { body: String(body) }),
    signal: signal ?? new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  };
}

/** Its encodings are undone already. */
function responseOf({ status, headers, body }: FetchResult & { readonly ok: true }): Response {
  const kept = Object.entries(headers).filter(([name]) => !/^content-(?:encoding|length)$|^transfer-encoding$/i.test(name));
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers: kept });
}
