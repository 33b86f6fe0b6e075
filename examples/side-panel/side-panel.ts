/**
 * A wrapper of the terminal UI that uses all five seams: a panel with the newest files, a key and a command that show and hide
 * it, a status field, a style of its own, and a layout that draws the panel below a rule. A project of somebody else's imports
 * the same names from 'hermes-ts/cli'.
 *
 *     npx node examples/side-panel/side-panel.ts
 *     npx node examples/side-panel/side-panel.ts --continue
 */
import { readdirSync, statSync } from 'node:fs';
import { runCli, type TerminalExtension } from '../../src/cli.ts';

/** The panel is one value; a program with several terminals makes one for each. */
export function createSidePanel(folder: string): TerminalExtension {
  let shown = false;
  const toggle = (): string => {
    shown = !shown;
    return `The panel is now ${shown ? 'visible' : 'hidden'}.`;
  };
  return {
    name: 'side-panel',
    styles: { 'panel.title': { color: 'magenta', bold: true } },
    widgets: [
      {
        name: 'newest files',
        visible: () => shown,
        render: (columns, style) => [
          style('panel.title', 'Newest files'),
          ...findNewest(folder, 3).map((name) => `  ${name}`.slice(0, columns)),
        ],
      },
    ],
    statusFields: { files: () => `${readdirSync(folder).length} files` },
    keys: [
      { key: 'f2', description: 'Show or hide the panel', run: ({ invalidate }) => (toggle(), invalidate()) },
      { key: 'f3', description: 'Begin a search', run: ({ input }) => input.set('Search this project for ') },
    ],
    layout: (slots) =>
      slots.map((place) =>
        place.slot === 'extras'
          ? { ...place, wrap: (lines, columns) => (lines.length === 0 ? lines : ['─'.repeat(columns), ...lines]) }
          : place,
      ),
    command: (line, { say, invalidate }) => {
      if (line.trim().toLowerCase() !== '/panel') return false;
      say(toggle());
      invalidate();
      return true;
    },
  };
}

function findNewest(folder: string, count: number): string[] {
  const changed = readdirSync(folder).map((name) => ({ name, at: statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  return changed
    .toSorted((one, other) => other.at - one.at)
    .slice(0, count)
    .map(({ name }) => name);
}

if (import.meta.main) process.exitCode = await runCli(process.argv.slice(2), { extensions: [createSidePanel(process.cwd())] });
