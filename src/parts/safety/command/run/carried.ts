import type { CarriedShellState } from '../../../../contracts/terminal.ts';
import type { ShellCommand, CommandList, Pipeline, Word } from '../../../../base/shell/ast.ts';
import { parse } from '../../../../base/shell/parse.ts';
import { type Choices, isUnknown, MARK, withoutMarks } from '../values/marks.ts';
import { isSecretName } from '../values/parameters.ts';
import { NO_INPUT, withFolders } from './state.ts';
import { COST, type Shell } from './shell.ts';

/** What taking it up may cost, besides what its characters cost. */
const ROOM = 200_000;
/** Lines at the end that may belong to a command which is not whole yet. */
const MAX_OPEN = 60;

/** Makes known to a shell what earlier commands left in it. Gives back the beginning of a command that is not whole yet. */
export function loadCarriedShells(shell: Shell, carried: readonly CarriedShellState[]): string {
  let open = '';
  for (const each of carried) {
    shell.meter.allow(each.script.length * COST + ROOM);
    if (each.type === 'held') takeDeclarations(shell, withoutMarks(each.script));
    else open = takeLines(shell, each);
  }
  return open;
}

/** Builtins that only say what is there. Whatever else stands in such a script was put there by somebody, and is judged. */
const DECLARES: ReadonlySet<string> = new Set(['declare', 'typeset', 'export', 'readonly', 'alias', 'unset', 'shopt', 'umask', 'set']);
/** Every shell has its own of these. */
const OWN =
  /^(?:BASH\w*|PPID|E?UID|SHELLOPTS|GROUPS|S?RANDOM|SECONDS|LINENO|PWD|OLDPWD|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|SHLVL|OPTIND|OPTERR|PIPESTATUS|DIRSTACK|FUNCNAME|_|__hermes\w*)$/;

function takeDeclarations(shell: Shell, script: string): void {
  const { list, left } = readDeclarations(shell, script);
  if (list === undefined) {
    shell.lost = true;
    return;
  }
  const values = new Map(shell.state.values);
  for (const [name, value] of left.values) if (!OWN.test(name)) values.set(name, maybeSecret(name, value));
  for (const name of left.gone) values.delete(name);
  shell.state = { ...shell.state, values };
  for (const [name, body] of left.functions) shell.functions.set(name, body);
  for (const [name, value] of left.aliases) shell.aliases.set(name, value);
  shell.walk.list(
    shell,
    list.filter((each) => !isDeclaration(each)),
    NO_INPUT,
  );
}

/** What declarations come to, whatever stood there before. */
interface ShellDeclarations {
  readonly values: ReadonlyMap<string, Choices>;
  readonly gone: readonly string[];
  readonly functions: ReadonlyMap<string, ShellCommand>;
  readonly aliases: ReadonlyMap<string, string>;
}
interface CarriedScript {
  readonly key: string;
  readonly list: CommandList | undefined;
  readonly left: ShellDeclarations;
}
const NOTHING: ShellDeclarations = { values: new Map(), gone: [], functions: new Map(), aliases: new Map() };

/**
 * A shell leaves the same after most commands: what was made of it the last time is kept. In a sandbox each shell has another
 * parent, which is nothing that is taken up.
 */
let last: CarriedScript = { key: '', list: [], left: NOTHING };
const PARENT = /^declare -ir PPID="\d+"$/m;
function readDeclarations(shell: Shell, script: string): CarriedScript {
  const key = script.replace(PARENT, '');
  if (key === last.key) return last;
  const list = parse(script, shell.meter);
  last = { key, list, left: list === undefined ? NOTHING : shell.aside((other) => declared(other, list.filter(isDeclaration))) };
  return last;
}

function declared(shell: Shell, list: CommandList): ShellDeclarations {
  const before = shell.state.values;
  shell.quietly(() => shell.walk.list(shell, list, NO_INPUT));
  const { values } = shell.state;
  return {
    values: new Map([...values].filter(([name, value]) => before.get(name) !== value)),
    gone: [...before.keys()].filter((name) => !values.has(name)),
    functions: new Map(shell.functions),
    aliases: new Map(shell.aliases),
  };
}

const isDeclaration = ({ commands }: Pipeline): boolean => commands.length === 1 && commands.every(declares);
function declares(command: ShellCommand): boolean {
  if (command.type === 'function') return true;
  if (command.type !== 'simple' || command.redirections.length > 0) return false;
  const [first] = command.words[0]?.parts ?? [];
  const isNamed = first === undefined || (first.type === 'text' && command.words[0]?.parts.length === 1 && DECLARES.has(first.text));
  return isNamed && [...command.words, ...command.assignments.flatMap(({ values }) => values)].every(isLiteral);
}
/** What shells print of their variables holds nothing that runs; a file somebody wrote may. */
const isLiteral = ({ parts }: Word): boolean => parts.every(({ type }) => type === 'text' || type === 'glob' || type === 'brace');
/** What by its name is a secret stays one, whatever else its value may be used for. */
const maybeSecret = (name: string, value: Choices): Choices => (isSecretName(name) ? [...value, [MARK.unknown + MARK.secret]] : value);

/** Runs what was told before, unjudged. What it leaves that is not known is marked: nobody has seen it. */
function takeLines(shell: Shell, { script, whole, moves }: Extract<CarriedShellState, { type: 'told' }>): string {
  if (!whole) shell.lost = true;
  const { list, open } = wholeCommands(shell, withoutMarks(script));
  const { cwds } = shell.state;
  shell.quietly(() => shell.walk.list(shell, list, NO_INPUT));
  const values = new Map([...shell.state.values].map(([name, value]) => [name, value.map((fields) => fields.map(unseen))]));
  shell.state = { ...shell.state, values, strict: false };
  if (moves !== true) shell.state = withFolders(shell.state, cwds);
  return open;
}
const unseen = (text: string): string => (isUnknown(text) && !text.includes(MARK.carried) ? text + MARK.carried : text);

/** All that can be read, up to a last command that still waits for its end. */
function wholeCommands(shell: Shell, script: string): { readonly list: CommandList; readonly open: string } {
  const lines = script.split('\n');
  for (let end = lines.length; end >= Math.max(0, lines.length - MAX_OPEN); end--) {
    const list = parse(lines.slice(0, end).join('\n'), shell.meter);
    if (list !== undefined) return { list, open: lines.slice(end).join('\n') };
  }
  shell.lost = true;
  return { list: [], open: '' };
}
