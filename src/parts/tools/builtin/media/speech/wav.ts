const HEAD = 44;

export interface Wav {
  /** The format chunk, byte for byte. */
  readonly format: Buffer;
  readonly samples: Buffer;
}

/** Bare 16-bit samples with a head. */
export function encodeWav(samples: Buffer, rate: number, channels = 1): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * channels * 2, 8);
  format.writeUInt16LE(channels * 2, 12);
  format.writeUInt16LE(16, 14);
  return joinWav({ format, samples });
}

export function joinWav({ format, samples }: Wav): Buffer {
  const head = Buffer.alloc(HEAD - 16 + format.length);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(head.length - 8 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(format.length, 16);
  format.copy(head, 20);
  head.write('data', 20 + format.length, 'latin1');
  head.writeUInt32LE(samples.length, 24 + format.length);
  return Buffer.concat([head, samples]);
}

/** Takes a file apart; `undefined` for what is none. Streamed files tell sizes that are too large. */
export function readWav(bytes: Buffer): Wav | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: Buffer | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const [name, size] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const chunk = bytes.subarray(at + 8, Math.min(at + 8 + size, bytes.length));
    if (name === 'fmt ') format = chunk;
    if (name === 'data') return format === undefined ? undefined : { format, samples: chunk };
    at += 8 + size + (size % 2);
  }
  return undefined;
}
