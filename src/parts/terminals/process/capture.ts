import { StringDecoder } from 'node:string_decoder';
import { drawFailures, createFailureCollector, type FailureLine } from '../../../base/failure-lines.ts';
import type { OutputHeadAndTail, StartOptions } from '../../../contracts/terminal.ts';
import { openOutputFile } from './output-file.ts';
import { createLineAssembler } from './overwritten.ts';

/**
 * Collects output of any size in bounded memory: the first half of the room and the last, and of what is left out between
 * them the lines that tell of a failure. What a carriage return took back is not kept.
 */
export interface Capture {
  /** Takes bytes, gives the text they complete. Bytes that are not UTF-8 become U+FFFD. */
  add(chunk: Buffer): string;
  /** What there is so far; a character whose bytes are still on their way waits for the next look. */
  so(): { readonly output: string; readonly omitted: number };
  /** The same for somebody who shows only some lines of it: a key of many lines must not lose the one that tells what it is. */
  window(): string;
  /** Beginning and end apart, with the number of all lines. */
  ends(): OutputHeadAndTail;
  finish(): { readonly output: string; readonly omitted: number };
}

/** With a path, what does not fit is kept whole in that file, and the gap in the middle names it. */
export function createCapture(room: number, keepAll?: string, clean?: StartOptions['clean']): Capture {
  const whole = keepAll === undefined ? undefined : openOutputFile(keepAll, room, clean?.('kept'));
  const shown = clean?.('shown');
  const masked = maskedBy(clean);
  const decoder = new StringDecoder('utf8');
  const kept = ends(room, clean === undefined ? 0 : SEAM);
  const [lines, failures] = [createLineAssembler(), createFailureCollector()];
  let ended = 0;
  const take = (text: string): string => {
    for (const line of lines.push(text)) {
      failures.add({ number: ended + 1, at: kept.length(), text: line });
      if (line.endsWith('\n')) ended += 1;
      kept.add(line);
    }
    return text;
  };
  const so = () => {
    const { begin, end, omitted } = kept.cut(masked, lines.pending());
    if (omitted === 0) return { output: begin + end, omitted };
    const where = whole?.where();
    const gap = where === undefined ? `${omitted} characters left out` : `${omitted} characters left out here; ${where}`;
    const lost = failures.found().filter(({ at, text }) => at + text.length > begin.length && at < begin.length + omitted);
    return { output: `${begin}${begin.endsWith('\n') ? '' : '\n'}${gapWords(gap, lost, masked)}\n${end}`, omitted };
  };
  return {
    add: (chunk) => {
      whole?.add(chunk);
      const text = decoder.write(chunk);
      return take(shown === undefined ? text : shown.push(text));
    },
    so,
    window: () => masked(so().output),
    ends: () => {
      const pending = lines.pending();
      const { begin, end, omitted } = kept.cut(masked, pending);
      const total = ended + (pending === '' ? 0 : 1);
      if (omitted === 0) return { begin: masked(begin + end), lines: total };
      const where = whole?.where();
      return { begin: masked(begin), end: masked(end), lines: total, ...(where !== undefined && { where }) };
    },
    finish: () => {
      const rest = decoder.end();
      take(shown === undefined ? rest : shown.push(rest) + shown.end());
      whole?.close();
      return so();
    },
  };
}

const gapWords = (gap: string, lost: readonly FailureLine[], masked: (text: string) => string): string =>
  lost.length === 0 ? `[… ${gap} …]` : `[… ${gap}; lines in it that tell of a failure:]\n${masked(drawFailures(lost))}\n[…]`;

/** Also what only looks like a secret: it is known by what stands around it, so that a text is masked first and cut then. */
const maskedBy = (clean: StartOptions['clean']) => (text: string) => {
  if (clean === undefined) return text;
  const stream = clean('kept');
  return stream.push(text) + stream.end();
};

/** How much of the gap is looked at on both sides, for what lies across its border: longer than any token or private key. */
const SEAM = 16 * 1024;

/** Both ends of a text, and a seam of the middle beside each. */
function ends(room: number, seam: number) {
  const [half, rest] = [Math.floor(room / 2), room - Math.floor(room / 2)];
  let [head, tail, length] = ['', '', 0];
  const cutOff = (begin: string, end: string, all: number): CutOutput => {
    const lines = { begin: linesBefore(begin), end: linesAfter(end) };
    return { ...lines, omitted: all - lines.begin.length - lines.end.length };
  };
  return {
    add: (text: string): void => {
      length += text.length;
      const space = Math.max(0, half + seam - head.length);
      head += text.slice(0, space);
      tail += text.slice(space);
      // Trimmed at twice its size, so that a flood of small chunks does not copy the tail each time.
      if (tail.length > 2 * (rest + seam)) tail = last(tail, rest + seam);
    },
    length: (): number => length,
    /** With what is still open behind it. */
    cut: (masked: (text: string) => string, open: string): CutOutput => {
      if (length + open.length <= room) return { begin: head + tail + open, end: '', omitted: 0 };
      if (head.length + tail.length < length) {
        const [first, final] = [masked(head), masked(last(tail + open, rest + seam))];
        // Never the far end of a seam: what lies across that border could not be known.
        const [begin, end] = [first.slice(0, Math.min(half, first.length - seam)), last(final, Math.min(rest, final.length - seam))];
        return cutOff(begin, end, length + open.length);
      }
      const all = masked(head + tail + open);
      return all.length <= room ? { begin: all, end: '', omitted: 0 } : cutOff(all.slice(0, half), last(all, rest), all.length);
    },
  };
}
interface CutOutput {
  readonly begin: string;
  readonly end: string;
  readonly omitted: number;
}
const last = (text: string, size: number): string => text.slice(Math.max(0, text.length - Math.max(0, size)));

/** A line that is longer may be cut: there is no end to look for. */
const LONGEST_LINE = 4_096;
/** The gap takes whole lines, which are easier to read. */
function linesBefore(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end === 0 || text.length - end > LONGEST_LINE ? text : text.slice(0, end);
}
function linesAfter(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start === 0 || start > LONGEST_LINE || start === text.length ? text : text.slice(start);
}
