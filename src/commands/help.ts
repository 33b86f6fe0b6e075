import { UsageError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import type { AnyCommand } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { slashNames } from './registry.ts';
import { slashLine } from './usage-line.ts';

/** A command as help shows it in a session. */
export interface CommandHelp {
  /** What to type, as in `/compress [topic]`. */
  readonly line: string;
  readonly aliases: readonly string[];
  readonly category: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

export const help = defineCommand({
  name: 'help',
  category: 'help',
  summary: 'the commands that can be given here, or what one of them takes',
  arguments: { command: { kind: 'text', description: 'the name of a command' } },
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  examples: ['/help', '/help compress'],
  run: async ({ command: name }, _services, { commands }): Promise<{ readonly commands: readonly CommandHelp[] }> => {
    const all = commands();
    if (name === undefined) return { commands: all.map(helpOf) };
    const wanted = name.replace(/^\//, '');
    const named = all.filter((command) => slashNames(command).some((each) => each === wanted || each.startsWith(`${wanted} `)));
    if (named.length > 0) return { commands: named.map(helpOf) };
    const guess = findNearest(wanted, all.flatMap(slashNames));
    throw new UsageError(`there is no command /${wanted}${guess === undefined ? '.' : `; did you mean /${guess}?`} /help lists them.`);
  },
});

function helpOf(command: AnyCommand): CommandHelp {
  const [usual = command.name, ...aliases] = slashNames(command);
  const typed = Object.entries({ ...command.arguments, ...command.options }).filter(([, one]) => one.session === undefined);
  return {
    line: slashLine(command, usual),
    aliases: aliases.map((alias) => `/${alias}`),
    category: command.category,
    summary: command.summary,
    parameters: typed.map(([name, { description }]) => ({ name, description })),
  };
}
