import { safeHead, safeTail } from '../../../../base/text.ts';

/** Keeps the beginning and the end of a text of any length in bounded memory. */
export interface Bounded {
  add(text: string): void;
  /** With a word on what is left out between them. */
  text(): string;
}

export function bounded(room: number): Bounded {
  const half = Math.floor(room / 2);
  let [head, tail, length] = ['', '', 0];
  return {
    add: (text) => {
      length += text.length;
      const space = Math.max(0, half - head.length);
      head += text.slice(0, space);
      tail += text.slice(space);
      // Trimmed at twice its size, so that a flood of small pieces does not copy it each time.
      if (tail.length > 2 * room) tail = tail.slice(-room);
    },
    text: () => {
      if (length <= room) return head + tail;
      const [first, last] = [safeHead(head, half), safeTail(tail, room - half)];
      return `${first}\n[… ${length - first.length - last.length} characters left out …]\n${last}`;
    },
  };
}
