/** Keeps the beginning and the end of a text of any length in bounded memory. */
export interface Bounded {
  add(text: string): void;
  /** At most so many bytes, with a word on what is left out between the two; never more than there was room for. */
  text(most: number): string;
}

/** A character has at least a byte: so many characters are enough for so many bytes. */
export function bounded(room: number): Bounded {
  let [head, tail, bytes] = ['', '', 0];
  return {
    add: (text) => {
      bytes += Buffer.byteLength(text);
      const space = Math.max(0, room - head.length);
      head += text.slice(0, space);
      tail += text.slice(space);
      // Trimmed at twice its size, so that a flood of small pieces does not copy it each time.
      if (tail.length > 2 * room) tail = tail.slice(-room);
    },
    text: (most) => (bytes <= Math.min(most, room) ? head + tail : bothEnds(head, tail, bytes, Math.min(most, room))),
  };
}

/** Room for the word between the ends. */
const MARK = 60;

function bothEnds(head: string, tail: string, bytes: number, most: number): string {
  const half = Math.max(0, Math.floor((most - MARK) / 2));
  const [first, last] = [firstBytes(head, half), lastBytes(head + tail, half)];
  return `${first}\n[… ${bytes - Buffer.byteLength(first) - Buffer.byteLength(last)} bytes left out …]\n${last}`;
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
