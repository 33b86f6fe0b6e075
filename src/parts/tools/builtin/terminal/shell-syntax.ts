import type { RequiredConsent } from '../../../../contracts/consent.ts';
import { ToolRefusal, type AskContext } from '../../../../contracts/tool.ts';
import { toPlainShellCommand } from '../files/plain-shell.ts';

/** The class of lines that could not be read. */
const UNREADABLE = 'unreadable';
/** The shell reads the line and runs nothing of it. */
const READ_ONLY = 'if command -v bash >/dev/null 2>&1; then exec bash -n -c "$1"; else exec sh -n -c "$1"; fi';
const READ_MS = 5_000;

/** A line that the shell itself cannot read is the caller's to mend: nobody is asked about it, and nothing of it is run. */
export async function refuseSyntaxError(
  command: string,
  objection: RequiredConsent | undefined,
  { terminal, signal }: Pick<AskContext, 'terminal' | 'signal'>,
): Promise<void> {
  if (objection?.action.key?.split('+').includes(UNREADABLE) !== true) return;
  const { ended, exitCode, output } = await terminal.run(toPlainShellCommand(READ_ONLY, command), {
    signal,
    timeoutMs: READ_MS,
    maxOutput: 2_000,
    cwd: '/',
  });
  if (ended === 'exited' && exitCode !== 0 && /syntax error|unexpected|unterminated|expect/i.test(output))
    throw new ToolRefusal(`Not run: the shell cannot read this line.\n${output.trim()}`);
}
