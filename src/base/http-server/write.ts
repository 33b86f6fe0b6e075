import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { waitAtMost } from '../waits.ts';
import type { HttpAnswer } from './contract.ts';
import type { ServerExchange } from './server.ts';

export interface WriteAnswerOptions {
  /** Headers that every answer to this client has. */
  readonly shared: Readonly<Record<string, string>>;
  readonly stallMs: number;
  /** The connection is not used again. */
  readonly isLast: boolean;
}

const COMMON = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
/** How long a client that was refused may go on sending. Cut off at once, it would not get to read why. */
const LINGER_MS = 2_000;

export async function writeAnswer({ request, response }: ServerExchange, answer: HttpAnswer, options: WriteAnswerOptions): Promise<void> {
  const { status, headers = {}, body = '' } = answer;
  const isLast = options.isLast || !request.complete;
  const all = { ...COMMON, ...options.shared, ...headers, ...(isLast && { connection: 'close' }) };
  if (typeof body !== 'string') {
    response.writeHead(status, all);
    response.flushHeaders();
    return await writePieces(response, body, options.stallMs);
  }
  response.writeHead(status, { ...all, ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }) });
  if (request.complete) return void response.end(body);
  // With its end the connection is closed, and what the client still sends would take the answer away from it.
  response.flushHeaders();
  response.write(body);
  await discard(request);
  response.end();
}

/** As fast as the client reads. One that reads nothing for too long is cut off. */
async function writePieces(response: ServerResponse, pieces: AsyncIterable<string>, stallMs: number): Promise<void> {
  const closed = once(response, 'close');
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    if (!(await waitAtMost(Promise.race([once(response, 'drain'), closed]), stallMs))) return void response.destroy();
  }
  response.end();
}

async function discard(request: IncomingMessage): Promise<void> {
  const over = new Promise((done) => void request.on('error', done).once('end', done).once('close', done));
  request.resume();
  await waitAtMost(over, LINGER_MS);
}
