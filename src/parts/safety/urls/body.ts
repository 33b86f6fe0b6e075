import { pipeline, type Duplex, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface ReadBody {
  readonly body: Buffer;
  readonly cut: boolean;
}
type ByteStream = AsyncIterable<Buffer>;

/** What is asked for; anything else a server sends is refused. */
export const ACCEPTED = 'gzip, deflate, br';
/** Each layer multiplies what a bomb can be worth; no honest server uses more than one. */
const MAX_LAYERS = 2;
/** What comes over the wire may be a little more than what is wanted of it, never a multiple. */
const SLACK = 64 * 1024;

/** A server that stops in the middle has still said something. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: Readonly<Record<string, (source: ByteStream) => ByteStream>> = {
  gzip: (source) => through(source, createGunzip(LENIENT)),
  'x-gzip': (source) => through(source, createGunzip(LENIENT)),
  br: (source) => through(source, createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })),
  deflate: inflate,
  identity: (source) => source,
};

/** Reads a response to its end or to the limit, whichever comes first, undoing its encodings on the way: never more in memory than asked for. */
export async function readBody(source: Readable, encoding: string, maxBytes: number): Promise<ReadBody> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = layers.find((name) => DECODERS[name] === undefined);
  if (unknown !== undefined || layers.length > MAX_LAYERS) throw new Error(`its body is encoded as ${encoding}, which is not understood`);
  const wire = bounded(source, maxBytes + SLACK);
  const decoded = layers.reduceRight<ByteStream>((bytes, name) => DECODERS[name]?.(bytes) ?? bytes, wire.bytes);
  const read = await collect(decoded, maxBytes);
  source.destroy();
  return { body: read.body, cut: read.cut || wire.stopped() };
}

/** Ends the bytes at the limit, as if the server had. */
function bounded(source: Readable, limit: number): { readonly bytes: ByteStream; readonly stopped: () => boolean } {
  let stopped = false;
  async function* run(): AsyncGenerator<Buffer> {
    let sum = 0;
    for await (const chunk of source as ByteStream) {
      sum += chunk.length;
      yield chunk;
      stopped = sum > limit;
      if (stopped) return;
    }
  }
  return { bytes: run(), stopped: () => stopped };
}

async function collect(bytes: ByteStream, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let sum = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk.subarray(0, maxBytes - sum));
    sum += chunk.length;
    if (sum > maxBytes) return { body: Buffer.concat(chunks), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

/** A stage whose end, early or late, is the end of what comes before it too. */
function through(source: ByteStream, stage: Duplex): ByteStream {
  // What goes wrong is told to whoever reads the stage.
  pipeline(source, stage, () => {});
  return stage;
}

/** Servers mean two things by `deflate`: with a header, as the standard has it, and without. The first byte tells. */
async function* inflate(source: ByteStream): AsyncGenerator<Buffer> {
  const rest = source[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) return;
  const stage = (first.value[0] ?? 0) % 16 === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT);
  yield* through(startingWith(first.value, rest), stage);
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}
