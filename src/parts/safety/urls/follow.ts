import { toErrorMessage } from '../../../base/errors.ts';
import type { FetchMethod, FetchRequest, FetchResult } from '../../../contracts/reach.ts';
import { requestHop, isRedirect, type HopAnswer } from './hop.ts';
import type { ParsedUrl } from './spelling.ts';

/** Judges one leg: its spelling and what its name resolves to now. */
export type JudgeLeg = (url: string, first: boolean, signal: AbortSignal) => Promise<LegVerdict>;
export type LegVerdict =
  | { readonly ok: true; readonly spelt: ParsedUrl; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export interface FollowDeps {
  readonly judge: JudgeLeg;
  readonly proxyFor: (url: URL) => URL | undefined;
}
type RequestLeg = Pick<FetchRequest, 'url' | 'headers' | 'body'> & { readonly method: FetchMethod };

const MAX_REDIRECTS = 10;
/** Names of headers whose values are for the first origin only. */
const CREDENTIAL = /auth|cookie|token|key|secret|session/i;

/** Fetches through the judgement, one leg after the other. Never throws. */
export async function follow(ask: FetchRequest, ways: FollowDeps): Promise<FetchResult> {
  const signal = AbortSignal.any([ask.signal, AbortSignal.timeout(ask.timeoutMs)]);
  try {
    return await legs(ask, ways, signal);
  } catch (error) {
    return { ok: false, refused: false, reason: trouble(error, ask, signal) };
  }
}

async function legs(ask: FetchRequest, ways: FollowDeps, signal: AbortSignal): Promise<FetchResult> {
  let leg: RequestLeg = { ...ask, method: ask.method ?? 'GET' };
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const verdict = await ways.judge(leg.url, count === 0, signal);
    if (!verdict.ok) return refused(count === 0 ? verdict.reason : `${verdict.reason} (The site redirected there.)`);
    const answer = await goTo(leg, verdict, ask.maxBytes, signal, ways);
    if (ask.followRedirects === false || !isRedirect(answer)) return { ok: true, url: verdict.spelt.url.href, ...answer };
    const next = onward(leg, verdict.spelt.url, answer);
    if (typeof next === 'string') return refused(next);
    leg = next;
  }
  return refused(`Refused: the site redirected more than ${MAX_REDIRECTS} times.`);
}

function goTo(leg: RequestLeg, { spelt, addresses }: LegVerdict & { ok: true }, maxBytes: number, signal: AbortSignal, ways: FollowDeps) {
  const { url, host, port } = spelt;
  const proxy = ways.proxyFor(url);
  const { method, headers = {}, body } = leg;
  const optional = { ...(body !== undefined && { body }), ...(proxy !== undefined && { proxy }) };
  return requestHop({ url, host, port, addresses, method, headers, maxBytes, signal, ...optional });
}

/** The next leg, or why there is none. What was meant for one origin is not told to another. */
function onward(leg: RequestLeg, from: URL, { status, headers }: HopAnswer): RequestLeg | string {
  const location = headers['location'] ?? '';
  const to = URL.parse(location, from);
  if (to === null) return 'Refused: the site redirected to something that is no URL.';
  const url = asWritten(location, from, to);
  const same = to.origin === from.origin;
  const kept = Object.entries(leg.headers ?? {}).filter(([name]) => same || !CREDENTIAL.test(name));
  if (status === 307 || status === 308) {
    if (leg.method !== 'GET' && !same) return `Refused: the site redirected what was sent to it to ${to.host}.`;
    return { ...leg, url, headers: Object.fromEntries(kept) };
  }
  const plain = kept.filter(([name]) => !/^content-/i.test(name));
  return { url, method: 'GET', headers: Object.fromEntries(plain) };
}

/** Parsed for its path, but with the host as the site wrote it: a disguise must be seen by the judgement. */
function asWritten(location: string, from: URL, to: URL): string {
  const [, scheme = from.protocol, authority] = /^([a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(location) ?? [];
  const relative = !/^[a-z][a-z0-9+.-]*:|^[/\\]{2}/i.test(location);
  if (authority === undefined) return relative ? to.href : location;
  return `${scheme}//${authority}${to.pathname}${to.search}${to.hash}`;
}

const refused = (reason: string): FetchResult => ({ ok: false, refused: true, reason });

function trouble(error: unknown, { signal, timeoutMs }: FetchRequest, whole: AbortSignal): string {
  if (signal.aborted) return 'The request was stopped.';
  if (whole.aborted) return `There was no whole answer within ${timeoutMs / 1000} s.`;
  return `The request failed: ${wordsOf(error)}.`;
}

/** Several addresses fail as one error without words of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  return (toErrorMessage(error) || 'the connection broke').replace(/\.$/, '');
}
