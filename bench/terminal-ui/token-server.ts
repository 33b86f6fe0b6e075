/**
 * A model in a process of its own that writes at a fixed speed. What is asked decides the answer: `stream 15` writes prose for 15
 * seconds, 200 tokens each, `lines 1000` a thousand lines at once. Chat completions, which both hermes and pi speak.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { english, generator } from '../store-corpus.ts';
import { monotonic } from '../wire.ts';

const TOKENS_PER_SECOND = 200;
const random = generator(5);

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (data: string) => (body += data));
  request.on('end', () => void answer(body, response));
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));

async function answer(body: string, response: ServerResponse): Promise<void> {
  if (body === '') return void response.setHeader('content-type', 'application/json').end('{"object":"list","data":[{"id":"bench"}]}');
  const [, kind = 'lines', count = '1'] = [...body.matchAll(/\b(stream|lines) (\d+)/g)].at(-1) ?? [];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: 'b', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  await (kind === 'stream' ? writeProse(Number(count), send) : writeLines(Number(count), send, response));
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

type Send = (delta: object) => void;

/** As many tokens as are due by the clock, so that a busy machine gets the same speed. Every fifteenth ends a paragraph. */
async function writeProse(seconds: number, send: Send): Promise<void> {
  const begin = monotonic();
  for (let sent = 0; sent < seconds * TOKENS_PER_SECOND;) {
    await new Promise((next) => setTimeout(next, 1000 / TOKENS_PER_SECOND));
    const due = Math.min(seconds * TOKENS_PER_SECOND, ((monotonic() - begin) / 1000) * TOKENS_PER_SECOND);
    for (; sent < due; sent += 1) send({ content: sent % 150 === 149 ? '.\n\n' : `${english(random, 1)} ` });
  }
}

async function writeLines(count: number, send: Send, response: ServerResponse): Promise<void> {
  for (let line = 0; line < count; line += 100) {
    send({ content: Array.from({ length: Math.min(100, count - line) }, (_, index) => `- line ${line + index} of many\n`).join('') });
    if (response.writableNeedDrain) await new Promise((next) => response.once('drain', next));
  }
}
