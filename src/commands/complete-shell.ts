import type { AnyCommand, CommandParameter, CompletionKind } from '../contracts/command.ts';
import type { CommandRegistry } from './registry.ts';
import { formatOptionName } from './usage-line.ts';

/** A word that a command line may go on with. */
export interface ShellWord {
  readonly word: string;
  readonly summary: string;
}

/** What may stand where the cursor is: words that are known, or one of a kind that has to be looked up. */
export interface ShellCompletion {
  readonly words: readonly ShellWord[];
  readonly kind?: CompletionKind;
  /** What stands before the value in the same word, as in `--model=`. */
  readonly prefix: string;
  /** The part of the value that is typed already. */
  readonly typed: string;
}

/** What stands in front of every command. */
const GLOBAL: readonly ShellWord[] = [
  { word: '--profile', summary: 'use this profile' },
  { word: '--help', summary: 'show the help' },
  { word: '--version', summary: 'show the version' },
];

/**
 * What a command line may go on with. `before` are the words before the cursor without the program and its profile, `typed` is
 * the beginning of the word at the cursor.
 */
export function completeShellLine(before: readonly string[], typed: string, registry: CommandRegistry): ShellCompletion {
  const plain = (words: readonly ShellWord[]): ShellCompletion => ({ words: startingWith(words, typed), prefix: '', typed });
  const named = before.slice(0, firstOption(before));
  const resolved = registry.resolve(named, 'shell');
  const isHelp = before[0] === 'help';
  const sub = named.length === before.length ? nextWords(isHelp ? before.slice(1) : before, registry) : [];
  if (resolved.type === 'unknown' || isHelp) return plain([...sub, ...(before.length === 0 && typed.startsWith('-') ? GLOBAL : [])]);
  const { command, taken } = resolved;
  const value = valueAt(command, before.slice(taken), typed);
  return { ...value, words: [...startingWith(sub, typed), ...value.words] };
}

const startingWith = (words: readonly ShellWord[], typed: string): ShellWord[] => words.filter(({ word }) => word.startsWith(typed));
const firstOption = (words: readonly string[]): number => {
  const index = words.findIndex((word) => word.startsWith('-'));
  return index === -1 ? words.length : index;
};

/** Words of names that begin like this, each once; an alias only where no name has the word. */
function nextWords(before: readonly string[], registry: CommandRegistry): readonly ShellWord[] {
  const found = new Map<string, string>();
  for (const { name, summary } of registry.at('shell')) {
    const words = name.split(' ');
    const next = words[before.length];
    if (next === undefined || !before.every((word, index) => words[index] === word) || found.has(next)) continue;
    const whole = words.slice(0, before.length + 1).join(' ');
    found.set(next, whole === name ? summary : (registry.group(whole)?.summary ?? summary));
  }
  if (before.length === 0) found.set('help', 'Show the help of a command');
  return [...found].map(([word, summary]) => ({ word, summary }));
}

/** Behind the name: the value of an option, an option, or the argument whose turn it is. */
function valueAt(command: AnyCommand, words: readonly string[], typed: string): ShellCompletion {
  const options = listOptions(command);
  const optionNamed = (name: string) => options.find(({ names }) => names.includes(name));
  const [, attached, rest = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const free = words.indexOf('--');
  if (attached !== undefined && free === -1) return forParameter(optionNamed(attached)?.one, rest, `${attached}=`);
  const last = words.at(-1);
  const asked = free === -1 && last !== undefined ? optionNamed(last) : undefined;
  if (asked?.one !== undefined && asked.one.kind !== 'flag') return forParameter(asked.one, typed, '');
  if (typed.startsWith('-') && free === -1) {
    const open = options.filter(({ names, one }) => one?.kind === 'list' || !names.some((name) => words.includes(name)));
    return {
      words: startingWith(
        open.map(({ word, summary }) => ({ word, summary })),
        typed,
      ),
      prefix: '',
      typed,
    };
  }
  const given = words.filter(
    (word, index) => word !== '--' && !word.startsWith('-') && !takesValue(optionNamed(words[index - 1] ?? '')?.one),
  );
  const declared = Object.values(command.arguments ?? {});
  const next = declared[given.length] ?? (declared.at(-1)?.kind === 'list' ? declared.at(-1) : undefined);
  return forParameter(next, typed, '');
}

const takesValue = (one: CommandParameter | undefined): boolean => one !== undefined && one.kind !== 'flag';

interface ShellOption extends ShellWord {
  readonly names: readonly string[];
  /** Absent for those that every command has. */
  readonly one?: CommandParameter;
}
/** What takes a safeguard away is not offered. */
function listOptions({ options = {}, json }: AnyCommand): readonly ShellOption[] {
  const own = Object.entries(options).flatMap(([key, one]): ShellOption[] => {
    const word = formatOptionName(key);
    const names = one.letter === undefined ? [word] : [word, `-${one.letter}`];
    return one.unsafe === true ? [] : [{ word, names, summary: one.description, one }];
  });
  const common = [...(json === undefined ? [] : [['--json', json] as const]), ['--help', 'show the help'] as const];
  return [...own, ...common.map(([word, summary]) => ({ word, names: [word], summary }))];
}

function forParameter(one: CommandParameter | undefined, typed: string, prefix: string): ShellCompletion {
  const choices = one?.kind === 'choice' ? one.choices.map((word) => ({ word, summary: '' })) : [];
  return {
    words: startingWith(choices, typed).map(({ word, summary }) => ({ word: `${prefix}${word}`, summary })),
    ...(one?.completes !== undefined && { kind: one.completes }),
    prefix,
    typed,
  };
}
