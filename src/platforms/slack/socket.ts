import { WebSocket } from 'ws';
import { explainNetworkError } from '../../base/network-words.ts';
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

export type OpenSocketResult = { readonly type: 'open'; readonly socket: SlackSocket } | ({ readonly type: 'failed' } & ConnectionEnd);

export async function openSocket({ url, pingMs, signal, onEnvelope }: SlackSocketDeps): Promise<OpenSocketResult> {
  if (!/^wss?:$/.test(URL.parse(url)?.protocol ?? '')) return { type: 'failed', kind: 'broken', why: 'Slack gave no address of a socket.' };
  const link = new WebSocket(url, { handshakeTimeout: HELLO_MS, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const acknowledge = (id: string) => void (link.readyState === WebSocket.OPEN && link.send(JSON.stringify({ envelope_id: id })));
  const heard = listen(link, (envelope) => onEnvelope(envelope, acknowledge));
  const { ended, end } = heard;
  const onAbort = () => end({ kind: 'closed', why: 'The connection was given up.' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const pings = setInterval(() => link.readyState === WebSocket.OPEN && link.ping(), pingMs);
  const late = setTimeout(() => end({ kind: 'broken', why: 'Slack did not say hello in time.' }), HELLO_MS);
  void ended.then(() => {
    clearInterval(pings);
    signal.removeEventListener('abort', onAbort);
    return close(link);
  });
  const first = await Promise.race([heard.hello, ended]);
  clearTimeout(late);
  if (typeof first !== 'number') return { type: 'failed', ...first };
  const dispose = async () => {
    end({ kind: 'closed', why: 'The connection was closed.' });
    await close(link);
  };
  return { type: 'open', socket: { count: first, progress: heard.progress, acknowledge, ended, [Symbol.asyncDispose]: dispose } };
}

/** Reads what the socket brings. The first reason for its end is the one that counts. */
function listen(link: WebSocket, onEnvelope: (envelope: Json) => void) {
  const { promise: ended, resolve: end } = Promise.withResolvers<ConnectionEnd>();
  const { promise: hello, resolve: greet } = Promise.withResolvers<number>();
  let last = performance.now();
  const received = () => (last = performance.now());
  link.on('error', (error) => end({ kind: 'broken', why: `The connection to Slack failed: ${explainNetworkError(error)}` }));
  link.on('close', (code) => end({ kind: 'broken', why: `Slack closed the connection (${code}).` }));
  link.on('ping', received).on('pong', received);
  link.on('message', (data) => {
    received();
    const frame = Buffer.isBuffer(data) ? parseJson(data.toString('utf8')) : undefined;
    const [type, reason = ''] = [readStringAt(frame, 'type'), readStringAt(frame, 'reason')];
    if (type === 'hello') greet(readNumberAt(frame, 'num_connections') ?? 1);
    // A warning comes seconds before the end, which says itself when it is there.
    else if (type === 'disconnect' && reason !== 'warning')
      end(REASONS[reason] ?? { kind: 'broken', why: `Slack renews the connection (${reason}).` });
    else if (frame !== undefined && readStringAt(frame, 'envelope_id') !== undefined) onEnvelope(frame);
  });
  return { ended, end, hello, progress: () => last };
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
