import type { Command } from 'commander';
import type { Ends, PromptFlags, Verbs } from './verbs.ts';

/** What the model is told at the start: the prompt, and what stands in it of memory and skills. */
export function promptCommands(program: Command, verbs: Verbs, ends: Ends): void {
  showPrompt(program, verbs, ends);
  memoryCommands(program, verbs, ends);
  skillCommands(program, verbs, ends);
}

function showPrompt(program: Command, verbs: Verbs, ends: Ends): void {
  const prompt = program
    .command('prompt')
    .description('The system prompt a new session would get, slot by slot')
    .option('--platform <name>', 'as on this platform (cli when left out)')
    .option('-m, --model <model>', 'for this model')
    .option('--provider <name>', 'on this provider')
    .option('--cwd <dir>', 'in this working directory')
    .option('-t, --toolsets <names>', 'with these toolsets')
    .option('--ignore-rules', 'without SOUL.md and project files')
    .option('--json', 'as JSON: {slots, text}')
    .action((flags: PromptFlags) => ends(verbs.prompt.show(flags)));
  prompt
    .command('scan <files...>')
    .description('look for hidden instructions in files, as in those of a project')
    .option('--json', 'one JSON array')
    .action((files: string[], flags, command: Command) => ends(verbs.prompt.scan(files, command.optsWithGlobals())));
  prompt
    .command('allow <file>')
    .description('let this very text through although the scanner found something in it')
    .option('--remove', 'no longer')
    .action((file: string, flags) => ends(verbs.prompt.allow(file, flags)));
}

function memoryCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const memory = program.command('memory').description('What the agent remembers between sessions');
  memory
    .command('list')
    .description('both stores, with where each entry came from')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.memory.list(flags)));
  memory
    .command('add <target> <words>')
    .description('add an entry; target is memory or user')
    .action((target: string, words: string) => ends(verbs.memory.add(target, words)));
  memory
    .command('remove <target> <entry>')
    .description('remove an entry, by its number in the list or by words only it has')
    .action((target: string, entry: string) => ends(verbs.memory.remove(target, entry)));
  memory
    .command('path')
    .description('where the files are')
    .action(() => ends(verbs.memory.path()));
}

function skillCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const skills = program.command('skills').description('Procedures the agent can load');
  skills
    .command('list')
    .description('every skill by category, and what hides those that are not shown')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.skills.list(flags)));
  skills
    .command('view <name> [file]')
    .description('a skill as the model would see it, or one of its files')
    .action((name: string, file: string | undefined) => ends(verbs.skills.view(name, file)));
  skills
    .command('install <source>')
    .description('from a folder, a SKILL.md, its URL, or owner/repo[/path] on GitHub')
    .option('--category <name>', 'put it under this category')
    .option('--name <name>', 'call it this')
    .option('--force', 'although the scanner has doubts (never when they are severe)')
    .option('-y, --yes', 'without asking')
    .action((source: string, flags) => ends(verbs.skills.install(source, flags)));
  skills
    .command('remove <name>')
    .description('move an installed or own skill to the trash')
    .action((name: string) => ends(verbs.skills.remove(name)));
  skills
    .command('check')
    .description('find broken, suspicious, edited and outdated skills')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.skills.check(flags)));
}
