import { toErrorMessage } from '../errors.ts';
import { runWithTimeout } from '../waits.ts';
import { describeOrigin, describePreflight, isAllowedOrigin, isOwnName, isPreflight, readHead } from './checks.ts';
import { readBody } from './body.ts';
import type { HttpAnswer, HttpRefusal, HttpRequestHead, HttpRoute, HttpTimes } from './contract.ts';
import type { ServerExchange } from './server.ts';
import { writeAnswer } from './write.ts';

export interface HandleDeps {
  readonly host: string;
  readonly names: readonly string[];
  readonly routes: ReadonlyMap<string, HttpRoute>;
  readonly times: HttpTimes;
  readonly isClosing: () => boolean;
  readonly log: (words: string) => void;
}

/** Finds the answer to one request, and writes it. */
export async function handleRequest(exchange: ServerExchange, deps: HandleDeps): Promise<void> {
  const { request, response } = exchange;
  const gone = new AbortController();
  response.on('error', () => {}).once('close', () => gone.abort());
  const tell = (error: unknown) => deps.log(`A request from outside could not be answered: ${toErrorMessage(error)}`);
  try {
    const head = readHead(request);
    const route = head && findRoute(head.path, deps.routes);
    const answer = await findAnswer(exchange, head, route, { ...deps, tell, gone });
    await writeAnswer(exchange, answer, {
      shared: head && route ? shareWith(head.headers, route) : {},
      stallMs: deps.times.stallMs,
      isLast: deps.isClosing(),
    });
  } catch (error) {
    // A client that hangs up is no trouble of ours.
    if (error !== request.errored) tell(error);
    response.destroy();
  }
}

const shareWith = (headers: HttpRequestHead['headers'], { origins = [], exposed = [] }: HttpRoute) =>
  isAllowedOrigin(headers, origins) ? describeOrigin(headers, exposed) : {};

interface FindAnswerDeps extends HandleDeps {
  readonly tell: (error: unknown) => void;
  readonly gone: AbortController;
}

async function findAnswer(
  exchange: ServerExchange,
  head: HttpRequestHead | undefined,
  route: HttpRoute | undefined,
  deps: FindAnswerDeps,
): Promise<HttpAnswer> {
  const refuse = (status: number, reason: HttpRefusal['reason']): HttpAnswer => route?.refuse?.({ status, reason }) ?? { status };
  if (deps.isClosing()) return refuse(503, 'closing');
  if (head === undefined) return { status: 400 };
  const address = exchange.request.socket.localAddress;
  if (!isOwnName(head.headers['host'], { host: deps.host, names: [...deps.names, ...(route?.names ?? [])], address }))
    return refuse(421, 'foreign_name');
  if (route === undefined) return { status: 404 };
  if (!isAllowedOrigin(head.headers, route.origins ?? [])) return refuse(403, 'foreign_origin');
  if (isPreflight(head)) return { status: 204, headers: describePreflight(head.headers) };
  const refused = route.check?.(head);
  if (refused !== undefined) return refused;
  const body = await readBody(exchange, route.maxBytes);
  if (body === undefined) return refuse(413, 'too_large');
  return await askRoute(route, { ...head, body }, deps).catch((error: unknown) => {
    deps.tell(error);
    return refuse(500, 'failed');
  });
}

async function askRoute(route: HttpRoute, asked: HttpRequestHead & { body: Buffer }, { gone, times }: FindAnswerDeps): Promise<HttpAnswer> {
  const { answerMs = times.answerMs } = route;
  const ask = () => route.answer({ ...asked, signal: gone.signal });
  if (answerMs === Infinity) return await ask();
  return await runWithTimeout(ask, answerMs, new Error(`${route.path} did not answer in ${answerMs / 1_000} s.`));
}

/** The longest path that leads there. */
const findRoute = (path: string, routes: ReadonlyMap<string, HttpRoute>): HttpRoute | undefined =>
  [...routes.values()]
    .filter((route) => path === route.path || path.startsWith(route.path.endsWith('/') ? route.path : `${route.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
