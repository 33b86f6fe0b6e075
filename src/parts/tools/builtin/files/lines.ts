import { takeStart } from '../../../../base/text.ts';

export interface Window {
  /** Lines in the window, ready to show, without their line ends. */
  readonly lines: readonly string[];
  readonly total: number;
  /** Some shown line holds bytes that are not UTF-8. */
  readonly broken: boolean;
}

const LINE_FEED = 10;

/** Reads a window of lines from bytes that pass by: memory stays bounded however long the file or a line is. */
export function createLineWindow(first: number, count: number, maxLine: number): { feed(chunk: Buffer): void; finish(): Window } {
  const room = maxLine * 4;
  const lines: string[] = [];
  let number = 1;
  let broken = false;
  let kept: Buffer[] = [];
  let [keptBytes, lineBytes] = [0, 0];
  const take = (piece: Buffer) => {
    lineBytes += piece.length;
    if (keptBytes >= room) return;
    kept.push(Buffer.from(piece.subarray(0, room - keptBytes)));
    keptBytes += piece.length;
  };
  const endLine = () => {
    const line = render(kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept), lineBytes, maxLine);
    lines.push(line.text);
    broken ||= line.broken;
    [kept, keptBytes, lineBytes] = [[], 0, 0];
    number += 1;
  };
  const isShown = (): boolean => number >= first && number < first + count;
  /** Lines nobody will see are counted and no more. */
  const pass = (chunk: Buffer, from: number, until: number): number => {
    const { at, passed } = passLines(chunk, from, until - number);
    number += passed;
    if (at > from) lineBytes = chunk[at - 1] === LINE_FEED ? 0 : 1;
    return at;
  };
  return {
    feed: (chunk) => {
      let from = pass(chunk, 0, first);
      while (from < chunk.length && isShown()) {
        const end = chunk.indexOf(LINE_FEED, from);
        if (end < 0) return take(chunk.subarray(from));
        take(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      pass(chunk, from, Infinity);
    },
    finish: () => {
      if (lineBytes === 0) return { lines, total: number - 1, broken };
      const total = number;
      if (isShown()) endLine();
      return { lines, total, broken };
    },
  };
}

/** Past so many line ends at most: where that leads, and how many there were. */
function passLines(bytes: Buffer, from: number, most: number): { readonly at: number; readonly passed: number } {
  let [at, passed] = [from, 0];
  while (at < bytes.length && passed < most) if (bytes[at++] === LINE_FEED) passed += 1;
  return { at, passed };
}

/** One line as it is shown: no carriage return, no byte order mark, cut where it is too long. */
function render(bytes: Buffer, length: number, maxLine: number): { readonly text: string; readonly broken: boolean } {
  const whole = bytes
    .toString('utf8')
    .replace(/\r$/, '')
    .replace(/^\u{feff}/u, '');
  const text = whole.length > maxLine ? takeStart(whole, maxLine) : whole;
  const broken = text.includes('\u{fffd}') && !bytes.includes('\u{fffd}');
  return { text: text.length < whole.length ? `${text} [… line cut, ${length} bytes long]` : text, broken };
}
