import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformFault } from '../../src/testing/conformance/platform-scene.ts';
import { closeServer, listenLocally } from '../../src/testing/loopback/local-server.ts';

export const TOKEN = 'plain-token';
interface Kept {
  readonly id: number;
  readonly chat: string;
  readonly sender: string;
  readonly text: string;
  readonly at: number;
}
interface Sent {
  readonly id: number;
  readonly chat: string;
  readonly key: string;
  readonly text: string;
  readonly file?: { readonly name: string; readonly base64: string };
}
/** The chat server that the example speaks to, with people and faults. */
export interface PlainchatServer extends AsyncDisposable {
  readonly url: string;
  readonly sent: Sent[];
  say(chat: string, text: string): number;
  /** Questions for news that are open. */
  waiting(): number;
  fault(fault: PlatformFault): void;
  mend(): void;
}

export async function startPlainchat(): Promise<PlainchatServer> {
  const kept: Kept[] = [];
  const sent: Sent[] = [];
  const waiting = new Set<ServerResponse>();
  let fault: PlatformFault | undefined;
  const answer = (response: ServerResponse, status: number, body: object = {}, headers: Record<string, string> = {}): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const tellNews = async (after: string, waitS: number, response: ServerResponse): Promise<void> => {
    const last = kept.length;
    if (after === 'latest') return answer(response, 200, { name: 'Bot', last, messages: [] });
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
    const end = performance.now() + waitS * 1_000;
    const news = () => (fault?.type === 'deaf' ? [] : kept.filter(({ id }) => id > Number(after)));
    while (news().length === 0 && performance.now() < end && !response.destroyed) await sleep(5);
    if (!response.destroyed && fault?.type !== 'deaf') answer(response, 200, { name: 'Bot', last, messages: news() });
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message: Omit<Sent, 'id'> = JSON.parse(await text(request));
    if (fault?.type === 'limit') return answer(response, 429, {}, { 'retry-after': String(fault.retryAfterMs / 1_000) });
    if (fault?.type === 'dead') return answer(response, 404);
    const known = sent.find(({ key }) => key === message.key) ?? { id: sent.length + 1, ...message };
    if (!sent.includes(known)) sent.push(known);
    if (fault?.type !== 'withhold_answer') answer(response, 200, { id: known.id });
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://plainchat');
    if (fault?.type === 'unreachable') return void request.destroy();
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(response, 401);
    void (request.method === 'POST'
      ? take(request, response)
      : tellNews(url.searchParams.get('after') ?? '0', Number(url.searchParams.get('wait')), response));
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    say: (chat, words) => kept.push({ id: kept.length + 1, chat, sender: 'ann', text: words, at: Date.now() }),
    waiting: () => waiting.size,
    fault: (next) => {
      fault = next.type === 'drop' ? undefined : next;
      if (next.type === 'drop') for (const response of waiting) response.destroy();
    },
    mend: () => (fault = undefined),
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.all([...waiting].map((response) => once(response, 'close')));
      await closeServer(server);
      await closed;
    },
  };
}
