import type { Readable } from 'node:stream';

/** The words of an answer as they come; one that is larger than that is refused before it fills the memory. */
export async function readTextBody(response: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) throw new RangeError(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
