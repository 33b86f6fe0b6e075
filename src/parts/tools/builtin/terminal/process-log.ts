import type { OutputHeadAndTail, RunningProcess } from '../../../../contracts/terminal.ts';
import { withoutAnsi } from './ansi.ts';

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

function splitLines(output: string): string[] {
  const text = withoutAnsi(output).replace(/\n$/, '');
  return text === '' ? [] : text.split('\n');
}

/** How long a process that was told something is listened to: until it answers, and then until it is silent. */
const ANSWER_MS = { first: 2_000, quiet: 300, most: 10_000 };
/** Characters of an answer; the log has the rest. */
const MAX_ANSWER = 10_000;

/** Hears what a process says from now on; `heard` waits for an answer and gives it. */
export function listenFor(running: RunningProcess, signal: AbortSignal): { heard(): Promise<string>; stop(): void } {
  let said = '';
  const news = new EventTarget();
  const off = running.onOutput((text) => {
    said = (said + text).slice(-MAX_ANSWER);
    news.dispatchEvent(new Event('said'));
  });
  const untilSilent = (): Promise<void> =>
    new Promise((resolve) => {
      let timer = setTimeout(resolve, said === '' ? ANSWER_MS.first : ANSWER_MS.quiet);
      const most = setTimeout(resolve, ANSWER_MS.most);
      news.addEventListener('said', () => {
        clearTimeout(timer);
        timer = setTimeout(resolve, ANSWER_MS.quiet);
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      void running.exited.then(() => resolve());
      news.addEventListener('stop', () => [timer, most].forEach(clearTimeout));
    });
  return {
    heard: async () => {
      await untilSilent();
      const { state, exitCode } = running.status();
      const lines = splitLines(said).join('\n');
      if (state === 'exited') return `${lines || '[no new output]'}\n[exited with code ${exitCode ?? 'unknown'}]`;
      return lines || '[no new output yet; poll later]';
    },
    stop: () => {
      off();
      news.dispatchEvent(new Event('stop'));
    },
  };
}
