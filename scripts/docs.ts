/** Writes the reference pages that are generated from the code. `--check` writes nothing and fails when a page is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createBuiltinRegistry } from '../src/commands/builtin.ts';
import { listSlashNames, type CommandRegistry } from '../src/commands/registry.ts';
import { formatOptionFlags, formatSlashUsage, formatCommandUsage } from '../src/commands/usage-line.ts';
import type { AnyCommand, CommandParameter } from '../src/contracts/command.ts';
import { listDeclaredSettings } from '../src/parts/config/setting-rows.ts';
import { FIELDS } from '../src/app/config/config.ts';
import { SCHEDULE_FORMS } from '../src/faces/cron/schedule/forms.ts';
import { ACTIONS, type KeyAction } from '../src/faces/tui/input/actions.ts';
import { showKey } from '../src/faces/tui/input/key-names.ts';
import { REFERENCE_KINDS } from '../src/faces/tui/input/references.ts';
import { fillPromptLimits } from './prompt-limits.ts';
import { slashPage } from './slash-page.ts';
import type { DeclaredSetting } from '../src/contracts/services/configuration.ts';

const GENERATED = '*Generated from the source code by `npm run docs`. Do not edit.*';

export function settingsPage(settings: readonly DeclaredSetting[] = listDeclaredSettings(FIELDS)): string {
  const sections = Map.groupBy(settings, ({ key }) => (key.includes('.') ? (key.split('.')[0] ?? '') : ''));
  const alone = sections.get('') ?? [];
  const named = [...sections].filter(([name]) => name !== '');
  return [
    '# Settings',
    '',
    GENERATED,
    '',
    '`hermes config set KEY VALUE` changes a setting. The settings file is `config.yaml` in the home folder; `hermes config path` prints its path.',
    '',
    '| To | Run |',
    '|---|---|',
    '| see what a setting does, its value and where the value comes from | `hermes config explain KEY` |',
    '| list the settings you changed | `hermes config get` |',
    '| go back to the default | `hermes config unset KEY` |',
    '| edit the file and check it | `hermes config edit` |',
    '| find mistakes in the file | `hermes config check` |',
    '| get this page as JSON Schema | `hermes config schema --json` |',
    '',
    'If a setting has several values, this order decides: command-line flag, environment variable, `config.yaml`, default. Put API keys and other secrets into `.env` in the same folder: `hermes config set NAME --secret`. A text in `config.yaml` can contain `${VAR}` or `${env:VAR}`; Hermes inserts the value of the variable.',
    '',
    ...named.flatMap(([name, members]) => [`## ${name}`, '', ...table(members), '']),
    '## Top-level settings',
    '',
    ...table(alone),
    '',
  ].join('\n');
}

const table = (settings: readonly DeclaredSetting[]): string[] => [
  '| Setting | Values | Default | Description |',
  '|---|---|---|---|',
  ...settings.map((setting) => `| ${cells(setting).map(escaped).join(' | ')} |`),
];

const cells = ({ key, type, default: standard, describe, env, flag }: DeclaredSetting): string[] => {
  const also = [flag, env].flatMap((name) => (name === undefined ? [] : [`\`${name}\``]));
  return [
    `\`${key}\``,
    type,
    `\`${JSON.stringify(standard)}\``,
    `${describe}${also.length === 0 ? '' : ` Also set by ${also.join(' or ')}.`}`,
  ];
};
const escaped = (cell: string): string => cell.replaceAll('|', '\\|');

/** Every command, made from its record. */
export function commandsPage(registry: CommandRegistry = createBuiltinRegistry()): string {
  const groups = Map.groupBy(registry.at('shell'), ({ name }) => name.split(' ')[0] ?? '');
  const inSessions = registry.all().filter(({ where }) => where.includes('terminal') || where.includes('chat'));
  return [
    '# Command reference',
    '',
    GENERATED,
    '',
    'This page lists every command and option. `hermes COMMAND --help` shows the same for one command. You can shorten a command name as long as it stays unique: `hermes sess list`. Every command that prints a result also has `--json`. For exit codes, JSON and pipes, see [using hermes in scripts](scripting.md).',
    '',
    '*Owner only*: Hermes refuses the command when the agent runs it, and when anybody else sends it in a chat. *Owner only for some values* means that this depends on the arguments.',
    '',
    '## Shell commands',
    '',
    ...[...groups].flatMap(([name, members]) => groupSection(name, members, registry)),
    '## Session commands',
    '',
    'Send these as a message, in the terminal UI or in a chat. There, you can shorten a name as long as it stays unique. In `hermes chat -q`, type the full name.',
    '',
    '| Command | Description | Available in | During a turn |',
    '|---|---|---|---|',
    ...inSessions.map((command) => `| ${sessionCells(command).map(escaped).join(' | ')} |`),
    '',
  ].join('\n');
}

function groupSection(name: string, members: readonly AnyCommand[], registry: CommandRegistry): string[] {
  const summary = registry.group(name)?.summary;
  const alone = members.length === 1;
  const options = members.flatMap((command) => optionRows(command).map((row) => (alone ? row : [`\`${command.name}\``, ...row])));
  return [
    `### ${name}`,
    '',
    ...(summary === undefined ? [] : [`${summary}.`, '']),
    ...toTable(['Command', 'Description'], members.map(shellCells)),
    ...(options.length === 0 ? [] : toTable([...(alone ? [] : ['Command']), 'Option', 'Description'], options)),
    '```',
    ...new Set(members.flatMap(({ examples }) => examples)),
    '```',
    '',
  ];
}

const toTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((row) => `| ${row.map(escaped).join(' | ')} |`),
  '',
];

function shellCells(command: AnyCommand): string[] {
  const { summary, ownerOnly, destructive } = command;
  const marks = [
    ...(ownerOnly === undefined ? [] : [ownerOnly === true ? '*Owner only.*' : '*Owner only for some values.*']),
    ...(destructive === undefined ? [] : ['*Asks for confirmation.*']),
  ];
  const also = (command.aliases ?? []).map((alias) => `\`hermes ${alias}\``).join(', ');
  return [`\`hermes ${formatCommandUsage(command)}\`${also === '' ? '' : ` (also ${also})`}`, [`${summary}.`, ...marks].join(' ')];
}

/** `--json` has no row where it only prints the result: the page says once that every command has it. */
const optionRows = ({ options, json }: AnyCommand): string[][] => [
  ...Object.entries(options ?? {}).map(([key, one]) => [`\`${formatOptionFlags(key, one)}\``, optionWords(one)]),
  ...(json === undefined || json === 'as JSON' || json === 'one JSON array' ? [] : [['`--json`', json]]),
];

const optionWords = (one: CommandParameter): string => {
  const choices = one.kind === 'choice' ? ` (${one.choices.join(', ')})` : '';
  return `${one.description}${choices}${'default' in one && one.default !== undefined ? ` (default: ${one.default})` : ''}`;
};

const WHILE_BUSY = { run: 'runs at once', queue: 'waits for the turn', refuse: 'is refused' } as const;
function sessionCells(command: AnyCommand): string[] {
  const [usual = command.name, ...others] = listSlashNames(command);
  const also = others.length === 0 ? '' : ` (also ${others.map((name) => `\`/${name}\``).join(', ')})`;
  const where = command.where.filter((place) => place !== 'shell').join(', ');
  return [`\`${formatSlashUsage(command, usual)}\`${also}`, command.summary, where, WHILE_BUSY[command.whileBusy]];
}

const CONDITIONS = { menu: 'while completions are shown', empty: 'when nothing is typed', busy: 'during a turn' } as const;
const keyRows = (rows: readonly KeyAction[]): string[] =>
  toTable(
    ['Action', 'Keys', 'What it does', 'Applies'],
    rows.map(({ name, keys, description, when }) => [
      `\`${name}\``,
      keys.map((key) => `\`${showKey(key)}\``).join(', '),
      description,
      when === undefined ? '' : CONDITIONS[when],
    ]),
  );

/** Every key of the terminal UI, made from the table that dispatches them. */
export const keysPage = (actions: readonly KeyAction[] = ACTIONS): string =>
  [
    '# Keys in the terminal UI',
    '',
    GENERATED,
    '',
    'Every action can have other keys. Set `display.keys` in `config.yaml`, with one key or a list; an empty list removes the keys:',
    '',
    '```yaml',
    'display:',
    '  keys:',
    '    palette: f2',
    '    queue: [alt+q, f3]',
    '    thinking: []',
    '```',
    '',
    'Two keys in a row are written with a space: `ctrl+x ctrl+e`. Letters and digits without Ctrl or Alt are needed to type and cannot be used. Your choice counts before the default of another action; a notice names both. Keys of extensions come after these.',
    '',
    '## Actions',
    '',
    ...keyRows(actions.filter(({ scope }) => scope !== 'editor')),
    '## Editing',
    '',
    ...keyRows(actions.filter(({ scope }) => scope === 'editor')),
    '## What you can type',
    '',
    ...toTable(
      ['Text', 'What it does'],
      [
        ['`/command`', 'runs a command; see [the command reference](cli.md)'],
        ['`!command`', 'runs a shell command in the session, outside of the conversation'],
        ['`\\!text`, `\\/text`', 'sends the text as a message'],
        ['`\\` at the end of a line, then Enter', 'continues in the next line'],
        ...REFERENCE_KINDS.map(({ text, summary }) => [`\`${text}\``, `attaches ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`]),
        ['`@path`', 'attaches a file or folder if it exists'],
      ],
    ),
    '## Answering questions',
    '',
    ...toTable(
      ['Key', 'Answer to a question for approval'],
      [
        ['`o`, `y`', 'yes, this once'],
        ['`t`', 'yes, for this task'],
        ['`s`', 'yes, for this session'],
        ['`a`', 'yes, always: type the word `always`, then Enter'],
        ['`d`, `n`', 'no'],
        ['`r`', 'no, with a reason that the model reads'],
        ['`Space`, `PgUp`', 'shows the rest of a long command; a yes counts after its end was shown'],
        ['`Ctrl+C`', 'closes the question and stops the turn'],
      ],
    ),
    'Keys that you were typing when a question appeared, and pasted text, never approve anything.',
    '',
  ].join('\n');
export const slashCommandsPage = (registry: CommandRegistry = createBuiltinRegistry()): string => slashPage(registry, GENERATED);

/** The page on jobs with the table of forms as it is read. */
export function cronPage(page: string = readFileSync('docs/cron.md', 'utf8')): string {
  const rows = SCHEDULE_FORMS.map(({ examples, meaning }) => `| ${examples.map((example) => `\`${example}\``).join(', ')} | ${meaning} |`);
  return page.replace(/(?<=\| You write \| It runs \|\n\|---\|---\|\n)(?:\|.*\n)*/, () => rows.map((row) => `${row}\n`).join(''));
}

/** The page on the prompt with the limits as the code has them. */
export const promptPage = (page: string = readFileSync('docs/prompt.md', 'utf8')): string => fillPromptLimits(page);

const PAGES: Readonly<Record<string, () => string>> = {
  'docs/settings.md': settingsPage,
  'docs/cli.md': commandsPage,
  'docs/keys.md': keysPage,
  'docs/slash-commands.md': slashCommandsPage,
  'docs/cron.md': cronPage,
  'docs/prompt.md': promptPage,
};

if (import.meta.main) {
  for (const [path, make] of Object.entries(PAGES)) {
    if (!process.argv.includes('--check')) writeFileSync(path, make());
    else if (readFileSync(path, 'utf8') !== make()) {
      console.error(`${path} is out of date: run npm run docs`);
      process.exitCode = 1;
    }
  }
}
