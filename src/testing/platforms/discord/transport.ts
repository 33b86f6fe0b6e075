import { constants, deflateRawSync } from 'node:zlib';

/**
 * How payloads go over a socket: as text, or for `compress=zlib-stream` as pieces of one zlib stream. Each piece is
 * flushed to a byte boundary and refers to nothing before it, so that it needs no state but the header of the first.
 */
export function createEncoder(compress: string | null): (payload: string) => string | Buffer {
  if (compress !== 'zlib-stream') return (payload) => payload;
  let header = Buffer.from([0x78, 0x9c]);
  return (payload) => {
    const piece = Buffer.concat([header, deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH })]);
    header = Buffer.alloc(0);
    return piece;
  };
}
