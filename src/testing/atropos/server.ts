import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parseJson } from '../../base/json.ts';
import { closeServer, listenLocally, originOf } from '../loopback/local-server.ts';
import { emptyState, ROUTES, type AtroposRouteAnswer } from './routes.ts';

/** The part of an Atropos API that environments and trainers meet, without minimums in batches. All of it is memory, as there. */
export interface AtroposApi extends AsyncDisposable {
  readonly url: string;
  /** As if its process had been restarted: everything it had is gone. */
  restart(): void;
  /** Takes the next so many groups and hangs up without an answer. */
  withholdAnswers(count: number): void;
}

export async function startAtroposApi(): Promise<AtroposApi> {
  let state = emptyState();
  let withheld = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.concat(await request.toArray());
    const path = request.url ?? '/';
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const text = isZipped ? unzip(bytes) : bytes.toString('utf8');
    if (text === undefined) return end(response, { status: 400, body: 'Invalid gzip payload' });
    const route = ROUTES[`${request.method} ${path}`];
    if (route === undefined) return end(response, { status: 405, body: { detail: 'Method Not Allowed' } });
    const answer = route(state, text === '' ? undefined : parseJson(text));
    if (path !== '/scored_data' || withheld === 0) return end(response, answer);
    withheld--;
    request.socket.destroy();
  };
  const server = createServer((request, response) => void serve(request, response));
  await listenLocally(server);
  return {
    url: originOf(server),
    restart: () => void (state = emptyState()),
    withholdAnswers: (count) => void (withheld = count),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function end(response: ServerResponse, { status = 200, body }: AtroposRouteAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}

function unzip(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    return undefined;
  }
}
