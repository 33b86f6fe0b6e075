import { quoteShellWord } from '../../../../base/shell.ts';

/**
 * A command line that runs a script with its arguments in a shell of its own: aliases, functions and variables of the
 * session do not reach it, and it leaves none behind.
 */
export const toPlainShellCommand = (script: string, ...args: readonly string[]): string =>
  `env -i PATH="$PATH" HOME="$HOME" LC_ALL=C sh -c ${[script, 'sh', ...args].map(quoteShellWord).join(' ')}`;
