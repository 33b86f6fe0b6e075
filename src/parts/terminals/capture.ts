import { StringDecoder } from 'node:string_decoder';
import type { StartOptions } from '../../contracts/terminal.ts';
import { wholeOutput } from './keep-all.ts';

/** Collects output of any size in bounded memory: the first half of the room and the last. */
export interface Capture {
  /** Takes bytes, gives the text they complete. Bytes that are not UTF-8 become U+FFFD. */
  add(chunk: Buffer): string;
  /** What there is so far; a character whose bytes are still on their way waits for the next look. */
  so(): { readonly output: string; readonly omitted: number };
  finish(): { readonly output: string; readonly omitted: number };
}

/** With a path, what does not fit is kept whole in that file, and the gap in the middle names it. */
export function capture(room: number, keepAll?: string, clean?: StartOptions['clean']): Capture {
  const whole = keepAll === undefined ? undefined : wholeOutput(keepAll, room, clean?.('kept'));
  const shown = clean?.('shown');
  const decoder = new StringDecoder('utf8');
  const half = Math.floor(room / 2);
  let head = '';
  let tail = '';
  let length = 0;
  const take = (text: string): string => {
    length += text.length;
    const space = half - head.length;
    if (space > 0) head += text.slice(0, space);
    const rest = space > 0 ? text.slice(space) : text;
    // Trimmed at twice its size, so that a flood of small chunks does not copy the tail each time.
    tail = tail.length + rest.length > 2 * half ? (tail + rest).slice(-half) : tail + rest;
    return text;
  };
  const so = () => {
    const last = tail.slice(-(room - half));
    const [begin, end] = length > head.length + last.length ? [linesBefore(head), linesAfter(last)] : [head, last];
    const omitted = length - begin.length - end.length;
    const where = whole?.where();
    const gap = where === undefined ? `${omitted} characters left out` : `${omitted} characters left out here; ${where}`;
    return { output: omitted > 0 ? `${begin}${begin.endsWith('\n') ? '' : '\n'}[… ${gap} …]\n${end}` : begin + end, omitted };
  };
  return {
    add: (chunk) => {
      whole?.add(chunk);
      const text = decoder.write(chunk);
      return take(shown === undefined ? text : shown.push(text));
    },
    so,
    finish: () => {
      const rest = decoder.end();
      take(shown === undefined ? rest : shown.push(rest) + shown.end());
      whole?.close();
      return so();
    },
  };
}

/** A line that is longer may be cut: there is no end to look for. */
const LONGEST_LINE = 4_096;
/** The gap takes whole lines: what looks like a secret is known by what stands before it, and after a cut nothing does. */
function linesBefore(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end === 0 || text.length - end > LONGEST_LINE ? text : text.slice(0, end);
}
function linesAfter(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start === 0 || start > LONGEST_LINE || start === text.length ? text : text.slice(start);
}
