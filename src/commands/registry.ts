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
  /** What the first words mean in a session. */
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
    find: (name) => all().find((command) => [command.name, ...(command.aliases ?? [])].includes(name)),
    resolve: (words, place) =>
      resolve(
        words.map((word) => word.toLowerCase()),
        at(place),
      ),
  };
}

/** What a command is called in a session, the usual name first. */
export const slashNames = ({ name, aliases = [], slash }: AnyCommand): readonly string[] => slash ?? [name, ...aliases];

/** The longest name wins: `/rollback diff 2` is not `/rollback` with the file `diff`. A prefix stands for one first word or for nothing. */
function resolve(words: readonly string[], commands: readonly AnyCommand[], by: 'name' | 'prefix' = 'name'): CommandResolution {
  const named = commands.flatMap((command) => slashNames(command).map((called) => ({ command, called, taken: called.split(' ').length })));
  const found = named
    .filter(({ called, taken }) => words.slice(0, taken).join(' ') === called)
    .toSorted((one, other) => other.taken - one.taken)[0];
  if (found !== undefined) return { type: 'found', ...found, by };
  const [first = '', ...rest] = words;
  const heads = [...new Set(named.map(({ called }) => called.split(' ')[0] ?? ''))];
  const meant = heads.filter((head) => head.startsWith(first));
  const [only, ...others] = meant;
  if (first !== '' && only !== undefined && only !== first && others.length === 0) return resolve([only, ...rest], commands, 'prefix');
  return {
    type: 'unknown',
    candidates: candidatesFor(
      first,
      rest[0],
      meant,
      named.map(({ called }) => called),
    ),
  };
}

/** Behind a group's own word its commands are meant; else those a prefix could be, or the nearest. */
function candidatesFor(first: string, second: string | undefined, meant: readonly string[], names: readonly string[]): readonly string[] {
  const inGroup = names.filter((name) => name.startsWith(`${first} `));
  if (inGroup.length > 0) {
    const guess = second === undefined ? undefined : findNearest(`${first} ${second}`, inGroup);
    return guess === undefined ? inGroup : [guess];
  }
  if (first !== '' && meant.length > 0) return meant;
  const guess = findNearest(first, [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]);
  return guess === undefined ? [] : [guess];
}
