import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../../../../src/base/json-types.ts';

/** The key every fake accepts. */
export const KEY = 'right-key-0123456789';
/** One blue pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);
/** What a fake says: its text as bytes, so that a test can see which parts were spoken in which order. */
const spoken = (words: Json | undefined): Buffer => Buffer.from(`<${typeof words === 'string' ? words : ''}>`);

export interface Asked {
  readonly path: string;
  readonly body: Record<string, Json>;
}
interface Route {
  readonly header: string;
  readonly prefix?: string;
  readonly answer: (body: Record<string, Json>, base: string) => Buffer | Json;
}
const bearer = { header: 'authorization', prefix: 'Bearer ' };
const google = { header: 'x-goog-api-key' };
const b64 = PNG.toString('base64');

/** The wires of the services as their public documentation has them. One server speaks all of them. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/openai/v1/images/generations': {
    ...bearer,
    answer: () => ({
      created: 1,
      data: [{ b64_json: b64 }],
      size: '1024x1024',
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    }),
  },
  '/xai/images/generations': { ...bearer, answer: () => ({ data: [{ b64_json: b64, revised_prompt: 'x' }] }) },
  '/fal/fal-ai/flux/dev': {
    header: 'authorization',
    prefix: 'Key ',
    answer: (_body, base) => ({ images: [{ url: `${base}/picture.png`, width: 1, height: 1, content_type: 'image/png' }], seed: 1 }),
  },
  '/gemini/models/gemini-2.5-flash-image:generateContent': {
    ...google,
    answer: () => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: b64 } }] } }],
    }),
  },
  '/imagen/models/imagen-4.0-generate-001:predict': {
    ...google,
    answer: () => ({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: b64 }] }),
  },
  '/openrouter/chat/completions': {
    ...bearer,
    answer: () => ({
      choices: [
        {
          message: { role: 'assistant', content: '', images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${b64}` } }] },
        },
      ],
    }),
  },
  '/openai/v1/audio/speech': { ...bearer, answer: ({ input }) => spoken(input) },
  '/elevenlabs/text-to-speech/JBFqnCBsd6RMkjVDRZzb': { header: 'xi-api-key', answer: ({ text }) => spoken(text) },
  '/minimax/t2a_v2': {
    ...bearer,
    answer: ({ text }) =>
      text === 'refused'
        ? { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }
        : { data: { audio: spoken(text).toString('hex'), status: 2 }, base_resp: { status_code: 0, status_msg: 'success' } },
  },
  '/mistral/audio/speech': { ...bearer, answer: ({ input }) => ({ audio_data: spoken(input).toString('base64') }) },
  '/gemini/models/gemini-2.5-flash-preview-tts:generateContent': {
    ...google,
    answer: () => ({
      candidates: [
        {
          content: {
            parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: Buffer.from('PCMPCM').toString('base64') } }],
          },
        },
      ],
    }),
  },
  '/xai/tts': { ...bearer, answer: ({ text }) => spoken(text) },
};

export interface Fakes {
  readonly base: string;
  readonly asked: readonly Asked[];
  /** What the next request is answered with instead. */
  fail(status: number, body: Json): void;
  close(): Promise<void>;
}

export async function startFakes(): Promise<Fakes> {
  const asked: Asked[] = [];
  let instead: readonly [number, Json] | undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '', 'http://fake');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { port } = server.address() as AddressInfo;
    const say = (status: number, body: Buffer | Json): void => {
      const bytes = Buffer.isBuffer(body);
      response.writeHead(status, { 'content-type': bytes ? 'application/octet-stream' : 'application/json' });
      response.end(bytes ? body : JSON.stringify(body));
    };
    if (pathname === '/picture.png') return say(200, PNG);
    const route = ROUTES[pathname];
    if (route === undefined) return say(404, { error: { message: `no such path ${pathname}` } });
    if (request.headers[route.header] !== `${route.prefix ?? ''}${KEY}`) return say(401, { error: { message: 'Incorrect API key' } });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, Json>;
    asked.push({ path: request.url ?? '', body });
    const [status, other] = instead ?? [];
    instead = undefined;
    say(status ?? 200, other ?? route.answer(body, `http://127.0.0.1:${port}`));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref());
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    fail: (status, body) => void (instead = [status, body]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
