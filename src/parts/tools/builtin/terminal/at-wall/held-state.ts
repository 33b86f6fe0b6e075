import type { CarriedShellState } from '../../../../../contracts/terminal.ts';
import { parseLineParts } from '../../command-line/shell-line.ts';

/** What earlier commands left in the shell inside, which no command outside is given. */
export interface HeldState {
  /** What of it the line would use by its name: `$NS`, `deploy`. */
  readonly used: readonly string[];
  /** Variables that programs would have been given. */
  readonly exported: readonly string[];
}

/** Names a shell fills in by itself. */
const OWN =
  /^(?:BASH\w*|COLUMNS|DIRSTACK|EUID|FUNCNAME|GROUPS|HERMES_\w+|HISTCMD|HOME|HOSTNAME|HOSTTYPE|IFS|LANG|LINENO|LINES|MACHTYPE|OLDPWD|OPT\w+|OSTYPE|PATH|PIPESTATUS|PPID|PS\d|PWD|RANDOM|SECONDS|SHELL\w*|SHLVL|SRANDOM|TERM|TMPDIR|UID|_|__hermes\w*)$/;
const VARIABLE = /^declare -(\S+) (\w+)=/gm;
const FUNCTION = /^([\w.:-]+) \(\) *$/gm;
const ALIAS = /^alias ([^=\s]+)=/gm;
const PARAMETER = /\$\{?[#!]?([A-Za-z_]\w*)/g;

export function findHeldState(line: string, carried: readonly CarriedShellState[]): HeldState {
  const script = carried.map((state) => state.script).join('\n');
  const variables = [...script.matchAll(VARIABLE)].filter(([, , name = '']) => !OWN.test(name));
  const names = new Set(variables.map(([, , name = '']) => name));
  const commands = new Set([FUNCTION, ALIAS].flatMap((pattern) => [...script.matchAll(pattern)].map(([, name = '']) => name)));
  const sets = new Set([...line.matchAll(/(?:^|[\s;&|(])([A-Za-z_]\w*)=/g)].map(([, name = '']) => name));
  const read = [...line.matchAll(PARAMETER)].map(([, name = '']) => name).filter((name) => names.has(name) && !sets.has(name));
  const run = parseLineParts(line).flatMap(({ pipeline }) =>
    pipeline.flatMap(({ words }) => words.slice(0, 1)).filter((name) => commands.has(name)),
  );
  return {
    used: [...new Set([...read.map((name) => `$${name}`), ...run])],
    exported: variables.flatMap(([, kind = '', name = '']) => (kind.includes('x') ? [name] : [])),
  };
}

/** For the model. */
export const describeHeld = (used: readonly string[]): string =>
  `it uses ${used.join(', ')}, which earlier commands set in the sandbox and which does not exist outside. Write out what it stands for`;

const MAX_NAMES = 5;
/** For the owner: programs may go by a variable that the agent believes to be set. */
export const describeLeftBehind = (names: readonly string[]): string =>
  `Variables that were set in the sandbox are not set outside: ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ' …' : ''}`;
