import { shellWord } from '../../../../base/shell.ts';

/**
 * A command line that runs a script with its arguments in a shell of its own: aliases, functions and variables of the
 * session do not reach it, and it leaves none behind.
 */
export const plainShell = (script: string, ...args: readonly string[]): string =>
  `env -i PATH="$PATH" HOME="$HOME" LC_ALL=C sh -c ${[script, 'sh', ...args].map(shellWord).join(' ')}`;
