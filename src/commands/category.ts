import type { CommandCategory } from '../contracts/command.ts';

/** What the groups of help are called, in their order. */
const TITLES: Readonly<Record<CommandCategory, string>> = {
  conversation: 'Conversation',
  sessions: 'Sessions',
  jobs: 'Scheduled jobs',
  prompt: 'Prompt, memory and skills',
  tools: 'Tools',
  safety: 'Safety and undo',
  insight: 'Insight',
  settings: 'Settings',
  display: 'Screen',
  quick: 'Your own commands',
  help: 'Help',
};
export const titleOfCategory = (category: CommandCategory): string => TITLES[category];
const ORDER = Object.keys(TITLES);

/** Rows by their category, in the order of help; only groups that have rows. */
export function groupByCategory<Row extends { readonly category: CommandCategory }>(
  rows: readonly Row[],
): readonly { readonly title: string; readonly rows: readonly Row[] }[] {
  const groups = [...Map.groupBy(rows, ({ category }) => category)];
  return groups
    .toSorted(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other))
    .map(([category, members]) => ({ title: TITLES[category], rows: members }));
}
