import type { Command } from 'commander';
import type { Ends, Verbs } from './verbs.ts';

/** What the agent changed and deleted, and how to have it back. */
export function undoCommands(program: Command, verbs: Verbs, ends: Ends): void {
  checkpointCommands(program, verbs, ends);
  trashCommands(program, verbs, ends);
}

function checkpointCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const checkpoints = program.command('checkpoints').description('Files as they were before the agent changed them');
  const placed = (command: Command): Command => command.option('--cwd <dir>', 'of this folder instead of the present one');
  placed(checkpoints.command('list').description('newest first'))
    .option('--everywhere', 'of all folders')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.checkpoints.list(flags)));
  placed(checkpoints.command('show <checkpoint>').description('one of them, by number or id, with its files'))
    .option('--json', 'as JSON')
    .action((ref: string, flags) => ends(verbs.checkpoints.show(ref, flags)));
  placed(checkpoints.command('diff <checkpoint> [file]').description('what a rollback to it would change'))
    .option('--json', 'one JSON array')
    .action((ref: string, file: string | undefined, flags) => ends(verbs.checkpoints.diff(ref, file, flags)));
  placed(checkpoints.command('restore <checkpoint> [file]').description('bring files back as they were before it'))
    .option('--all', 'also files somebody else changed since')
    .option('--json', 'one JSON array')
    .action((ref: string, file: string | undefined, flags) => ends(verbs.checkpoints.restore(ref, file, flags)));
  checkpoints
    .command('prune')
    .description('clear away what is too old or too much')
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.checkpoints.prune(flags)));
  checkpoints
    .command('clear')
    .description('clear all of them away, for good')
    .option('--yes', 'do it')
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.checkpoints.clear(flags)));
  checkpoints
    .command('status')
    .description('how many there are and what they take')
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.checkpoints.status(flags)));
}

function trashCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const trash = program.command('trash').description('Files the agent deleted');
  trash
    .command('list')
    .description('newest first')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.trash.list(flags)));
  trash
    .command('restore <id>')
    .description('put it back; nothing is overwritten')
    .option('--to <path>', 'there instead of where it was')
    .option('--json', 'as JSON')
    .action((id: string, flags) => ends(verbs.trash.restore(id, flags)));
  trash
    .command('empty')
    .description('delete everything in it for good')
    .option('--yes', 'do it')
    .option('--json', 'as JSON')
    .action((flags) => ends(verbs.trash.empty(flags)));
}
