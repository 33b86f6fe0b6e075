import type { Files } from '../../../../contracts/files.ts';

/** All of a file, or its beginning when no more than so many bytes are wanted. */
export async function readBytes(files: Files, path: string, signal: AbortSignal, most = Infinity): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of files.read(path, signal)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  const all = Buffer.concat(pieces);
  return all.length > most ? all.subarray(0, most) : all;
}
