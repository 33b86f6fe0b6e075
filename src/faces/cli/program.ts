import { Command, CommanderError, Option } from 'commander';
import { nearest } from '../../base/text.ts';
import { CHAT_OPTIONS } from './chat-options.ts';
import { EXAMPLES } from './examples.ts';
import { mcpCommands } from './mcp-commands.ts';
import { promptCommands } from './prompt-commands.ts';
import { safetyCommands } from './safety-commands.ts';
import { sessionCommands } from './session-commands.ts';
import { undoCommands } from './undo-commands.ts';
import type { ChatFlags, Ends, Verbs } from './verbs.ts';
import { wholeNumber } from './whole-number.ts';

/** Parses the command line and runs one verb. Gives the exit code; usage mistakes are told on stderr with exit code 2. */
export async function runProgram(argv: readonly string[], verbs: Verbs, version: string): Promise<number> {
  // No default action for commander: it would take a mistyped command for its argument.
  if (argv.length === 0) return verbs.interactive();
  let code = 0;
  const program = buildProgram(verbs, version, (verb) => verb.then((result) => void (code = result)));
  try {
    const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
    refuseUnknown(program, words);
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** A mistyped command is told even where `--help` stands behind it, which commander would answer first. */
function refuseUnknown(program: Command, words: readonly string[]): void {
  let here = program;
  for (const word of words) {
    if (here.commands.length === 0 || word === 'help' || word.startsWith('-')) return;
    const next = here.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const guess = nearest(
        word,
        here.commands.map((command) => command.name()),
      );
      return here.error(`error: unknown command '${word}'${guess === undefined ? '' : `\n(Did you mean ${guess}?)`}`);
    }
    here = next;
  }
}

/** Every command with its options, help and examples. */
export function buildProgram(verbs: Verbs, version: string, ends: Ends): Command {
  const program = base(version);
  chatCommands(program, verbs, ends);
  sessionCommands(program, verbs, ends);
  insightCommands(program, verbs, ends);
  promptCommands(program, verbs, ends);
  mcpCommands(program, verbs, ends);
  setupCommands(program, verbs, ends);
  safetyCommands(program, verbs, ends);
  undoCommands(program, verbs, ends);
  showExamples(program, 'hermes');
  return program;
}

function showExamples(command: Command, path: string): void {
  const examples = EXAMPLES[path];
  if (examples !== undefined) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  for (const child of command.commands) showExamples(child, `${path} ${child.name()}`);
}

function base(version: string): Command {
  const program = new Command('hermes');
  program
    .description('One durable AI agent: it survives kills, keeps its prompt cache and loses no message.')
    .version(`hermes ${version}`, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for the options)')
    .helpCommand('help [command]', 'the help of a command')
    .configureOutput({ outputError: (words, write) => write(words.replace(/^error: /, 'hermes: ')) });
  return program;
}

function chatCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const chat = program
    .command('chat')
    .description('Ask once: the final answer goes to stdout, everything else to stderr')
    .allowExcessArguments();
  chatOptions(chat).action((flags: ChatFlags, command: Command) => {
    if (command.args.length > 0)
      command.error(`error: the message goes behind -q: hermes chat -q ${JSON.stringify(command.args.join(' '))}`);
    return ends(verbs.chat(flags));
  });
  program
    .command('demo')
    .description('Watch the real agent and real tools work, driven by a scripted model; needs no key and no network')
    .option('--json', 'the events as JSON lines')
    .option('--fast', 'without the pauses of a live model')
    .action((flags) => ends(verbs.demo(flags)));
}

function chatOptions(command: Command): Command {
  for (const { flags, describe, choices, conflicts, kind } of CHAT_OPTIONS) {
    const option = new Option(flags, describe);
    if (choices !== undefined) option.choices(choices);
    if (conflicts !== undefined) option.conflicts(conflicts);
    if (kind === 'whole number') option.argParser(wholeNumber);
    command.addOption(option);
  }
  return command;
}

function insightCommands(program: Command, verbs: Verbs, ends: Ends): void {
  program
    .command('replay <session>')
    .description('Run a stored session again offline and compare every request byte for byte')
    .option('--json', 'one JSON array, a row a call')
    .action((ref: string, flags) => ends(verbs.replay(ref, flags)));
  program
    .command('usage')
    .description('Tokens by class, cache share and cost')
    .option('--session <id>', 'only of this session')
    .option('--explain <call>', 'why a call missed the cache')
    .option('--days <n>', 'of the last days; 0 means all (30, or all of a named session, when left out)', wholeNumber)
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.usage(flags)));
  program
    .command('doctor')
    .description('Check the installation, the keys and the store')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.doctor(flags)));
}

function setupCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const config = program.command('config').description('Read and change settings');
  config
    .command('get [key]')
    .description('a setting, or all that differ from their default')
    .option('--json', 'as JSON')
    .action((key: string | undefined, flags) => ends(verbs.config.get(key, flags)));
  config
    .command('set <key> <value>')
    .description('change a setting; secrets go to .env')
    .action((key: string, value: string) => ends(verbs.config.set(key, value)));
  config
    .command('path')
    .description('where the settings file is')
    .action(() => ends(verbs.config.path()));
  config
    .command('check')
    .description('find mistakes in the settings file')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.config.check(flags)));
  config
    .command('schema')
    .description('every setting with its default and where that comes from')
    .option('--json', 'as JSON Schema')
    .action((flags) => ends(verbs.config.schema(flags)));
  config
    .command('explain <key>')
    .description('what a setting does, its value and where that comes from')
    .action((key: string) => ends(verbs.config.explain(key)));
}
