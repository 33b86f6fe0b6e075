import { fitWidth } from '../../base/width.ts';
import type { Streams } from '../../base/screen/streams.ts';
import { toVisibleLine } from '../../base/visible.ts';

/** A line that says what is being waited for, on the terminal and never in a file. */
export interface Spinner {
  /** What is waited for from now on; nothing hides the line. */
  label(words: string | undefined): void;
  /** Takes the line away before something else is written; it comes back with its next picture. */
  clear(): void;
  /** Keeps quiet while somebody else has the terminal. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 120;
/** A wait shorter than this has no clock: it would only flicker. */
const CLOCK_AFTER_MS = 3_000;
const CLEAR = '\r\u001b[2K';

export interface SpinnerOptions {
  readonly streams: Pick<Streams, 'err'>;
  columns(): number;
  now(): number;
}

export function startSpinner({ streams, columns, now }: SpinnerOptions): Spinner {
  let label: string | undefined;
  let [frame, since, drawn, quiet] = [0, 0, false, 0];
  const clear = () => {
    if (drawn) streams.err(CLEAR);
    drawn = false;
  };
  const draw = () => {
    if (label === undefined || quiet > 0) return;
    const waited = now() - since;
    const clock = waited < CLOCK_AFTER_MS ? '' : ` · ${Math.floor(waited / 1_000)} s`;
    // One column stays free: a full line would break, and its rest could not be taken away.
    const room = Math.max(8, columns() - 1 - clock.length);
    streams.err(`${CLEAR}${fitWidth(`${FRAMES[frame++ % FRAMES.length] ?? ''} ${toVisibleLine(label)}`, room)}${clock}`);
    drawn = true;
  };
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  return {
    label: (words) => {
      if (words === undefined) clear();
      if (label === undefined) since = now();
      label = words;
    },
    clear,
    during: async (work) => {
      clear();
      quiet++;
      try {
        return await work();
      } finally {
        quiet--;
      }
    },
    stop: () => {
      clearInterval(timer);
      clear();
      label = undefined;
    },
  };
}
