import { drawFailures, findFailureLines } from '../../../../base/failure-lines.ts';

/** Keeps the beginning and the end of a text of any length in bounded memory. */
export interface BoundedText {
  add(text: string): void;
  /** At most so many bytes of what was written, with a word on what is left out between the two; never more than there was room for. */
  text(most: number): string;
  /** Bytes written so far. */
  bytes(): number;
}

/** Puts placeholders where something stands that looks like a secret: it is known by what stands around it. */
export type MaskSecrets = (text: string) => string;

/** How much beside each border is looked at, for what lies across it: longer than any token or private key. */
const SEAM = 16 * 1024;

/** A character has at least a byte: so many characters are enough for so many bytes. The text is masked first and cut then. */
export function openBoundedText(room: number, mask: MaskSecrets = (text) => text): BoundedText {
  let [head, tail, length, bytes] = ['', '', 0, 0];
  const most = room + SEAM;
  return {
    bytes: () => bytes,
    add: (text) => {
      length += text.length;
      bytes += Buffer.byteLength(text);
      const space = Math.max(0, most - head.length);
      head += text.slice(0, space);
      tail += text.slice(space);
      // Trimmed at twice its size, so that a flood of small pieces does not copy it each time.
      if (tail.length > 2 * most) tail = tail.slice(-most);
    },
    text: (wanted) => {
      const limit = Math.min(wanted, room);
      // What was written within the bound stays whole, though placeholders may be longer than what they stand for.
      if (bytes <= limit) return mask(head + tail);
      if (head.length + tail.length === length) return within(mask(head + tail), limit);
      // Never the far end of a seam: what lies across that border could not be known.
      const [first, last] = [mask(head).slice(0, -SEAM), mask(tail.slice(-most)).slice(SEAM)];
      return bothEnds(first, last, bytes, limit);
    },
  };
}

const within = (text: string, most: number): string => {
  const bytes = Buffer.byteLength(text);
  return bytes <= most ? text : bothEnds(text, text, bytes, most);
};

/** Room for the word between the ends. */
const MARK = 60;

function bothEnds(head: string, tail: string, bytes: number, most: number): string {
  const half = Math.max(0, Math.floor((most - MARK) / 2));
  const [first, last] = [firstBytes(head, half), lastBytes(tail, half)];
  const left = `${bytes - Buffer.byteLength(first) - Buffer.byteLength(last)} bytes left out`;
  // Where both are one text, what lies between is known.
  const lost = head === tail ? findFailureLines(head).filter(({ at }) => at >= first.length && at < head.length - last.length) : [];
  const gap = lost.length === 0 ? `[… ${left} …]` : `[… ${left}; lines in it that tell of a failure:]\n${drawFailures(lost)}\n[…]`;
  return `${first}\n${gap}\n${last}`;
}

/** As many whole characters as fit. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(most, bytes.length);
  while (end > 0 && isInside(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - most);
  while (start < bytes.length && isInside(bytes[start])) start++;
  return bytes.toString('utf8', start);
}

/** A byte in the middle of a character. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
