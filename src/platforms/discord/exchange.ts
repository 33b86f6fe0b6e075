import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { DownloadResult, OutboundMedia } from '../../contracts/platform-adapter.ts';

export interface DownloadTarget {
  readonly path: string;
  readonly maxBytes: number;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Why a call was given up when its time was up. */
export const LATE = new Error('no answer in time');

/** A signal that ends with another, or when the time is up; nothing of it is left when the work is done. */
export function startDeadline(parent: AbortSignal, ms: number): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const onAbort = () => stop.abort(parent.reason);
  const timer = setTimeout(() => stop.abort(LATE), ms);
  parent.addEventListener('abort', onAbort, { once: true });
  if (parent.aborted) onAbort();
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', onAbort);
    },
  };
}

/** One request; knows whether it ever reached anybody. */
export class RestExchange {
  readonly request: http.ClientRequest;
  readonly response: Promise<http.IncomingMessage>;
  #isConnected = false;

  constructor(request: http.ClientRequest) {
    this.request = request;
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    this.response = promise;
    // Whoever sends hears of it too; nobody need listen here.
    promise.catch(() => undefined);
    request.once('response', resolve).on('error', reject);
    request.once('socket', (socket) => {
      this.#isConnected = !socket.connecting;
      // A connection that is used again has nothing more to tell.
      if (this.#isConnected) return;
      socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    });
  }

  wasConnected(): boolean {
    return this.#isConnected;
  }

  async sendJson(body: Json | undefined): Promise<void> {
    const text = body === undefined ? '' : JSON.stringify(body);
    if (body !== undefined) this.request.setHeader('content-type', 'application/json');
    this.request.setHeader('content-length', Buffer.byteLength(text));
    this.request.end(text);
    await this.response;
  }

  async sendFile(body: Json | undefined, file: OutboundMedia): Promise<void> {
    await using handle = await open(file.path);
    const { size } = await handle.stat();
    const boundary = `hermes-${randomUUID()}`;
    const attachments = [{ id: 0, filename: file.name }];
    const payload: JsonObject = { ...(isObject(body) ? body : {}), attachments };
    const head = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\ncontent-type: application/json\r\n\r\n` +
        `${JSON.stringify(payload)}\r\n--${boundary}\r\ncontent-disposition: form-data; name="files[0]"; ` +
        `filename="${quoteName(file.name)}"\r\ncontent-type: ${file.mime.replaceAll(/[\r\n]/g, '')}\r\n\r\n`,
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.request.setHeader('content-type', `multipart/form-data; boundary=${boundary}`);
    this.request.setHeader('content-length', head.length + size + tail.length);
    const parts = async function* (): AsyncGenerator<Uint8Array, void> {
      yield head;
      for await (const chunk of handle.createReadStream({ autoClose: false })) yield chunk;
      yield tail;
    };
    // A refusal may come before all is sent; then the answer counts, not the end of the sending.
    await Promise.race([this.response, pipeline(Readable.from(parts()), this.request)]);
    await this.response;
  }
}

const quoteName = (name: string): string => name.replaceAll(/[\r\n]/g, ' ').replaceAll('"', '%22');

export async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function saveBody(response: http.IncomingMessage, to: DownloadTarget): Promise<DownloadResult> {
  await using handle = await open(to.path, 'w');
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > to.maxBytes) {
      response.destroy();
      return { type: 'too_large' };
    }
    await handle.writeFile(chunk);
  }
  const mime = response.headers['content-type'];
  return { type: 'done', bytes, ...(mime !== undefined && { mime }) };
}
