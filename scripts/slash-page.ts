/** docs/slash-commands.md: what can be typed in a session, made from the records, and which known commands are not there, and why. */
import { groupByCategory } from '../src/commands/category.ts';
import { toCommandHelp } from '../src/commands/help.ts';
import type { CommandRegistry } from '../src/commands/registry.ts';

/** Names of the Python system and of other agents that have no command here, by the reason. */
export const OMITTED: Readonly<Record<string, readonly string[]>> = {
  'Comes with the gateway: it is about chats and channels': ['handoff', 'platforms', 'sethome', 'start', 'topic', 'restart', 'footer'],
  'Use `/cron`: a job that runs at a time or in a rhythm': ['heartbeat', 'hb', 'loop', 'suggestions', 'blueprint'],
  'Comes with goals: a loop that judges after each turn whether the goal is reached': [
    'goal',
    'subgoal',
    'kanban',
    'plan',
    'refine',
    'review',
  ],
  'Use the shell command `hermes plugins`': ['plugins'],
  'A plugin can bring it': ['bundles', 'learn', 'curator', 'journey'],
  'Comes with voice': ['voice', 'wake'],
  'Comes with reasoning levels: `/reasoning` shows and hides for now; a level is a setting of the provider': ['fast', 'codex-runtime'],
  'The browser tools start a browser by themselves; `browser.headed` shows it': ['browser'],
  'The tool `mixture_of_agents` does this when the model calls it': ['moa'],
  'Use `git worktree` in the terminal; Hermes makes none': ['worktree'],
  'Use the shell command `hermes backup`': ['snapshot', 'snap'],
  'Use the shell command `hermes update`': ['update'],
  'Use `hermes restore`, `hermes profile import` or `hermes migrate`': ['import'],
  'There is no account with Hermes': ['topup', 'subscription'],
  'Ctrl+P opens the palette': ['palette'],
  'Use the keys of the question, or `/approvals allow` and `/approvals deny`': ['approve', 'deny'],
  'The status bar has fields for it (`display.status_bar.fields`), or it is decoration': ['battery', 'indicator', 'focus', 'pet', 'hatch'],
};

export function slashPage(registry: CommandRegistry, note: string): string {
  const groups = groupByCategory(registry.at('terminal').map(toCommandHelp));
  return [
    '# Slash commands',
    '',
    note,
    '',
    'Type a command in place of a message: in the terminal UI, in a chat, or with `hermes chat --continue -q "/status"`. Nothing that begins with the name of a command goes to the model.',
    '',
    '- **Names.** Upper and lower case are the same. You can shorten a name as long as it stays unique: `/hist` is `/history`. In `hermes chat -q`, type the full name. A mistyped name gets a suggestion.',
    '- **Skills.** `/NAME` of a skill in full loads the skill with the message. Commands win over skills of the same name.',
    '- **While a turn runs**, some commands run at once, some wait for its end, some are refused. [The command reference](cli.md#session-commands) says which, and where each is available.',
    '- **The owner alone** can use what changes settings, memory, files or permissions. In a chat, others are refused.',
    '- **The screen.** Commands for the screen and the clipboard work only in the terminal UI. They change the current session; `--save` also changes the setting.',
    '',
    ...groups.flatMap(({ title, rows }) => [
      `## ${title}`,
      '',
      '| Command | What it does |',
      '|---|---|',
      ...rows.map(({ line, aliases, summary }) => `| \`${escaped(line)}\`${also(aliases)} | ${escaped(summary)} |`),
      '',
    ]),
    ...OWN,
    '## Commands that are not there',
    '',
    'You may know these names from the Python system. They have no command here.',
    '',
    '| Name | Why, or what to use instead |',
    '|---|---|',
    ...Object.entries(OMITTED).map(([why, names]) => `| ${names.map((name) => `\`/${name}\``).join(' ')} | ${why} |`),
    '',
  ].join('\n');
}

const OWN = [
  '## Your own commands',
  '',
  '`quick_commands` in `config.yaml` adds commands that need no model:',
  '',
  '```yaml',
  'quick_commands:',
  '  disk: {type: exec, command: df -h .}',
  '  t: {type: alias, target: /title}',
  '  review: {type: alias, target: Review the last commit}',
  '```',
  '',
  '- `exec` runs the shell command in the terminal of the session, where the commands of the agent run too. The same rules apply: what needs consent is asked, and what would destroy the system is refused. The model does not see it. Only the owner can use it.',
  '- `alias` stands for another line. If the line begins with `/`, it is a command; words behind the alias are added to it. Any other line is sent as a message.',
  '- They are listed in `/help` and completed with Tab. A name that a command of Hermes has is not used, and a notice says so.',
  '',
];

const also = (aliases: readonly string[]): string => (aliases.length === 0 ? '' : `, ${aliases.map((name) => `\`${name}\``).join(', ')}`);
const escaped = (text: string): string => text.replaceAll('|', '\\|');
