import { toPrintable } from '../../../base/printable.ts';
import { serveAcp, type AcpServerOptions } from './serve.ts';

export type AcpCommandDeps = Pick<AcpServerOptions, 'openHost' | 'listModels' | 'allowAll'>;

/** `hermes acp`: standard output carries the protocol, everything else goes to standard error. Gives the exit code. */
export async function runAcpCommand(deps: AcpCommandDeps): Promise<number> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort(name));
  const notice = (words: string): void => void process.stderr.write(`hermes: ${toPrintable(words)}\n`);
  if (process.stdin.isTTY)
    notice('this command is started by a code editor and waits for its messages. Stop it with Ctrl-C; set-up: docs/acp.md');
  await serveAcp({ ...deps, notice, signal: stop.signal, streams: { input: process.stdin, output: process.stdout } });
  return EXIT_CODES[String(stop.signal.reason)] ?? 0;
}

const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
