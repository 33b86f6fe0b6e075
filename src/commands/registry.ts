import { createRegistry } from '../base/registry.ts';
import { findNearest } from '../base/text.ts';
import type { AnyCommand, CommandGroup, CommandSurface } from '../contracts/command.ts';

/** The commands of a program: an open list that a host and its plugins add to and take from. */
export interface CommandRegistry {
  /** Of two with one name the latest wins; disposing what is given takes the command back and reveals the one before it. */
  add(command: AnyCommand): Disposable;
  /** In the order they were first added, each name once. */
  all(): readonly AnyCommand[];
  /** Those that can be given at a place. */
  at(place: CommandSurface): readonly AnyCommand[];
  group(name: string): CommandGroup | undefined;
  /** By name or alias, in full, as on a command line. */
  find(name: string): AnyCommand | undefined;
  /** What the first words mean: on a command line by names and aliases, in a session by what commands are called there. */
  resolve(words: readonly string[], place: CommandSurface): CommandResolution;
}

export type CommandResolution =
  | {
      readonly type: 'found';
      readonly command: AnyCommand;
      /** The name it was called by, in full. */
      readonly called: string;
      /** How many of the words are the name. */
      readonly taken: number;
      readonly by: 'name' | 'prefix';
    }
  /** `candidates` are names a prefix could stand for, or the one that was probably meant. */
  | { readonly type: 'unknown'; readonly candidates: readonly string[] };

export function createCommandRegistry(commands: Iterable<AnyCommand> = [], groups: readonly CommandGroup[] = []): CommandRegistry {
  const added = createRegistry<AnyCommand>();
  const add = (command: AnyCommand): Disposable => added.add(command.name, command);
  for (const command of commands) add(command);
  const all = (): AnyCommand[] => [...added.entries().values()];
  const at = (place: CommandSurface): AnyCommand[] => all().filter(({ where }) => where.includes(place));
  return {
    add,
    all,
    at,
    group: (name) => groups.find((group) => group.name === name),
    find: (name) => all().find((command) => command.name === name) ?? all().find(({ aliases = [] }) => aliases.includes(name)),
    resolve: (words, place) =>
      resolve(
        words.map((word) => word.toLowerCase()),
        namedBy(at(place), place === 'shell' ? shellNames : listSlashNames),
      ),
  };
}

/** What a command is called in a session, the usual name first. */
export const listSlashNames = ({ name, aliases = [], slash }: Pick<AnyCommand, 'name' | 'aliases' | 'slash'>): readonly string[] =>
  slash ?? [name, ...aliases];
const shellNames = ({ name, aliases = [] }: AnyCommand): readonly string[] => [name, ...aliases];

interface NamedCommand {
  readonly command: AnyCommand;
  readonly called: string;
  readonly words: readonly string[];
}

/** Every name once: the usual names first, so that no alias takes one away. */
function namedBy(commands: readonly AnyCommand[], namesOf: (command: AnyCommand) => readonly string[]): NamedCommand[] {
  const rows = commands.map((command) => namesOf(command).map((called) => ({ command, called, words: called.split(' ') })));
  const all = [...rows.flatMap(([usual]) => usual ?? []), ...rows.flatMap(([, ...others]) => others)];
  return [...new Map(all.toReversed().map((row) => [row.called, row])).values()].toReversed();
}

/** The longest name wins: `/rollback diff 2` is not `/rollback` with the file `diff`. A beginning stands for one word of one command or for nothing. */
function resolve(words: readonly string[], named: readonly NamedCommand[]): CommandResolution {
  let open = named;
  let found: NamedCommand | undefined;
  let by: 'name' | 'prefix' = 'name';
  let foundBy: 'name' | 'prefix' = 'name';
  for (const [index, word] of words.entries()) {
    const meant = wordMeant(word, index, open);
    if (meant === undefined) break;
    if (meant !== word) by = 'prefix';
    open = open.filter((row) => row.words[index] === meant);
    const whole = open.find((row) => row.words.length === index + 1);
    if (whole !== undefined) [found, foundBy] = [whole, by];
  }
  if (found !== undefined) return { type: 'found', command: found.command, called: found.called, taken: found.words.length, by: foundBy };
  return { type: 'unknown', candidates: candidatesFor(words, named) };
}

/** The word at a place in a name that is meant: itself, or the one that begins like it. Two names of one command are one meaning. */
function wordMeant(word: string, index: number, named: readonly NamedCommand[]): string | undefined {
  if (word === '') return undefined;
  const rows = named.filter((row) => row.words[index]?.startsWith(word));
  const meant = new Set(rows.flatMap(({ words }) => words[index] ?? []));
  if (meant.has(word)) return word;
  const [first] = meant;
  return meant.size === 1 || new Set(rows.map(({ command }) => command)).size === 1 ? first : undefined;
}

/** Behind a group's own word its commands are meant; else those a prefix could be, or the nearest. */
function candidatesFor([first = '', second]: readonly string[], named: readonly NamedCommand[]): readonly string[] {
  const names = named.map(({ called }) => called);
  const group = wordMeant(first, 0, named);
  if (group !== undefined) {
    const inGroup = names.filter((name) => name.startsWith(`${group} `));
    const guess = second === undefined ? undefined : findNearest(`${group} ${second}`, inGroup);
    return guess === undefined ? inGroup : [guess];
  }
  const heads = [...new Set(named.map(({ words }) => words[0] ?? ''))];
  const meant = first === '' ? [] : heads.filter((head) => head.startsWith(first));
  const guess = meant.length > 0 ? undefined : findNearest(first, heads);
  return guess === undefined ? meant : [guess];
}
