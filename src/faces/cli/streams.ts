import { forwardLines } from '../../base/notice-board.ts';
import { toPrintable } from '../../base/printable.ts';
import type { Host } from '../../contracts/host.ts';
import { measureColumns, wrapText } from '../../base/screen/wrap.ts';
import type { Streams } from '../../base/screen/streams.ts';

/** The process's own streams. That a reader may go away (`| head`) is seen to once for all commands, in cli.ts. */
export function createProcessStreams(): Streams {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    watched: process.stderr.isTTY,
    onScreen: process.stdout.isTTY,
  };
}

/** A line for the owner on the side: standard output belongs to the answer. */
export const tellNotice = (words: string): void => void process.stderr.write(`${fitLines(`hermes: ${toPrintable(words)}`)}\n`);

/** Words for stderr, broken between words where somebody reads them on a screen; a file gets them as they are. */
export const fitLines = (words: string): string =>
  process.stderr.isTTY
    ? words
        .split('\n')
        .flatMap((line) => wrapText(line, measureColumns(process.stderr)))
        .join('\n')
    : words;

/** The last words of a command that failed, and its exit code. */
export function tellError(words: string, code: number): number {
  tellNotice(words);
  return code;
}

/** A reader that went away (`| head`) is no error, whatever the command; output that could not be written is. */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(tellError(`the output could not be written: ${error.message}`, 1));
  });
  process.stderr.on('error', () => {});
}

/** Aborts on SIGINT, SIGTERM and the end of the terminal (SIGHUP); a second SIGINT does not wait for anything. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort('interrupted');
  });
  // Without this, a window that is closed would leave running what was started from it.
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => controller.abort('terminated'));
  return controller.signal;
}

/** What comes up between turns goes to stderr as it comes, on a line of its own; ends with the host. */
export const tellNotices = (host: Pick<Host, 'notices'>, clearLine: () => void = () => {}): AsyncDisposable =>
  forwardLines(host.notices, ({ text }) => {
    clearLine();
    tellNotice(text);
  });
