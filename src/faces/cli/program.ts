import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { findNearest } from '../../base/text.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { titleOfCategory } from '../../commands/category.ts';
import type { CommandRegistry } from '../../commands/registry.ts';
import { takesProse } from '../../commands/slash.ts';
import { formatArgument, formatOptionFlags, formatOptionName, formatCommandUsage } from '../../commands/usage-line.ts';
import type { AnyCommand, CommandValues, CommandParameter, ParameterValue } from '../../contracts/command.ts';

/** Runs one command with its values. Gives the exit code. */
export type RunOne = (command: AnyCommand, values: CommandValues, json: boolean) => Promise<number>;

export interface ShellRunner {
  readonly version: string;
  readonly run: RunOne;
  /** Why a word is no command, where somebody knows. */
  explain?(word: string): string | undefined;
}

/** Parses the command line and runs one command. Gives the exit code; usage mistakes are told on stderr with exit code 2. */
export async function runProgram(
  argv: readonly string[],
  registry: CommandRegistry,
  { version, run, explain }: ShellRunner,
): Promise<number> {
  let code = 0;
  const program = buildProgram(registry, version, async (...one) => void (code = await run(...one)));
  try {
    const words = inFull(argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv], registry);
    refuseUnknown(program, words, (word) => inSession(word, registry) ?? explain?.(word));
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** What was typed by an alias or by the beginning of a name, by the name itself. */
function inFull(words: readonly string[], registry: CommandRegistry): string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  const found = registry.resolve(end === -1 ? words : words.slice(0, end), 'shell');
  if (found.type === 'found') return [...found.command.name.split(' '), ...words.slice(found.taken)];
  const [first = '', ...rest] = words;
  const groups = new Set(registry.at('shell').flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])));
  const meant = [...groups].filter((group) => first !== '' && group.startsWith(first));
  return meant.length === 1 && !groups.has(first) ? [...meant, ...rest] : [...words];
}

/** A mistyped command is told even where `--help` stands behind it, which commander would answer first. */
function refuseUnknown(program: Command, words: readonly string[], explain: (word: string) => string | undefined): void {
  let here = program;
  for (const word of words) {
    if (here.commands.length === 0 || word === 'help' || word.startsWith('-')) return;
    const next = here.commands.find((command) => command.name() === word);
    // `hermes trust DIR` beside `hermes trust list`: the word is an argument.
    if (next === undefined && here.registeredArguments.length > 0) return;
    if (next === undefined) {
      const elsewhere = here === program ? explain(word) : undefined;
      if (elsewhere !== undefined) return here.error(`error: ${elsewhere}`);
      const guess = findNearest(
        word,
        here.commands.map((command) => command.name()),
      );
      const isMessage = here === program && (guess === undefined || word.includes(' '));
      return here.error(
        [
          `error: unknown command '${word}'`,
          ...(guess === undefined ? [] : [`(Did you mean ${guess}?)`]),
          ...(isMessage ? ['To ask the agent something: hermes chat -q "…"'] : []),
        ].join('\n'),
      );
    }
    here = next;
  }
}

/** Where a command of a session is given, for somebody who looks for it on the command line. */
function inSession(word: string, registry: CommandRegistry): string | undefined {
  const found = registry.resolve([word], 'terminal');
  if (found.type === 'unknown' || found.by === 'prefix') return undefined;
  const { command, called } = found;
  if (!Object.values({ ...command.arguments, ...command.options }).some(({ session }) => session !== undefined)) return undefined;
  const here = command.where.includes('shell') ? `, or hermes ${formatCommandUsage(command)}` : '';
  return `${word} is given in a session: hermes chat --continue -q "/${called}"${here}`;
}

type RunCommand = (command: AnyCommand, values: CommandValues, json: boolean) => Promise<void>;

/** Every command of a shell with its options, help and examples, made from the records. */
export function buildProgram(registry: CommandRegistry, version: string, act: RunCommand): Command {
  const program = base(version, unsafeOptions(registry));
  for (const command of registry.at('shell')) addCommand(program, command, registry, act);
  showExamples(program, EXAMPLES);
  return program;
}

const EXAMPLES = [
  'hermes                         open the terminal UI',
  'hermes --continue              continue the newest session of this folder',
  'hermes chat -q "what is in this folder?"',
  'hermes demo                    no key needed',
  'hermes doctor                  what is missing to start',
];
const showExamples = (command: Command, examples: readonly string[]): void => {
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
};

function base(version: string, unsafe: ReadonlySet<string>): Command {
  const program = new Command('hermes');
  program
    .description(
      'One durable AI agent: it survives kills, keeps its prompt cache and loses no message. Without a command it opens the terminal UI, with the options of chat.',
    )
    .version(`hermes ${version}`, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('Run it with --help for usage.')
    .commandsGroup(`${titleOfCategory('help')}:`)
    .helpCommand('help [command]', 'Show the help of a command')
    .configureHelp({ minWidthToWrap: 24, formatItem, visibleOptions })
    .configureOutput({ outputError: (words, write) => write(withoutUnsafe(words.replace(/^error: /, 'hermes: '), unsafe)) });
  return program;
}

/** It is taken off the line before a command reads it, as the first thing of all: it decides where everything lies. */
const PROFILE = new Option('-p, --profile <name>', 'use this profile; it goes before the command');
const visibleOptions = (command: Command): Option[] => {
  const own = Help.prototype.visibleOptions.call(new Help(), command);
  return command.parent === null ? [PROFILE, ...own] : own;
};

/** Narrower than this a description stands below what it describes: beside it there would be no room. */
const BESIDE_COLUMNS = 60;

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const columns = helper.helpWidth ?? 80;
  if (columns >= BESIDE_COLUMNS || description === '') return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  return [`  ${term}`, ...wrapText(description, columns - 6).map((line) => `      ${line}`)].join('\n');
}

const unsafeOptions = (registry: CommandRegistry): ReadonlySet<string> =>
  new Set(
    registry
      .at('shell')
      .flatMap(({ options = {} }) => Object.entries(options).flatMap(([key, one]) => (one.unsafe === true ? [formatOptionName(key)] : []))),
  );

/** What takes a safeguard away is nobody's typing error. */
const withoutUnsafe = (words: string, unsafe: ReadonlySet<string>): string =>
  words.replace(/\n\(Did you mean (?:one of )?(.*)\?\)/, (_all, list: string) => {
    const names = list.split(', ').filter((name) => !unsafe.has(name));
    return names.length === 0 ? '' : `\n(Did you mean ${names.length === 1 ? '' : 'one of '}${names.join(', ')}?)`;
  });

function addCommand(program: Command, record: AnyCommand, registry: CommandRegistry, act: RunCommand): void {
  const words = record.name.split(' ');
  const last = words.pop() ?? '';
  const parent = parentOf(program, words, registry, record);
  const command = (parent.commands.find((each) => each.name() === last) ?? parent.command(last)).description(record.summary);
  if (parent === program) command.helpGroup(`${titleOfCategory(record.category)}:`);
  if (record.aliases !== undefined) command.addHelpText('after', `\nAlso: ${record.aliases.map((alias) => `hermes ${alias}`).join(', ')}`);
  for (const [key, one] of Object.entries(record.arguments ?? {})) command.addArgument(argumentFor(key, one));
  for (const [key, one] of Object.entries(record.options ?? {})) command.addOption(optionFor(key, one));
  if (record.json !== undefined) command.option('--json', record.json);
  if (takesProse(record)) command.allowUnknownOption();
  if (takesMessage(record)) command.allowExcessArguments();
  showExamples(command, record.examples);
  command.action(() => {
    refuseFlags(record, command);
    if (takesMessage(record) && command.args.length > 0)
      command.error(`error: the message goes behind -q: hermes ${record.name} -q ${JSON.stringify(command.args.join(' '))}`);
    const values = valuesOf(record, command);
    const { json, ...rest } = values;
    return act(record, record.json === undefined ? values : rest, json === true);
  });
}

/** The command its first words name: one of its own, or a group. */
function parentOf(program: Command, words: readonly string[], registry: CommandRegistry, { category }: AnyCommand): Command {
  let here = program;
  for (const [index, word] of words.entries()) {
    const there = here.commands.find((command) => command.name() === word);
    const group = registry.group(words.slice(0, index + 1).join(' '));
    const next = there ?? here.command(word).description(group?.summary ?? `Commands of ${word}`);
    if (there === undefined) showExamples(next, group?.examples ?? []);
    if (there === undefined && here === program) next.helpGroup(`${titleOfCategory(category)}:`);
    here = next;
  }
  return here;
}

function argumentFor(key: string, one: CommandParameter): Argument {
  const argument = new Argument(formatArgument(key, one), one.description);
  // Its own list of choices would stand in the help behind a description that names them already.
  if (one.kind === 'choice')
    argument.argParser((value: string) => {
      if (!one.choices.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${one.choices.join(', ')}.`);
      return value;
    });
  return argument;
}

function optionFor(key: string, one: CommandParameter): Option {
  const option = new Option(formatOptionFlags(key, one), one.description);
  if (one.kind === 'choice') option.choices(one.choices);
  if (one.conflicts !== undefined) option.conflicts(one.conflicts);
  if (one.kind === 'whole_number') option.argParser(wholeNumber);
  if (one.kind === 'list') option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  if ('default' in one && one.default !== undefined) option.default(one.default);
  return option;
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return number;
}

/**
 * What was typed, by the names of the record, however those are written (`dryRun` or `dry-run`). A command below another
 * (`prompt scan`) finds some of its options at that one.
 */
function valuesOf(record: AnyCommand, command: Command): Record<string, ParameterValue> {
  const given = Object.keys(record.arguments ?? {}).map((key, index): [string, unknown] => [key, command.processedArgs[index]]);
  const options: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const known = [...Object.keys(record.options ?? {}), ...(record.json === undefined ? [] : ['json'])];
  return Object.fromEntries([...given, ...known.map((key): [string, unknown] => [key, options[parsedName(key)]])].filter(isGiven));
}
const parsedName = (key: string): string => new Option(formatOptionName(key)).attributeName();
const isGiven = (row: [string, unknown]): row is [string, ParameterValue] => row[1] !== undefined;

/** Free words may begin with `-`; one that begins with `--` can only be a mistyped option. */
function refuseFlags(record: AnyCommand, command: Command): void {
  const flag = takesProse(record) ? command.args.find((word) => word.startsWith('--')) : undefined;
  if (flag === undefined) return;
  const guess = findNearest(
    flag,
    command.options.flatMap(({ long }) => long ?? []),
  );
  command.error(`error: unknown option '${flag}'${guess === undefined ? '' : `\n(Did you mean ${guess}?)`}`);
}

/** Words behind such a command are a message without its `-q`, most of the time. */
const takesMessage = ({ options = {} }: AnyCommand): boolean => 'query' in options;
