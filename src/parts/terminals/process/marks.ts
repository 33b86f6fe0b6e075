import { randomHex } from '../../../base/ids.ts';

/** Made anew for every command: no output holds it by chance, and no earlier command can have known it. */
export const createMark = (): string => `<${randomHex(12)}${randomHex(12)}>`;

/** Takes what stands between two marks out of a stream, however it is cut into pieces. */
export interface MarkFilter {
  /** What is sure to be output. */
  push(chunk: Buffer): Buffer;
  /** The rest. */
  end(): Buffer;
  told(): string;
}

export function createMarkFilter(mark: string): MarkFilter {
  let held = Buffer.alloc(0);
  let inside = false;
  let told = '';
  const take = (piece: Buffer): Buffer => {
    if (!inside) return piece;
    told += piece.toString();
    return Buffer.alloc(0);
  };
  return {
    push: (chunk) => {
      const out: Buffer[] = [];
      let data = Buffer.concat([held, chunk]);
      for (let at = data.indexOf(mark); at >= 0; at = data.indexOf(mark)) {
        out.push(take(data.subarray(0, at)));
        inside = !inside;
        data = data.subarray(at + mark.length);
      }
      const keep = beginningAtEnd(data, mark);
      out.push(take(data.subarray(0, data.length - keep)));
      held = data.subarray(data.length - keep);
      return Buffer.concat(out);
    },
    end: () => take(held),
    told: () => told,
  };
}

/** How many of the last bytes may be the first ones of a mark. */
function beginningAtEnd(data: Buffer, mark: string): number {
  for (let length = Math.min(mark.length - 1, data.length); length > 0; length--) {
    if (data.subarray(data.length - length).toString('latin1') === mark.slice(0, length)) return length;
  }
  return 0;
}
