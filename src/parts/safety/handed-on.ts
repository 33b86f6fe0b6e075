import { operands } from './arguments.ts';
import { isUnknown } from './marks.ts';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);
const SOURCES: ReadonlySet<string> = new Set(['source', '.']);
const INPUT = /^\/dev\/(?:stdin|fd\/0)$/;

/** Options whose value is a command line. */
const HANDS_ON: readonly { readonly names: ReadonlySet<string>; readonly option: RegExp }[] = [
  { names: SHELLS, option: /^-\w*c$/ },
  { names: new Set(['su', 'runuser', 'flock', 'script']), option: /^(?:-\w*c|--command)$/ },
  { names: new Set(['env']), option: /^(?:-\w*S|--split-string)$/ },
];

export const isShell = (name: string): boolean => SHELLS.has(name);

/** The lines a command gives to another shell to run, among its words or through its input. */
export const linesHandedOn = (name: string, args: readonly string[], fed: readonly string[]): readonly string[] => [
  ...handedOn(name, args),
  ...(runsInput(name, args) ? fed : []),
];

/** What a command gives to another shell to run, as a line. */
export function handedOn(name: string, args: readonly string[]): string[] {
  if (name === 'eval') return [args.join(' ')];
  const option = HANDS_ON.find(({ names }) => names.has(name))?.option;
  const at = option === undefined ? -1 : args.findIndex((word) => option.test(word));
  const line = at < 0 ? undefined : args[at + 1];
  return line === undefined ? [] : [line];
}

/** A shell without a script of its own reads its commands from its input. */
export function runsInput(name: string, args: readonly string[]): boolean {
  if (SOURCES.has(name)) return INPUT.test(args[0] ?? '');
  if (!isShell(name) || args.some((word) => /^-\w*c$/.test(word))) return false;
  const script = args.find((word, index) => !/^[-+]/.test(word) && !/^[-+]\w*[oO]$|^--(?:rcfile|init-file)$/.test(args[index - 1] ?? ''));
  return script === undefined || INPUT.test(script) || args.some((word) => /^-\w*s$/.test(word));
}

/** A shell whose script is only known when another command has put it out. */
export const runsUnknown = (name: string, args: readonly string[]): boolean =>
  (isShell(name) || SOURCES.has(name)) && isUnknown(operands(args)[0] ?? '');
