import { WebSocket } from 'ws';
import { waitAtMost } from '../../base/waits.ts';
import { parseJson, readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { ConnectionEnd } from '../../contracts/platform-adapter.ts';

/** One Socket Mode socket, after Slack's hello. */
export interface SlackSocket extends AsyncDisposable {
  /** How many sockets of the app Slack counts, this one among them. */
  readonly count: number;
  /** When something was last received. */
  progress(): number;
  acknowledge(envelopeId: string): void;
  readonly ended: Promise<ConnectionEnd>;
}
export interface SlackSocketDeps {
  readonly url: string;
  readonly pingMs: number;
  readonly signal: AbortSignal;
  readonly onEnvelope: (envelope: Json, acknowledge: (id: string) => void) => void;
}

const HELLO_MS = 20_000;
const CLOSE_MS = 1_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Why Slack ends a socket, by its reason. Anything else is the usual renewal. */
const REASONS: Readonly<Record<string, Pick<ConnectionEnd, 'kind' | 'why'>>> = {
  link_disabled: { kind: 'refused', why: 'Socket Mode is turned off for the Slack app. Turn it on in the app settings.' },
  too_many_websockets: { kind: 'busy', why: 'Slack counts too many connections of this app.' },
};

export async function openSocket(
  deps: SlackSocketDeps,
): Promise<{ readonly type: 'open'; readonly socket: SlackSocket } | ({ readonly type: 'failed' } & ConnectionEnd)> {
  const { url, pingMs, signal, onEnvelope } = deps;
  const link = new WebSocket(url, { handshakeTimeout: HELLO_MS, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const ended = Promise.withResolvers<ConnectionEnd>();
  const hello = Promise.withResolvers<number>();
  let last = performance.now();
  const received = () => (last = performance.now());
  link.on('error', (error) => ended.resolve({ kind: 'broken', why: `The connection to Slack failed: ${error.message}` }));
  link.on('close', (code) => ended.resolve({ kind: 'broken', why: `Slack closed the connection (${code}).` }));
  link.on('ping', received).on('pong', received);
  link.on('message', (data) => {
    received();
    const frame = Buffer.isBuffer(data) ? parseJson(data.toString('utf8')) : undefined;
    const type = readStringAt(frame, 'type');
    if (type === 'hello') hello.resolve(readNumberAt(frame, 'num_connections') ?? 1);
    else if (type === 'disconnect') endBy(readStringAt(frame, 'reason') ?? '');
    else if (frame !== undefined && readStringAt(frame, 'envelope_id') !== undefined) onEnvelope(frame, acknowledge);
  });
  const acknowledge = (id: string) => void (link.readyState === WebSocket.OPEN && link.send(JSON.stringify({ envelope_id: id })));
  const endBy = (reason: string) => {
    // A warning comes seconds before the end, which says itself when it is there.
    if (reason !== 'warning') ended.resolve(REASONS[reason] ?? { kind: 'broken', why: `Slack renews the connection (${reason}).` });
  };
  const onAbort = () => ended.resolve({ kind: 'closed', why: 'The connection was given up.' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const pings = setInterval(() => link.readyState === WebSocket.OPEN && link.ping(), pingMs);
  void ended.promise.then(() => {
    clearInterval(pings);
    signal.removeEventListener('abort', onAbort);
    return close(link);
  });
  const late = setTimeout(() => ended.resolve({ kind: 'broken', why: 'Slack did not say hello in time.' }), HELLO_MS);
  const first = await Promise.race([hello.promise, ended.promise]);
  clearTimeout(late);
  if (typeof first !== 'number') return { type: 'failed', ...first };
  return {
    type: 'open',
    socket: {
      count: first,
      progress: () => last,
      acknowledge,
      ended: ended.promise,
      [Symbol.asyncDispose]: async () => {
        ended.resolve({ kind: 'closed', why: 'The connection was closed.' });
        await close(link);
      },
    },
  };
}

/** With a word when Slack listens, without one when it does not. */
async function close(link: WebSocket): Promise<void> {
  if (link.readyState === WebSocket.CLOSED) return;
  const closed = new Promise<void>((resolve) => void link.once('close', () => resolve()));
  if (link.readyState === WebSocket.OPEN) link.close(1000);
  else if (link.readyState === WebSocket.CONNECTING) link.terminate();
  if (await waitAtMost(closed, CLOSE_MS)) return;
  link.terminate();
  await waitAtMost(closed, CLOSE_MS);
}
