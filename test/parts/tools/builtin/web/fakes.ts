import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../../../../src/base/json-types.ts';

/** The key every fake accepts. */
export const KEY = 'right-key';

export interface Asked {
  readonly path: string;
  readonly body: Record<string, Json>;
}
interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Where the key stands; none for those without. */
  readonly header?: string;
  readonly prefix?: string;
  readonly answer: (body: Record<string, Json>, query: URLSearchParams) => Reply;
}
type Reply = readonly [status: number, body: Json];

/** Results there are for every question but `nothing`. */
const WORLD = 45;
const rows = (query: string, from: number, count: number): number[] =>
  query === 'nothing' ? [] : Array.from({ length: Math.max(0, Math.min(count, WORLD - from)) }, (_, index) => from + index + 1);
const urlOf = (row: number): string => `https://site${row}.example/page`;
const words = (row: number, query: string): string => `About ${query}, number ${row}.`;
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number => (typeof value === 'number' ? value : Number(value ?? 0));
const firstUrl = (body: Record<string, Json>): string => (Array.isArray(body['urls']) ? text(body['urls'][0]) : '');
const isGone = (url: string): boolean => url.includes('gone');

/** The wires of the search services as their public documentation has them. One server speaks all of them. */
const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/exa/search',
    header: 'x-api-key',
    answer: ({ query, numResults }) => [
      200,
      {
        requestId: 'r1',
        resolvedSearchType: 'neural',
        results: rows(text(query), 0, number(numResults ?? 10)).map((row) => ({
          id: urlOf(row),
          title: `Exa ${row}`,
          url: urlOf(row),
          publishedDate: '2026-01-01T00:00:00.000Z',
          author: null,
          highlights: [words(row, text(query)), 'Another part.'],
          highlightScores: [0.5, 0.4],
        })),
        costDollars: { total: 0.005 },
      },
    ],
  },
  {
    method: 'POST',
    path: '/exa/contents',
    header: 'x-api-key',
    answer: (body) => {
      const url = firstUrl(body);
      const status = isGone(url)
        ? { id: url, status: 'error', error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 } }
        : { id: url, status: 'success', source: 'crawled' };
      const results = isGone(url) ? [] : [{ id: url, url, title: 'Exa page', author: null, text: `Exa read ${url}` }];
      return [200, { requestId: 'r2', results, statuses: [status], costDollars: { total: 0.001 } }];
    },
  },
  {
    method: 'POST',
    path: '/tavily/search',
    header: 'authorization',
    prefix: 'Bearer ',
    answer: ({ query, max_results: max }) => [
      200,
      {
        query: query ?? '',
        answer: null,
        images: [],
        results: rows(text(query), 0, Math.min(20, number(max ?? 5))).map((row) => ({
          title: `Tavily ${row}`,
          url: urlOf(row),
          content: words(row, text(query)),
          score: 0.9,
          raw_content: null,
        })),
        response_time: 1.2,
        request_id: 't1',
      },
    ],
  },
  {
    method: 'POST',
    path: '/tavily/extract',
    header: 'authorization',
    prefix: 'Bearer ',
    answer: (body) => {
      const url = firstUrl(body);
      const results = isGone(url) ? [] : [{ url, title: 'Tavily page', raw_content: `Tavily read ${url}`, images: [] }];
      const failed = isGone(url) ? [{ url, error: 'Failed to fetch url' }] : [];
      return [200, { results, failed_results: failed, response_time: 0.1, request_id: 't2' }];
    },
  },
  {
    method: 'POST',
    path: '/firecrawl/v2/search',
    header: 'authorization',
    prefix: 'Bearer ',
    answer: ({ query, limit }) => [
      200,
      {
        success: true,
        id: 'f1',
        creditsUsed: 2,
        data: {
          web: rows(text(query), 0, number(limit ?? 5)).map((row) => ({
            url: urlOf(row),
            title: `Firecrawl ${row}`,
            description: words(row, text(query)),
            position: row,
          })),
        },
      },
    ],
  },
  {
    method: 'POST',
    path: '/firecrawl/v2/scrape',
    header: 'authorization',
    prefix: 'Bearer ',
    answer: ({ url }) => {
      const metadata = { sourceURL: url ?? '', statusCode: isGone(text(url)) ? 404 : 200, title: 'Firecrawl page' };
      if (isGone(text(url))) return [200, { success: true, data: { markdown: '', metadata: { ...metadata, error: 'Not Found' } } }];
      return [200, { success: true, data: { markdown: `Firecrawl read ${text(url)}`, metadata } }];
    },
  },
  {
    method: 'POST',
    path: '/parallel/v1/search',
    header: 'x-api-key',
    answer: ({ search_queries: queries, advanced_settings: advanced }) => {
      const query = Array.isArray(queries) ? text(queries[0]) : '';
      const most = (advanced as Record<string, Json> | undefined)?.['max_results'];
      const results = rows(query, 0, number(most ?? 10)).map((row) => ({
        url: urlOf(row),
        title: `Parallel ${row}`,
        publish_date: null,
        excerpts: [words(row, query)],
      }));
      return [200, { search_id: 'search_1', session_id: 's', results, warnings: null, usage: [{ name: 'sku_search', count: 1 }] }];
    },
  },
  {
    method: 'POST',
    path: '/parallel/v1/extract',
    header: 'x-api-key',
    answer: (body) => {
      const url = firstUrl(body);
      const results = isGone(url)
        ? []
        : [{ url, title: 'Parallel page', publish_date: null, excerpts: ['an excerpt'], full_content: `Parallel read ${url}` }];
      const errors = isGone(url) ? [{ url, error_type: 'fetch_error', http_status_code: 404, content: null }] : [];
      return [200, { extract_id: 'extract_1', session_id: 's', results, errors, warnings: null, usage: [] }];
    },
  },
  {
    method: 'GET',
    path: '/brave/res/v1/web/search',
    header: 'x-subscription-token',
    answer: (_, query) => {
      const [count, offset] = [number(query.get('count') ?? '20'), number(query.get('offset') ?? '0')];
      if (count > 20 || offset > 9) return [422, { type: 'ErrorResponse', error: { code: 'VALIDATION', status: 422 } }];
      const found = rows(query.get('q') ?? '', offset * count, count);
      const results = found.map((row) => ({
        type: 'search_result',
        title: `Brave ${row}`,
        url: urlOf(row),
        description: words(row, query.get('q') ?? ''),
      }));
      const head = { type: 'search', query: { original: query.get('q') ?? '', more_results_available: false } };
      return [200, found.length === 0 ? head : { ...head, web: { type: 'search', results } }];
    },
  },
  {
    method: 'GET',
    path: '/searxng/search',
    answer: (_, query) => {
      if (query.get('format') !== 'json') return [403, 'Forbidden'];
      const found = rows(query.get('q') ?? '', (number(query.get('pageno') ?? '1') - 1) * 10, 10);
      const results = found.map((row) => ({
        url: urlOf(row),
        title: `SearXNG ${row}`,
        content: words(row, query.get('q') ?? ''),
        engine: 'brave',
        engines: ['brave'],
        score: 1,
        category: 'general',
      }));
      return [
        200,
        { query: query.get('q') ?? '', number_of_results: WORLD, results, answers: [], suggestions: [], unresponsive_engines: [] },
      ];
    },
  },
];

/** All services on one loopback port, each below its name. A service named in `broken` answers with that status. */
export async function startFakes() {
  const asked: Asked[] = [];
  const broken = new Map<string, Reply>();
  const server = createServer((request, response) => void serve(request, response, asked, broken));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['exa', 'tavily', 'firecrawl', 'parallel', 'brave', 'searxng'];
  return {
    asked,
    broken,
    bases: Object.fromEntries(names.map((name) => [name, `${base}/${name}`])) as Readonly<Record<string, string>>,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked[],
  broken: ReadonlyMap<string, Reply>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString();
  const body = (raw === '' ? {} : JSON.parse(raw)) as Record<string, Json>;
  const url = new URL(request.url ?? '', 'http://fake');
  asked.push({ path: `${url.pathname}${url.search}`, body });
  const [status, answer] = broken.get(url.pathname.split('/')[1] ?? '') ?? replyTo(request, url, body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

function replyTo(request: IncomingMessage, url: URL, body: Record<string, Json>): Reply {
  const route = ROUTES.find(({ method, path }) => method === request.method && path === url.pathname);
  if (route === undefined) return [404, { error: `no route for ${request.method ?? ''} ${url.pathname}` }];
  if (route.header !== undefined && request.headers[route.header] !== `${route.prefix ?? ''}${KEY}`)
    return [401, { error: 'Invalid API key' }];
  if (route.method === 'POST' && !(request.headers['content-type'] ?? '').startsWith('application/json'))
    return [415, { error: 'not JSON' }];
  return route.answer(body, url.searchParams);
}
