import { connect } from 'node:net';
import type { HttpAnswer, HttpListeners, HttpListenersOptions, HttpRequest, HttpRoute } from '../../../src/base/http-server/contract.ts';
import { createHttpListeners } from '../../../src/base/http-server/listeners.ts';

/** Nobody waits for these, however busy the machine is; a test of one of them has `BRIEF`. */
const TIMES = { headersMs: 30_000, requestMs: 30_000, answerMs: 30_000, stallMs: 30_000, drainMs: 5_000 };
export const BRIEF = { times: { headersMs: 100, requestMs: 100, answerMs: 100, stallMs: 100 } };

export const open = (more: Partial<HttpListenersOptions> = {}): HttpListeners =>
  createHttpListeners({
    host: '127.0.0.1',
    port: 0,
    names: ['bot.example.org'],
    log: () => {},
    advice: 'Choose another.',
    times: TIMES,
    ...more,
  });

export const routeAt = (
  path: string,
  answer: (request: HttpRequest) => Promise<HttpAnswer> = async () => ({ status: 200, body: 'ok' }),
  more: Partial<HttpRoute> = {},
): HttpRoute => ({ path, maxBytes: 10, answer, ...more });

/** Sends bytes as they stand; gives everything that comes back until the other side closes, or until `enough` is in it. */
export async function sendRaw(port: number, bytes: string, enough?: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (enough !== undefined && text.includes(enough)) socket.destroy();
  });
  socket.write(bytes);
  await new Promise((done) => socket.once('close', done));
  return text;
}

export interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}
/** One request on a connection of its own: status line, headers and body as they came. */
export async function ask(port: number, { method = 'GET', path = '/ok', headers = [], body = '' }: AskOptions = {}) {
  const all = headers.some((line) => /^host:/i.test(line)) ? headers : ['Host: localhost', ...headers];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const text = await sendRaw(port, [`${method} ${path} HTTP/1.1`, ...all, ...length, 'Connection: close', '', body].join('\r\n'));
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)])),
    body: rest.join('\r\n\r\n'),
  };
}
