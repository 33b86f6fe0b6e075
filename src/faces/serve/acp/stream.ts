import { ndJsonStream, type AnyMessage, type Stream } from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';

/** Where the protocol is spoken. */
export interface ProtocolStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Messages as lines. They are written as text, which the process keeps free of known secrets; only what goes into a file of the
 * person's is written as bytes, which nothing is taken out of.
 */
export function openProtocolStream({ input, output }: ProtocolStreams): Stream {
  const write = (data: string | Uint8Array): Promise<void> =>
    new Promise((done, fail) => output.write(data, (error) => (error === null || error === undefined ? done() : fail(error))));
  const complaints = new WritableStream<Uint8Array>({ write });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node types its own web streams apart from the global ones
  const bytes = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  return {
    readable: ndJsonStream(complaints, bytes).readable,
    writable: new WritableStream<AnyMessage>({
      write: (message) => {
        const line = `${JSON.stringify(message)}\n`;
        return write('method' in message && message.method === 'fs/write_text_file' ? Buffer.from(line) : line);
      },
    }),
  };
}
