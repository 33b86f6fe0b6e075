import { becomeService } from '../service-process.ts';
import { serveAcp, type AcpServerOptions } from './serve.ts';

export type AcpCommandDeps = Pick<AcpServerOptions, 'openHost' | 'listModels' | 'allowAll'>;

/** `hermes acp`: standard output carries the protocol, everything else goes to standard error. Gives the exit code. */
export async function runAcpCommand(deps: AcpCommandDeps): Promise<number> {
  const { stop, notice, exitCode } = becomeService();
  if (process.stdin.isTTY)
    notice('this command is started by a code editor and waits for its messages. Stop it with Ctrl-C; set-up: docs/acp.md');
  await serveAcp({ ...deps, notice, signal: stop, streams: { input: process.stdin, output: process.stdout } });
  return exitCode();
}
