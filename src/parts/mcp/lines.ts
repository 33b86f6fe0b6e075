/** Cuts a stream of bytes into lines and keeps what has no end yet. Each byte is looked at once, however long a line grows. */
export interface LineSplitter {
  /** The lines that are whole now. Throws when one grows beyond the limit; nothing is kept of it then. */
  add(chunk: Buffer): string[];
}

const NEWLINE = 0x0a;

export function createLineSplitter(limit: number): LineSplitter {
  let kept: Buffer[] = [];
  let size = 0;
  const take = (end: Buffer): string => {
    const line = Buffer.concat([...kept, end]).toString('utf8');
    kept = [];
    size = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  return {
    add: (chunk) => {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        lines.push(take(chunk.subarray(from, end)));
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      kept.push(rest);
      size += rest.length;
      if (size <= limit) return lines;
      kept = [];
      size = 0;
      throw new RangeError(`a line is longer than ${limit} bytes`);
    },
  };
}
