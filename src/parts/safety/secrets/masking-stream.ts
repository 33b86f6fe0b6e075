import type { RedactingStream, Secrets } from '../../../contracts/secrets.ts';

/** A line that does not end is let go in pieces of this size. */
const LONGEST_LINE = 1 << 16;

/** `mask` for a text that comes in pieces, line by line: for what is written down and not looked at meanwhile. */
export function maskingStream(secrets: Secrets): RedactingStream {
  const known = secrets.stream();
  let line = '';
  const whole = (text: string): string => {
    line += text;
    const end = line.length > LONGEST_LINE ? line.length : line.lastIndexOf('\n') + 1;
    const out = end === 0 ? '' : secrets.mask(line.slice(0, end));
    line = line.slice(end);
    return out;
  };
  return {
    push: (piece) => whole(known.push(piece)),
    end: () => {
      const rest = whole(known.end()) + secrets.mask(line);
      line = '';
      return rest;
    },
  };
}
