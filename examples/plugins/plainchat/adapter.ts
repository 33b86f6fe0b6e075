import { readFile } from 'node:fs/promises';
import type { AccountSettings, ConnectionEnd, EventBatch, InboundMessage, PlatformAdapter, SendResult } from 'hermes-ts/plugin';

/** A message as the server tells it. */
interface Told {
  readonly id: number;
  readonly chat: string;
  readonly sender: string;
  readonly text: string;
  readonly at: number;
}
interface Page {
  readonly name: string;
  /** The newest message there is. */
  readonly last: number;
  readonly messages: readonly Told[];
}
const SCOPE = 'messages';
/** How long the server keeps a question open when nothing is new. */
const WAIT_S = 20;

/** Two routes: `GET /messages?after=ID&wait=S` and `POST /messages`. */
export function openPlainchat({ secrets, extra }: AccountSettings, render: (markdown: string) => string): PlatformAdapter {
  const url = new URL('/messages', typeof extra['url'] === 'string' ? extra['url'] : undefined);
  const headers = { authorization: `Bearer ${secrets['token'] ?? ''}`, 'content-type': 'application/json' };
  const ask = async (after: string, wait: number, signal: AbortSignal): Promise<Page | ConnectionEnd> => {
    try {
      const response = await fetch(`${url.href}?after=${after}&wait=${wait}`, { headers, signal });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the server is described
      if (response.ok) return (await response.json()) as Page;
      return { kind: response.status === 401 ? 'refused' : 'broken', why: `the server answered ${response.status}` };
    } catch (error) {
      return signal.aborted ? { kind: 'closed', why: 'closed' } : { kind: 'broken', why: `the server cannot be reached: ${String(error)}` };
    }
  };
  return {
    connect: async ({ cursors, signal: outer }) => {
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, outer]);
      const ended = Promise.withResolvers<ConnectionEnd>();
      let after = cursors.find(({ scope }) => scope === SCOPE)?.value;
      // The very first start begins with now.
      const first = await ask(after ?? 'latest', 0, signal);
      if ('kind' in first) return { type: 'failed', ...first };
      after ??= String(first.last);
      let heardAt = performance.now();
      // Asked at once: a connection hears before anybody reads it.
      let asked = ask(after, WAIT_S, signal);
      async function* listen(from: string): AsyncGenerator<EventBatch, void> {
        for (let position = from; !signal.aborted; asked = ask(position, WAIT_S, signal)) {
          const page = await asked;
          if ('kind' in page) return ended.resolve(page);
          heardAt = performance.now();
          // What is given is committed when the next is asked for: only then the server hears of a later position.
          if (page.messages.length > 0) yield page.messages.map(toEvent);
          position = String(page.messages.at(-1)?.id ?? position);
        }
        ended.resolve({ kind: 'closed', why: 'closed' });
      }
      const events = listen(after);
      return {
        type: 'connected',
        connection: {
          account: { id: 'plainchat', name: first.name },
          // A question after the cursor brings what was missed.
          catchUp: async function* () {},
          events: () => events,
          progress: () => heardAt,
          ended: ended.promise,
          [Symbol.asyncDispose]: async () => {
            stop.abort();
            ended.resolve({ kind: 'closed', why: 'closed' });
          },
        },
      };
    },
    send: async ({ chatId: chat, key, content }, signal): Promise<SendResult> => {
      const markdown = content.type === 'media' ? (content.caption ?? '') : content.markdown;
      const file =
        content.type === 'media'
          ? { name: content.media.name, base64: (await readFile(content.media.path)).toString('base64') }
          : undefined;
      try {
        const body = JSON.stringify({ chat, key, text: render(markdown), file });
        const response = await fetch(url, { method: 'POST', headers, body, signal });
        return await readAnswer(response);
      } catch (error) {
        return { type: 'unknown', why: String(error) };
      }
    },
    download: async () => ({ type: 'failed', why: 'nobody can send files there', retry: false }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function readAnswer(response: Response): Promise<SendResult> {
  const { status } = response;
  if (response.ok) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the server is described
    const { id } = (await response.json()) as { readonly id: number };
    return { type: 'sent', messageId: String(id) };
  }
  if (status === 429) return { type: 'limited', retryAfterMs: Number(response.headers.get('retry-after')) * 1_000, scope: 'account' };
  if (status === 404) return { type: 'dead', why: 'the chat is gone' };
  return status >= 500
    ? { type: 'not_sent', why: `the server answered ${status}` }
    : { type: 'refused', why: `the server answered ${status}` };
}

const toEvent = ({ id, chat, sender, text, at }: Told): InboundMessage => ({
  type: 'message',
  key: `message ${id}`,
  messageId: String(id),
  chat: { type: 'private', chatId: chat },
  sender: { id: sender, isBot: false },
  sentAt: at,
  cursor: { scope: SCOPE, value: String(id) },
  text,
  isAddressed: true,
  media: [],
});
