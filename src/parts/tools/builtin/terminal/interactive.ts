import { findCommand } from './foreground.ts';

/** Commands that wait for somebody at the keyboard, by how they begin, and how they come back by themselves after all. Adding one is a row. */
interface InteractiveRow {
  readonly commands: RegExp;
  readonly unless?: RegExp;
  /** Only with a terminal of its own: without one it prints and ends, or says that it needs one. */
  readonly onTerminal?: true;
}

const ROWS: readonly InteractiveRow[] = [
  {
    commands: /^(?:vim?|nvim|view|vimdiff|nano|pico|micro|emacs|hx|kak|joe|mcedit)(?= |$)/,
    unless: / (?:-[eE]s?|-s|--headless|-?-batch|--script)(?= |$)| (?:-c|--cmd|\+).*\b(?:wqa?|qa?|qall|xa|xall)\b/,
  },
  {
    commands: /^git (?:-\S+ (?:\S+=\S+ )?)*commit(?= |$)/,
    unless: / (?:-[a-zA-Z]*[mFC]\S*|--(?:message|file|reuse-message|fixup|squash|no-edit|dry-run)(?:=.*)?)(?= |$)|core\.editor=/,
  },
  { commands: /^git (?:-\S+ (?:\S+=\S+ )?)*rebase (?:.* )?(?:-i|--interactive)(?= |$)/, unless: /(?:core|sequence)\.editor=/ },
  { commands: /^(?:visudo|vipw|vigr|crontab -e|(?:kubectl|oc) edit|systemctl edit|git config (?:.* )?(?:-e|--edit))(?= |$)/ },
  { commands: /^(?:less|more|most|man|top|htop|btop|nmtui|mc|tig|lazygit)(?= |$)/, onTerminal: true },
];

/** A line that names the editor itself says what is done in place of typing. */
const EDITOR = /(?:^|[\s;&(])\w*EDITOR=/;

/** The command of a line that would wait for keys, in its own words. */
export function findInteractiveCommand(line: string, onTerminal: boolean): string | undefined {
  if (EDITOR.test(line)) return undefined;
  return findCommand(line, (words) =>
    ROWS.some((row) => row.commands.test(words) && row.unless?.test(words) !== true && (row.onTerminal !== true || onTerminal)),
  );
}
