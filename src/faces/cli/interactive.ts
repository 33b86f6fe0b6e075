import { isatty } from 'node:tty';

/** Whether somebody sits at both ends of this process. */
export const isOnTerminal = (): boolean => isatty(0) && isatty(1);

/** The terminal UI needs a terminal; without one there is only the one-shot command. */
export function refuseWithoutTerminal(): number {
  process.stderr.write(
    'hermes: The terminal UI needs a terminal, but standard input or output is not one. Ask once with: hermes chat -q "…"   (hermes --help lists every command)\n',
  );
  return 2;
}
