import type { AnyCommand, CommandParameter } from '../contracts/command.ts';

/** An option as it is typed: `baseUrl` is `--base-url`. */
export const formatOptionName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `-m, --model <model>`. */
export const formatOptionFlags = (key: string, one: CommandParameter): string =>
  `${one.letter === undefined ? '' : `-${one.letter}, `}${formatLongOption(key, one)}`;
/** `--model <model>`, which is all a session knows. */
export const formatLongOption = (key: string, { kind, placeholder = key }: CommandParameter): string =>
  `${formatOptionName(key)}${kind === 'flag' ? '' : ` <${placeholder}>`}`;

/** `<session>`, `[topic]`, `<words...>`. */
export function formatArgument(key: string, { kind, required, placeholder = key }: CommandParameter): string {
  const name = `${placeholder}${kind === 'list' ? '...' : ''}`;
  return required === true ? `<${name}>` : `[${name}]`;
}

/** What is typed on a command line behind `hermes`. */
export const formatCommandUsage = ({ name, arguments: declared = {} }: AnyCommand): string =>
  [name, ...Object.entries(declared).map(([key, one]) => formatArgument(key, one))].join(' ');

/** More options than these are in the help of their command alone. */
const MAX_LISTED_OPTIONS = 4;
export const MANY_OPTIONS = '[options]';

/** What is typed in a session, in one line: nobody names the session there. */
export function formatSlashUsage({ arguments: declared = {}, options = {} }: AnyCommand, called: string): string {
  const typed = Object.entries(declared).filter(([, one]) => one.session === undefined);
  const chosen = Object.entries(options).filter(([, one]) => one.session === undefined);
  return [
    `/${called}`,
    ...typed.map(([key, one]) => formatArgument(key, one)),
    ...(chosen.length > MAX_LISTED_OPTIONS ? [MANY_OPTIONS] : chosen.map(([key, one]) => `[${formatLongOption(key, one)}]`)),
  ].join(' ');
}
