import { Option, type Command } from 'commander';
import { nearest } from '../../base/text.ts';
import type { Ends, Verbs } from './verbs.ts';
import { wholeNumber } from './whole-number.ts';

export function sessionCommands(program: Command, verbs: Verbs, ends: Ends): void {
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
    .allowUnknownOption()
    .action((words: string[], flags, command: Command) => ends(verbs.sessions.search(searchWords(words, command), flags)));
  sessions
    .command('export <session> [file]')
    .description('write a session to a file or stdout')
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'md']).default('jsonl'))
    .action((ref: string, file: string | undefined, flags) => ends(verbs.sessions.export(ref, file, flags)));
  sessions
    .command('rename <session> <title>')
    .description('give it a title')
    .action((ref: string, title: string) => ends(verbs.sessions.rename(ref, title)));
  sessions
    .command('delete <session>')
    .description('remove a session for good')
    .option('--yes', 'without asking')
    .action((ref: string, flags) => ends(verbs.sessions.delete(ref, flags)));
  sessions
    .command('rebuild-prompt <session>')
    .description('start a new prompt for a session (the provider’s cache of the old one is lost)')
    .action((ref: string) => ends(verbs.sessions.rebuildPrompt(ref)));
  sessions
    .command('compress <session> [topic]')
    .description('shorten what the model sees of a session now, keeping the topic above all; the log keeps everything')
    .option('--json', 'the events as JSON lines')
    .action((ref: string, topic: string | undefined, flags) => ends(verbs.sessions.compress(ref, topic, flags)));
  sessions
    .command('repair')
    .description('check the store and rebuild everything derived')
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.sessions.repair(flags)));
  sessions
    .command('backup <file>')
    .description('copy the live store to a file')
    .action((file: string) => ends(verbs.sessions.backup(file)));
}

/** `-word` is a word to leave out; `--word` can only be a mistyped flag. */
function searchWords(words: readonly string[], command: Command): string {
  const flag = words.find((word) => word.startsWith('--'));
  if (flag === undefined) return words.join(' ');
  const guess = nearest(
    flag,
    command.options.flatMap(({ long }) => long ?? []),
  );
  return command.error(`error: unknown option '${flag}'${guess === undefined ? '' : `\n(Did you mean ${guess}?)`}`);
}
