import type { AnyCommand, CommandCompletion } from '../contracts/command.ts';
import { listSlashNames } from './registry.ts';
import { formatOptionName } from './usage-line.ts';

/** A name that may stand behind a slash and is no command: a skill. */
export interface OtherName {
  readonly name: string;
  readonly summary: string;
}

/** What a line that is being typed may become, in the order of help. A line that is no beginning of a command becomes nothing. */
export function completeLine(line: string, commands: readonly AnyCommand[], others: readonly OtherName[]): readonly CommandCompletion[] {
  const [, typed] = /^\s*\/([^\n]*)$/.exec(line) ?? [];
  if (typed === undefined) return [];
  const begun = typed.toLowerCase().trimStart();
  const names = commands.flatMap((command) => nameOf(command, begun));
  const skills = others.filter(({ name }) => name.toLowerCase().startsWith(begun));
  const named = [...names, ...skills.map(({ name, summary }) => ({ line: `/${name} `, summary }))];
  return named.length > 0 ? named : wordsBehind(typed, commands);
}

/** The usual name, unless only another of its names begins like this. */
function nameOf(command: AnyCommand, begun: string): readonly CommandCompletion[] {
  const name = listSlashNames(command).find((each) => each.startsWith(begun));
  return name === undefined ? [] : [{ line: `/${name} `, summary: command.summary }];
}

/** Behind the name: choices of the argument that comes next, and options that are not there yet. */
function wordsBehind(typed: string, commands: readonly AnyCommand[]): readonly CommandCompletion[] {
  const named = commands.flatMap((command) => listSlashNames(command).map((name) => ({ command, name })));
  const found = named
    .filter(({ name }) => typed.toLowerCase().startsWith(`${name} `))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (found === undefined) return [];
  const words = typed.slice(found.name.length).trimStart().split(/\s+/);
  const last = words.pop() ?? '';
  const { arguments: declared = {}, options = {} } = found.command;
  const next = Object.values(declared).filter(({ session }) => session === undefined)[
    words.filter((word) => !word.startsWith('--')).length
  ];
  const choices = next?.kind === 'choice' ? next.choices.map((word) => ({ word, summary: next.description })) : [];
  const more = Object.entries(options)
    .filter(([key, { session }]) => session === undefined && !words.includes(formatOptionName(key)))
    .map(([key, { description }]) => ({ word: formatOptionName(key), summary: description }));
  const before = typed.slice(0, typed.length - last.length);
  return [...choices, ...more]
    .filter(({ word }) => word.startsWith(last) && word !== last)
    .map(({ word, summary }) => ({ line: `/${before}${word} `, summary }));
}
