import type { Command } from 'commander';
import type { Ends, Verbs } from './verbs.ts';

/** What the owner says about dangerous acts and about tools. */
export function safetyCommands(program: Command, verbs: Verbs, ends: Ends): void {
  approvalCommands(program, verbs, ends);
  toolCommands(program, verbs, ends);
}

function approvalCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const approvals = program.command('approvals').description('Questions nobody answered in time');
  approvals
    .command('list')
    .description('what waits for your word')
    .option('--all', 'also what is answered')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.approvals.list(flags)));
  approvals
    .command('show <id>')
    .description('what was asked, and why')
    .option('--json', 'as JSON')
    .action((id: string, flags) => ends(verbs.approvals.show(id, flags)));
  approvals
    .command('allow <id>')
    .description('allow it, once; the session is told')
    .option('--json', 'as JSON')
    .action((id: string, flags) => ends(verbs.approvals.decide(id, 'allowed', flags)));
  approvals
    .command('deny <id>')
    .description('deny it for good')
    .option('--json', 'as JSON')
    .action((id: string, flags) => ends(verbs.approvals.decide(id, 'denied', flags)));
}

function toolCommands(program: Command, verbs: Verbs, ends: Ends): void {
  const tools = program.command('tools').description('The tools of the agent');
  tools
    .command('list')
    .description('every tool and toolset')
    .option('-t, --toolsets <names>', 'only of these toolsets')
    .option('--platform <name>', 'as a session on this platform has them')
    .option('--json', 'one JSON array')
    .action((flags) => ends(verbs.tools.list(flags)));
  for (const [name, on, words] of [
    ['enable', true, 'let sessions have these toolsets or tools again'],
    ['disable', false, 'keep these toolsets or tools from every session'],
  ] as const)
    tools
      .command(`${name} <names...>`)
      .description(words)
      .option('--json', 'as JSON')
      .action((names: string[], flags) => ends(verbs.tools.change(names, on, flags)));
}
