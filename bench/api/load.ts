import { Agent, request } from 'node:http';
import { quantile } from '../statistics.ts';
import { KEY } from './scene.ts';

/** What was measured of many requests. */
export interface Load {
  readonly perRequestMs: number;
  readonly p95Ms: number;
}
export interface LoadOptions {
  readonly port: number;
  readonly requests: number;
  readonly atOnce: number;
  readonly body: (index: number) => object;
}

/** Asks so often, so many at a time, over connections that are kept. */
export async function measureLoad({ port, requests, atOnce, body }: LoadOptions): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const waiting = Array.from({ length: requests }, (_, index) => index).values();
  const times: number[] = [];
  const start = performance.now();
  const askNext = async (): Promise<void> => {
    for (const index of waiting) {
      const begun = performance.now();
      const { status, text } = await post(port, body(index), agent);
      if (status !== 200) throw new Error(`${status}: ${text}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
  agent.destroy();
  return { perRequestMs: (performance.now() - start) / requests, p95Ms: quantile(times, 0.95) };
}

/** One request; hears of every piece as it comes. */
export function post(
  port: number,
  body: object,
  agent?: Agent,
  onPiece?: (text: string) => void,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return new Promise((done, fail) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', headers, ...(agent && { agent }) },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          onPiece?.(chunk);
        });
        response.once('end', () => done({ status: response.statusCode ?? 0, text })).once('error', fail);
      },
    );
    sent.once('error', fail).end(JSON.stringify(body));
  });
}
