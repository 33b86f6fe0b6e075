import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import { groupByCategory } from '../../commands/category.ts';
import { help } from '../../commands/help.ts';
import type { CommandHelp } from '../../contracts/command.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

export const ROWS: readonly RendererRow[] = [
  renderCommand(help, { text: ({ commands }, screen) => renderHelp(commands, screen), json: ({ commands }) => commands }),
];

/** One command with all it takes, or a line for each of several. */
function renderHelp(commands: readonly CommandHelp[], screen: Screen): string {
  const [only, ...others] = commands;
  const facts = others.length > 0 ? [] : (only?.parameters ?? []).map(({ name, description }) => `  ${name}: ${description}`);
  const tables = groupByCategory(commands).map(({ title, rows }) => drawGroup(title, rows, screen).join('\n'));
  return `${[tables.join('\n\n'), ...facts].join('\n')}\n`;
}

function drawGroup(title: string, commands: readonly CommandHelp[], screen: Screen): string[] {
  const rows = commands.map(({ line, aliases, summary }) => [{ text: [line, ...aliases].join(', '), paint: screen.paint.accent }, summary]);
  return drawTable([{ heading: title }, { heading: '', flexible: true }], rows, screen);
}
