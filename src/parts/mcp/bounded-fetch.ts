import { readNumberAt, parseJson, readStringAt } from '../../base/json.ts';
import { MAX_BYTES } from './stdio.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface FetchRules {
  /** Only this server gets the owner's headers; the places a login leads to do not. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An answer's stream ended and cannot be taken up again: the request of this id may be without an answer. */
  lost(id: number): void;
}

/** Fetches for one server: its headers go to it alone, and one message has a size. */
export function createBoundedFetch({ url: own, headers, lost }: FetchRules): Fetch {
  const { origin } = new URL(own);
  return async (url, init = {}) => {
    const all = new Headers(init.headers);
    if (new URL(url).origin === origin) for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const response = await fetch(url, { ...init, headers: all });
    if (response.body === null) return response;
    const stream = (response.headers.get('content-type') ?? '').includes('text/event-stream');
    const id = stream && init.method === 'POST' ? requestId(init.body) : undefined;
    const body = ReadableStream.from(bounded(response.body, stream, (resumable) => id !== undefined && !resumable && lost(id)));
    const { status, statusText } = response;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it yields the chunks it was given
    return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, { status, statusText, headers: response.headers });
  };
}

/** Chunks as they come, until one message grows too large. Says at its end whether the stream can be taken up again. */
async function* bounded(body: AsyncIterable<Uint8Array>, stream: boolean, ended: (resumable: boolean) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let resumable = false;
  try {
    for await (const chunk of body) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      bytes = stream && text.includes('\n\n') ? 0 : bytes + chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`the server sent more than ${MAX_BYTES} bytes in one message`);
      resumable ||= stream && (text.includes('\nid:') || text.subarray(0, 3).toString() === 'id:');
      yield chunk;
    }
  } finally {
    ended(resumable);
  }
}

function requestId(body: RequestInit['body']): number | undefined {
  const message = typeof body === 'string' ? parseJson(body) : undefined;
  return readStringAt(message, 'method') === undefined ? undefined : readNumberAt(message, 'id');
}
