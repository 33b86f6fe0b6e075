import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { HttpRequestHead } from './contract.ts';

const NEAR = ['localhost', '127.0.0.1', '[::1]'];
/** Two of one of these are two opinions about one request. */
const SINGLE: ReadonlySet<string> = new Set(['host', 'origin', 'authorization', 'content-type', 'content-length', 'transfer-encoding']);
/** What a proxy in front may have read as another path than we do. */
const AMBIGUOUS = /%(?:00|2e|2f|5c)/i;

/** The head of a request; nothing when it can be read in two ways. */
export function readHead(request: IncomingMessage): HttpRequestHead | undefined {
  const target = request.url ?? '';
  const [path = ''] = target.split('?', 1);
  const url = target.startsWith('/') ? URL.parse(target, 'http://server') : null;
  if (url === null || url.pathname !== path || AMBIGUOUS.test(path) || hasTwice(request.rawHeaders)) return undefined;
  return { method: request.method ?? 'GET', path, query: url.searchParams, headers: flatten(request) };
}

function hasTwice(rawHeaders: readonly string[]): boolean {
  const single = rawHeaders
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => SINGLE.has(name));
  return new Set(single).size < single.length;
}

const flatten = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );

export interface OwnNames {
  readonly host: string;
  readonly names: readonly string[];
  /** The address a connection came to. */
  readonly address: string | undefined;
}

/**
 * Whether a `Host` header means us. A page in somebody's browser can have a name of its own lead here, and would then count as
 * a page of ours; an address cannot be made to lead elsewhere.
 */
export function isOwnName(header: string | undefined, { host, names, address = '' }: OwnNames): boolean {
  const name = header?.toLowerCase().replace(/:\d+$/, '');
  const own = [host, address.replace(/^::ffff:/, '')].map((each) => (isIP(each) === 6 ? `[${each}]` : each));
  return name !== undefined && [...NEAR, ...own, ...names].some((each) => each.toLowerCase() === name);
}

/** Whether a page may call us: one of our own, or of an origin that was named. Programs name no origin. */
export const isAllowedOrigin = ({ origin, host }: Readonly<Record<string, string>>, allowed: readonly string[]): boolean =>
  origin === undefined || URL.parse(origin)?.host === host || allowed.some((each) => each === '*' || each === origin);

/** What the browser of a page on another origin needs to hear before it lets the page read an answer. */
export const describeOrigin = (
  { origin, host }: Readonly<Record<string, string>>,
  exposed: readonly string[],
): Readonly<Record<string, string>> =>
  origin === undefined || URL.parse(origin)?.host === host
    ? {}
    : {
        'access-control-allow-origin': origin,
        vary: 'Origin',
        ...(exposed.length > 0 && { 'access-control-expose-headers': exposed.join(', ') }),
      };

/** The question of a browser whether a page may send a request. */
export const isPreflight = ({ method, headers }: HttpRequestHead): boolean =>
  method === 'OPTIONS' && headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined;

export const describePreflight = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-max-age': '600',
  ...(headers['access-control-request-headers'] !== undefined && {
    'access-control-allow-headers': headers['access-control-request-headers'],
  }),
});
