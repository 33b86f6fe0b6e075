import { toPrintable } from '../../base/printable.ts';

/** A process that serves a program until that hangs up or a signal comes. Standard output belongs to the protocol. */
export interface ServiceProcess {
  readonly stop: AbortSignal;
  /** A line on standard error. */
  notice(words: string): void;
  /** What the shell is told when the service is over. */
  exitCode(): number;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function becomeService(): ServiceProcess {
  const stop = new AbortController();
  let code = 0;
  for (const [name, exit] of Object.entries(EXIT_CODES))
    process.on(name, () => {
      // Whoever asks twice does not wait for anything.
      if (stop.signal.aborted) process.exit(exit);
      code = exit;
      stop.abort(name);
    });
  return {
    stop: stop.signal,
    notice: (words) => void process.stderr.write(`hermes: ${toPrintable(words)}\n`),
    exitCode: () => code,
  };
}
