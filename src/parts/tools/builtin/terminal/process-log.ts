import type { OutputHeadAndTail, RunningProcess } from '../../../../contracts/terminal.ts';
import { withoutAnsi } from '../command-line/ansi.ts';

/** The newest lines, with a word on those before them. */
export function renderLastLines(running: RunningProcess, count: number): string {
  const ends = running.outputEnds();
  if (ends.lines === 0 && ends.begin === '') return '[no output]';
  const shown = renderLogLines(ends, undefined, count);
  return (ends.lines > count ? shown : shown.slice(0, -1)).join('\n');
}

interface LogLine {
  readonly number: number;
  readonly text: string;
}

/** Lines of an output from one on, or the last of them, by their true numbers; those that are not kept are named. */
export function renderLogLines(ends: OutputHeadAndTail, offset: number | undefined, limit: number): string[] {
  const all = numbered(ends);
  const total = Math.max(ends.lines, all.length);
  const first = offset ?? Math.max(1, total - limit + 1);
  const last = Math.min(total, first + limit - 1);
  const shown = all.filter(({ number }) => number >= first && number <= last);
  if (first > total) return [`[no lines there, ${total} in all]`];
  const lost = last - first + 1 - shown.length;
  const gap =
    lost === 0 ? '' : `; ${lost} of them are left out here: ${ends.where ?? 'only the first and the last lines of a long output are kept'}`;
  return [...shown.map(({ text }) => text), `[lines ${first}-${last} of ${total}${gap}]`];
}

/** The end is counted from the last line on. */
function numbered({ begin, end, lines }: OutputHeadAndTail): readonly LogLine[] {
  const first = splitLines(begin).map((text, index) => ({ number: index + 1, text }));
  if (end === undefined) return first;
  const rest = splitLines(end);
  return [...first, ...rest.map((text, index) => ({ number: lines - rest.length + index + 1, text }))];
}

export function splitLines(output: string): string[] {
  const text = withoutAnsi(output).replace(/\n$/, '');
  return text === '' ? [] : text.split('\n');
}
