import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ChatFlags, Verbs } from './verbs.ts';

/** Parses the command line and runs one verb. Gives the exit code; usage mistakes are told on stderr with exit code 2. */
export async function runProgram(argv: readonly string[], verbs: Verbs, version: string): Promise<number> {
  let code = 0;
  const ends = (verb: Promise<number>) => verb.then((result) => void (code = result));
  const program = base(version);
  chatCommands(program, verbs, ends);
  sessionCommands(program, verbs, ends);
  insightCommands(program, verbs, ends);
  setupCommands(program, verbs, ends);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

type Ends = (verb: Promise<number>) => Promise<void>;

function base(version: string): Command {
  const program = new Command('hermes');
  program
    .description('One durable AI agent: it survives kills, keeps its prompt cache and loses no message.')
    .version(`hermes ${version}`, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for the options)')
    .configureHelp({ showGlobalOptions: true });
  return program;
}

function chatCommands(program: Command, verbs: Verbs, ends: Ends): void {
  chatOptions(program.command('chat').description('Ask once: the final answer goes to stdout, everything else to stderr'))
    .option('-q, --query <text>', 'the message; - reads it from stdin')
    .option('--query-file <path>', 'read the message from a file; - is stdin')
    .option('--resume <id>', 'go on with a session: an id, a unique beginning of one, or a title')
    .option('--continue', 'go on with the newest session of this folder')
    .action((flags: ChatFlags) => ends(verbs.chat(flags)));
  program
    .command('demo')
    .description('Watch the real agent and real tools work, driven by a scripted model; needs no key and no network')
    .option('--json', 'the events as JSON lines')
    .option('--fast', 'without the pauses of a live model')
    .action((flags) => ends(verbs.demo(flags)));
  program.action(() => ends(verbs.interactive()));
}

export function chatOptions(command: Command): Command {
  return command
    .option('--json', 'the events as JSON lines instead of the answer')
    .option('-m, --model <model>', 'the model, as its provider names it')
    .option('--provider <name>', 'the provider by name')
    .option('--base-url <url>', 'another address for the provider')
    .addOption(new Option('--api-mode <mode>', 'the wire format').choices(['chat_completions', 'anthropic_messages', 'responses']))
    .option('-t, --toolsets <names>', 'toolsets, separated by commas')
    .option('--max-turns <n>', 'model calls this turn may take; 0 means no limit', wholeNumber)
    .option('--ignore-rules', 'leave out SOUL.md, project context and hints')
    .option('--yolo', 'allow everything but the hard floor without asking')
    .option('--cwd <dir>', 'work in this folder');
}

function sessionCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const sessions = program.command('sessions').description('Look at, search and look after stored sessions');
  sessions
    .command('list')
    .description('newest first')
    .option('--limit <n>', 'how many', wholeNumber, 20)
    .option('--source <face>', 'only of this face')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.sessions.list(flags)));
  sessions
    .command('show <session>')
    .description('one session with its entries')
    .option('--json', '{session, entries}')
    .action((ref: string, flags) => ends(verbs.sessions.show(ref, flags)));
  sessions
    .command('search <words...>')
    .description('find words, "phrases", parts of words and CJK of any length; -word leaves out')
    .option('--limit <n>', 'how many', wholeNumber, 20)
    .option('--json', 'one JSON array')
    .action((words: string[], flags) => ends(verbs.sessions.search(words.join(' '), flags)));
  sessions
    .command('export <session> [file]')
    .description('write a session to a file or stdout')
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'md']).default('jsonl'))
    .action((ref: string, file: string | undefined, flags) => ends(verbs.sessions.export(ref, file, flags)));
  sessions.command('rename <session> <title>').description('give it a title').action((ref: string, title: string) => ends(verbs.sessions.rename(ref, title)));
  sessions
    .command('delete <session>')
    .description('remove a session for good')
    .option('--yes', 'without asking')
    .action((ref: string, flags) => ends(verbs.sessions.delete(ref, flags)));
  sessions
    .command('rebuild-prompt <session>')
    .description('start a new prompt for a session (the provider’s cache of the old one is lost)')
    .action((ref: string) => ends(verbs.sessions.rebuildPrompt(ref)));
  sessions.command('repair').description('check the store and rebuild everything derived').option('--json', 'as JSON').action((flags) => ends(verbs.sessions.repair(flags)));
  sessions.command('backup <file>').description('copy the live store to a file').action((file: string) => ends(verbs.sessions.backup(file)));
}

function insightCommands(program: Command, verbs: Verbs, ends: Ends): void {
  program
    .command('replay <session>')
    .description('run a stored session again offline and compare every request byte for byte')
    .option('--json', 'one JSON array, a row a call')
    .action((ref: string, flags) => ends(verbs.replay(ref, flags)));
  program
    .command('usage')
    .description('tokens by class, cache share and cost')
    .option('--session <id>', 'only of this session')
    .option('--explain <call>', 'why a call missed the cache')
    .option('--days <n>', 'of the last days', wholeNumber, 30)
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.usage(flags)));
  program.command('doctor').description('check the installation, the keys and the store').option('--json', 'one JSON array').action((flags) => ends(verbs.doctor(flags)));
}

function setupCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const config = program.command('config').description('Read and change settings');
  config.command('get [key]').description('a setting, or all that differ from their default').option('--json', 'as JSON').action((key: string | undefined, flags) => ends(verbs.config.get(key, flags)));
  config.command('set <key> <value>').description('change a setting; secrets go to .env').action((key: string, value: string) => ends(verbs.config.set(key, value)));
  config.command('path').description('where the settings file is').action(() => ends(verbs.config.path()));
  config.command('check').description('find mistakes in the settings file').option('--json', 'one JSON array').action((flags) => ends(verbs.config.check(flags)));
  config.command('schema').description('every setting with its default and where that comes from').option('--json', 'as JSON Schema').action((flags) => ends(verbs.config.schema(flags)));
  config.command('explain <key>').description('what a setting does, its value and where that comes from').action((key: string) => ends(verbs.config.explain(key)));
  const tools = program.command('tools').description('The tools of the agent');
  tools
    .command('list')
    .description('every tool and toolset')
    .option('-t, --toolsets <names>', 'only of these toolsets')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.tools.list(flags)));
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw new InvalidArgumentError('must be a whole number, 0 or more');
  return number;
}
