import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { WireProtocol } from '../../src/testing/wire-server/index.ts';

/** What a bare HTTP client saw. `stalled`: nothing came for the whole of its patience, and it hung up. */
export interface Seen {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly ending: 'complete' | 'cut' | 'stalled';
}

export interface Wire {
  readonly protocol: WireProtocol;
  readonly path: string;
  readonly question: Readonly<Record<string, unknown>>;
}

const offered = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
const said = [{ role: 'user', content: 'Hi' }];

/** The same question in the words of each wire, with one tool called `look` on offer. */
export const wires: readonly Wire[] = [
  {
    protocol: 'openai-chat',
    path: '/v1/chat/completions',
    question: { model: 'm', messages: said, tools: [{ type: 'function', function: offered }] },
  },
  {
    protocol: 'anthropic-messages',
    path: '/v1/messages',
    question: { model: 'm', max_tokens: 100, messages: said, tools: [{ name: 'look', input_schema: { type: 'object' } }] },
  },
  { protocol: 'openai-responses', path: '/v1/responses', question: { model: 'm', input: 'Hi', tools: [{ type: 'function', ...offered }] } },
];

/** Two clocks, so that a busy machine is not taken for a stall: one until the headers, one between the bytes after them. */
export interface Patience {
  readonly headersMs?: number;
  readonly idleMs?: number;
}

export function post(url: string, body: unknown, { headersMs = 5000, idleMs = 5000 }: Patience = {}): Promise<Seen> {
  const { promise, resolve } = Promise.withResolvers<Seen>();
  const chunks: Buffer[] = [];
  let response: IncomingMessage | undefined;
  const settle = (ending: Seen['ending']): void => {
    clearTimeout(timer);
    resolve({ status: response?.statusCode ?? null, headers: response?.headers ?? {}, text: Buffer.concat(chunks).toString(), ending });
    outgoing.destroy();
  };
  let timer = setTimeout(settle, headersMs, 'stalled' as const);
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(settle, idleMs, 'stalled' as const);
  };
  const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false }, (incoming) => {
    response = incoming;
    wait();
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      wait();
    });
    incoming.once('end', () => settle('complete')).once('error', () => settle('cut'));
  });
  outgoing.once('error', () => settle('cut'));
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  return promise;
}

/** Event names and parsed data of a stream; data that is not JSON stays the string it is. */
export function framesOf(text: string): readonly { readonly event: string | null; readonly data: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => ({ event: /^event: (.*)$/mu.exec(block)?.[1] ?? null, data: parsed(/^data: (.*)$/mu.exec(block)?.[1] ?? '') }));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
