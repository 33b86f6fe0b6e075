import { toErrorMessage } from '../../base/errors.ts';
import { isObject, parseJson, readStringAt } from '../../base/json.ts';
import { takeStart } from '../../base/text.ts';
import type { Embed, EmbedResult } from '../../contracts/embed.ts';
import type { Json } from '../../contracts/message.ts';
import type { Auth, ServerFrame, Transport } from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';

const DEADLINES = { connect: 5_000, firstByte: 30_000, idle: 10_000, total: 45_000 };
const SHOWN = 200;

export interface EmbedDeps {
  readonly transport: Transport;
  readonly auth: Pick<Auth, 'headers'>;
}

/** Vectors from a server that speaks the `/embeddings` of OpenAI. */
export const createEmbedder =
  (runtime: Runtime, { transport, auth }: EmbedDeps): Embed =>
  async (texts, signal) => {
    try {
      const headers = { 'content-type': 'application/json', ...(await auth.headers(runtime)) };
      const url = `${runtime.baseUrl.replace(/\/+$/, '')}/embeddings`;
      const body = JSON.stringify({ model: runtime.model, input: texts, encoding_format: 'float' });
      for await (const [frame] of transport.open({ url, headers, body, stream: false, deadlines: DEADLINES, signal }))
        if (frame !== undefined) return vectorsIn(frame, texts.length);
      return { ok: false, why: 'the server sent nothing' };
    } catch (error) {
      return { ok: false, why: toErrorMessage(error) };
    }
  };

function vectorsIn(frame: ServerFrame, count: number): EmbedResult {
  if (frame.type !== 'response') return { ok: false, why: 'the server streamed where one answer was due' };
  const json = parseJson(frame.body);
  if (frame.status < 200 || frame.status > 299)
    return {
      ok: false,
      why: `the server answered ${frame.status} ${takeStart(readStringAt(json, 'error', 'message') ?? '', SHOWN)}`.trim(),
    };
  const rows = isObject(json) && Array.isArray(json['data']) ? json['data'] : [];
  const vectors = rows.toSorted((a: Json, b: Json) => indexOf(a) - indexOf(b)).map(vectorOf);
  const [first] = vectors;
  const sound = vectors.length === count && vectors.every(({ length }) => length > 0 && length === first?.length);
  return sound
    ? { ok: true, vectors }
    : { ok: false, why: `the server gave ${vectors.length} vectors for ${count} texts, or not all of one length` };
}

const indexOf = (row: Json): number => (isObject(row) && typeof row['index'] === 'number' ? row['index'] : 0);
const vectorOf = (row: Json): readonly number[] => {
  const given = isObject(row) ? row['embedding'] : undefined;
  return Array.isArray(given) ? given.filter((value) => typeof value === 'number') : [];
};
