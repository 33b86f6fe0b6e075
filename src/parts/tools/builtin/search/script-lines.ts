import { createMailbox } from '../../../../base/mailbox.ts';
import type { RunResult, Terminal } from '../../../../contracts/terminal.ts';
import { toPlainShellCommand } from '../files/plain-shell.ts';

export interface SearchScript {
  readonly text: string;
  readonly args: readonly string[];
  readonly stdin?: string;
}

/** Longer lines are cut: what is shown of one is far shorter. */
const MAX_LINE = 65_536;
const TIME_MS = 115_000;

/** Runs a script in the place and gives its lines as they come. It is ended when the reader stops. */
export async function* streamScriptLines(
  terminal: Terminal,
  { text, args, stdin }: SearchScript,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const lines = createMailbox<string>();
  const enough = new AbortController();
  const cut = lineCutter((line) => lines.push(line));
  const running = terminal.run(toPlainShellCommand(text, ...args), {
    signal: AbortSignal.any([signal, enough.signal]),
    timeoutMs: TIME_MS,
    maxOutput: 2_000,
    cwd: '/',
    onOutput: cut.feed,
    ...(stdin !== undefined && { stdin }),
  });
  const told = running.finally(() => {
    cut.end();
    lines.close();
  });
  told.catch(() => {}); // told below, when the lines are through
  try {
    yield* lines;
    mustHaveRun(await told, signal);
  } finally {
    enough.abort();
  }
}

/** A script that fails says so: no lines from it do not mean that there are none. */
function mustHaveRun({ ended, exitCode, output }: RunResult, signal: AbortSignal): void {
  if (signal.aborted || (ended === 'exited' && exitCode === 0)) return;
  throw new Error(
    ended === 'timeout'
      ? `the search took longer than ${TIME_MS / 1000} s`
      : `the search could not be run there (exit code ${exitCode ?? 'unknown'}): ${output.trim().slice(0, 300)}`,
  );
}

/** Output that comes in pieces, line by line. */
function lineCutter(tell: (line: string) => void) {
  let rest = '';
  return {
    feed: (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const line of lines) tell(line);
    },
    end: () => {
      if (rest !== '') tell(rest);
      rest = '';
    },
  };
}
