import { UsageError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import type { AnyCommand, CommandHelp, CommandParameters } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { groupByCategory } from './category.ts';
import { listSlashNames } from './registry.ts';
import { formatLongOption, formatSlashUsage } from './usage-line.ts';

export const help = defineCommand({
  name: 'help',
  category: 'help',
  summary: 'List the commands, or explain one',
  arguments: { command: { kind: 'text', description: 'the name of a command' } },
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  slash: ['help', 'commands'],
  examples: ['/help', '/help compress'],
  run: async ({ command: name }, _services, { commands, othersRead }): Promise<{ readonly commands: readonly CommandHelp[] }> => {
    const all = commands();
    const explain = othersRead === true ? toHelpForOthers : toCommandHelp;
    if (name === undefined) return { commands: all.map(explain) };
    const wanted = name.replace(/^\//, '').toLowerCase();
    const named = all.filter((command) => listSlashNames(command).some((each) => each === wanted || each.startsWith(`${wanted} `)));
    if (named.length > 0) return { commands: named.map(explain) };
    const guess = findNearest(wanted, all.flatMap(listSlashNames));
    throw new UsageError(`there is no command /${wanted}${guess === undefined ? '.' : `; did you mean /${guess}?`} /help lists them.`);
  },
  describe: ({ commands: [only, ...others] }) => {
    if (only === undefined) return '';
    if (others.length > 0)
      return groupByCategory([only, ...others])
        .map(({ title, rows }) => [title, ...rows.map((row) => `  ${lineOf(row)}`)].join('\n'))
        .join('\n\n');
    return [lineOf(only), ...only.parameters.map(({ name, description }) => `  ${name}: ${description}`)].join('\n');
  },
});
const lineOf = ({ line, aliases, summary }: CommandHelp): string => `${[line, ...aliases].join(', ')}: ${summary}`;

export function toCommandHelp(command: AnyCommand): CommandHelp {
  const [usual = command.name, ...aliases] = listSlashNames(command);
  const listTyped = (declared: CommandParameters = {}) => Object.entries(declared).filter(([, one]) => one.session === undefined);
  return {
    name: usual,
    line: formatSlashUsage(command, usual),
    aliases: aliases.map((alias) => `/${alias}`),
    category: command.category,
    summary: command.summary,
    parameters: [
      ...listTyped(command.arguments).map(([name, { description }]) => ({ name, description })),
      ...listTyped(command.options).map(([key, one]) => ({ name: formatLongOption(key, one), description: one.description })),
    ],
  };
}

const toHelpForOthers = (command: AnyCommand): CommandHelp => {
  const told = toCommandHelp(command);
  return { ...told, summary: command.summaryForOthers ?? told.summary };
};
