import { safeHead } from '../../../../base/text.ts';

export interface Window {
  /** Lines in the window, ready to show, without their line ends. */
  readonly lines: readonly string[];
  readonly total: number;
  /** Some shown line holds bytes that are not UTF-8. */
  readonly broken: boolean;
}

/** Reads a window of lines from bytes that pass by: memory stays bounded however long the file or a line is. */
export function lineWindow(first: number, count: number, maxLine: number): { feed(chunk: Buffer): void; finish(): Window } {
  const room = maxLine * 4;
  const lines: string[] = [];
  let number = 1;
  let broken = false;
  let kept: Buffer[] = [];
  let [keptBytes, lineBytes] = [0, 0];
  const take = (piece: Buffer) => {
    lineBytes += piece.length;
    if (number < first || number >= first + count || keptBytes >= room) return;
    kept.push(Buffer.from(piece.subarray(0, room - keptBytes)));
    keptBytes += piece.length;
  };
  const endLine = () => {
    if (number >= first && number < first + count) {
      const line = render(Buffer.concat(kept), lineBytes, maxLine);
      lines.push(line.text);
      broken ||= line.broken;
    }
    [kept, keptBytes, lineBytes] = [[], 0, 0];
    number += 1;
  };
  return {
    feed: (chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      take(chunk.subarray(from));
    },
    finish: () => {
      if (lineBytes > 0) endLine();
      return { lines, total: number - 1, broken };
    },
  };
}

/** One line as it is shown: no carriage return, no byte order mark, cut where it is too long. */
function render(bytes: Buffer, length: number, maxLine: number): { readonly text: string; readonly broken: boolean } {
  const whole = bytes
    .toString('utf8')
    .replace(/\r$/, '')
    .replace(/^\u{feff}/u, '');
  const text = whole.length > maxLine ? safeHead(whole, maxLine) : whole;
  const broken = text.includes('\u{fffd}') && !bytes.includes('\u{fffd}');
  return { text: text.length < whole.length ? `${text} [… line cut, ${length} bytes long]` : text, broken };
}
