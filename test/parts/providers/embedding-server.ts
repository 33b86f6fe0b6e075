import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly input: readonly string[];
}
export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
  /** What it answers with from now on instead of vectors. */
  fail(status: number, body: string): void;
}

/** What a text is about, by words of several languages: enough of a meaning for a test. */
const SUBJECTS = [
  /python|interpreter|版本/i,
  /refund|money back|erstatt/i,
  /frankfurt|city|stadt/i,
  /printer|label|sticker/i,
  /backup|sicherung|archive/i,
  /colour|color|#\w{6}/i,
];
const vectorOf = (text: string): number[] => [...SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0)), 0.1];

/** A server with the `/embeddings` of OpenAI on this machine. Its rows come in the wrong order, as they may. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  let failure: { readonly status: number; readonly body: string } | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { model, input } = JSON.parse(body) as Pick<Asked, 'model' | 'input'>;
      asked.push({ path: request.url ?? '', headers: request.headers, model, input });
      response.setHeader('content-type', 'application/json');
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).toReversed();
      if (failure === undefined)
        response.end(JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } }));
      else response.writeHead(failure.status).end(failure.body);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    fail: (status, body) => (failure = { status, body }),
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
