import { toOneLine } from '../../base/printable.ts';
import { takeEnd } from '../../base/text.ts';

/** What is worth knowing of a server's run when something went wrong with it. */
export interface ServerLog {
  /** What it writes beside its messages. */
  heard(chunk: Buffer): void;
  /** A line that was no message. */
  odd(why: string): void;
  /** What ended it, when that was us. */
  trouble(words: string): void;
  ended(exitCode: number | undefined): void;
  isOver(): boolean;
  /** The whole of it in one line; empty when there is nothing to say. */
  story(): string;
}

const KEPT = 2_000;
const SHOWN = 300;
const SHOWN_ODD = 80;

export function createServerLog(): ServerLog {
  const known = { stderr: '', odd: '', oddLines: 0, trouble: '', over: false, exitCode: undefined as number | undefined };
  return {
    heard: (chunk) => {
      known.stderr = takeEnd(known.stderr + chunk.toString(), KEPT);
    },
    odd: (why) => {
      known.oddLines += 1;
      known.odd ||= why;
    },
    trouble: (words) => {
      known.trouble = words;
    },
    ended: (exitCode) => Object.assign(known, { over: true, exitCode }),
    isOver: () => known.over,
    story: () => {
      const last = toOneLine(takeEnd(known.stderr.trim(), SHOWN));
      return [
        ...(known.trouble === '' ? [] : [known.trouble]),
        ...(known.exitCode === undefined ? [] : [`it ended with exit code ${known.exitCode}`]),
        ...(known.oddLines === 0
          ? []
          : [`${known.oddLines} of its output lines were not MCP messages (${toOneLine(known.odd).slice(0, SHOWN_ODD)})`]),
        ...(last === '' ? [] : [`its last output: ${last}`]),
      ].join('; ');
    },
  };
}
