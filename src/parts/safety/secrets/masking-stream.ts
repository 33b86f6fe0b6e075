import type { RedactingStream, Secrets } from '../../../contracts/secrets.ts';

/** A line that does not end is let go piece by piece beyond this size. */
const LONGEST_LINE = 1 << 16;
/** What may still become a secret: no shape is longer. */
const HELD = 1 << 14;

/** `mask` for a text that comes in pieces, line by line: for what is written down and not looked at meanwhile. */
export function createMaskingStream(secrets: Secrets): RedactingStream {
  const known = secrets.stream();
  let held = '';
  const whole = (text: string): string => {
    held += text;
    const end = settledEnd(held);
    const out = end === 0 ? '' : secrets.mask(held.slice(0, end));
    held = held.slice(end);
    return out;
  };
  return {
    push: (piece) => whole(known.push(piece)),
    end: () => {
      const rest = whole(known.end()) + secrets.mask(held);
      held = '';
      return rest;
    },
  };
}

/** Up to where a text cannot be the beginning of anything: the end of its last line, unless a private key is still going on. */
function settledEnd(text: string): number {
  const end = text.length > LONGEST_LINE ? blankBefore(text, text.length - HELD) : text.lastIndexOf('\n') + 1;
  const key = text.lastIndexOf('-----BEGIN ', end);
  const isOpen = key >= 0 && text.length - key < HELD && !text.slice(key, end).includes('-----END ');
  return isOpen ? Math.min(end, key) : end;
}

/** A token is not cut in two; one that is longer than all that is held back cannot be helped. */
function blankBefore(text: string, at: number): number {
  const blank = /\s(?=\S*$)/.exec(text.slice(at - HELD, at));
  return blank === null ? at : at - HELD + blank.index + 1;
}
