/** Writes the reference pages that are made from the code. `--check` writes nothing and fails when a page is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createBuiltinRegistry } from '../src/commands/builtin.ts';
import { listSlashNames, type CommandRegistry } from '../src/commands/registry.ts';
import { formatOptionFlags, formatSlashUsage, formatCommandUsage } from '../src/commands/usage-line.ts';
import type { AnyCommand, CommandParameter } from '../src/contracts/command.ts';
import { listDeclaredSettings } from '../src/parts/config/setting-rows.ts';
import { FIELDS } from '../src/app/config/config.ts';
import type { DeclaredSetting } from '../src/contracts/services/configuration.ts';

export function settingsPage(settings: readonly DeclaredSetting[] = listDeclaredSettings(FIELDS)): string {
  const sections = Map.groupBy(settings, ({ key }) => (key.includes('.') ? (key.split('.')[0] ?? '') : ''));
  const alone = sections.get('') ?? [];
  const named = [...sections].filter(([name]) => name !== '');
  return [
    '# Settings',
    '',
    'Made by `node scripts/docs.ts` from the settings of each part; do not edit by hand.',
    '',
    'Flags win over environment variables that name a setting, those over `config.yaml`, and that over the defaults. The file is in the home folder',
    '(`hermes config path`); secrets live beside it in `.env`. Texts may hold `${VAR}` or `${env:VAR}`. `hermes config explain KEY` says what a setting',
    'is now and why; `hermes config check` finds mistakes; `hermes config schema --json` is this page as JSON Schema.',
    '',
    ...named.flatMap(([name, members]) => [`## ${name}`, '', ...table(members), '']),
    '## Without a section',
    '',
    ...table(alone),
    '',
  ].join('\n');
}

const table = (settings: readonly DeclaredSetting[]): string[] => [
  '| Setting | Values | Default | Meaning | Where the default comes from |',
  '|---|---|---|---|---|',
  ...settings.map((setting) => `| ${cells(setting).map(escaped).join(' | ')} |`),
];

const cells = ({ key, type, default: standard, describe, source, env, flag }: DeclaredSetting): string[] => {
  const also = [flag, env].flatMap((name) => (name === undefined ? [] : [`\`${name}\``]));
  return [
    `\`${key}\``,
    type,
    `\`${JSON.stringify(standard)}\``,
    `${describe}${also.length === 0 ? '' : ` Also by ${also.join(', ')}.`}`,
    source,
  ];
};
const escaped = (cell: string): string => cell.replaceAll('|', '\\|');

/** Every command, made from its record. */
export function commandsPage(registry: CommandRegistry = createBuiltinRegistry()): string {
  const groups = Map.groupBy(registry.at('shell'), ({ name }) => name.split(' ')[0] ?? '');
  const inSessions = registry.all().filter(({ where }) => where.includes('terminal') || where.includes('chat'));
  return [
    '# Commands',
    '',
    'Made by `node scripts/docs.ts` from the commands themselves; do not edit by hand. What programs may rely on is in [the command line](cli.md).',
    '',
    'Marks: *owner only* is refused below a command of an agent and to others who write in a chat; *for good* removes something that cannot be restored.',
    '',
    '## On the command line',
    '',
    ...[...groups].flatMap(([name, members]) => groupSection(name, members, registry)),
    '## In a session',
    '',
    'Typed as a message, in the terminal or in a chat. The beginning of a name is enough where it fits only one command; as the message of `chat -q` the name is needed in full.',
    '',
    '| Command | What it does | Where | While a turn runs |',
    '|---|---|---|---|',
    ...inSessions.map((command) => `| ${sessionCells(command).map(escaped).join(' | ')} |`),
    '',
  ].join('\n');
}

function groupSection(name: string, members: readonly AnyCommand[], registry: CommandRegistry): string[] {
  const summary = registry.group(name)?.summary;
  return [
    `### ${name}`,
    '',
    ...(summary === undefined ? [] : [`${summary}.`, '']),
    '| Command | What it does | Options |',
    '|---|---|---|',
    ...members.map((command) => `| ${shellCells(command).map(escaped).join(' | ')} |`),
    '',
    '```',
    ...new Set(members.flatMap(({ examples }) => examples)),
    '```',
    '',
  ];
}

function shellCells(command: AnyCommand): string[] {
  const { summary, ownerOnly, destructive, json } = command;
  const marks = [
    ...(ownerOnly === undefined ? [] : [ownerOnly === true ? '*owner only*' : '*owner only for some values*']),
    ...(destructive === undefined ? [] : ['*for good*']),
  ];
  const rows = Object.entries(command.options ?? {}).map(([key, one]) => `\`${formatOptionFlags(key, one)}\` ${optionWords(one)}`);
  const all = [...rows, ...(json === undefined ? [] : [`\`--json\` ${json}`])];
  const also = (command.aliases ?? []).map((alias) => `\`hermes ${alias}\``).join(', ');
  return [
    `\`hermes ${formatCommandUsage(command)}\`${also === '' ? '' : ` (also ${also})`}`,
    [summary, ...marks].join('; '),
    all.join('<br>'),
  ];
}
const optionWords = (one: CommandParameter): string => {
  const choices = one.kind === 'choice' ? ` (${one.choices.join(', ')})` : '';
  return `${one.description}${choices}${'default' in one && one.default !== undefined ? `; ${one.default} when left out` : ''}`;
};

const WHILE_BUSY = { run: 'at once', queue: 'after it', refuse: 'refused' } as const;
function sessionCells(command: AnyCommand): string[] {
  const [usual = command.name, ...others] = listSlashNames(command);
  const also = others.length === 0 ? '' : ` (also ${others.map((name) => `\`/${name}\``).join(', ')})`;
  const where = command.where.filter((place) => place !== 'shell').join(', ');
  return [`\`${formatSlashUsage(command, usual)}\`${also}`, command.summary, where, WHILE_BUSY[command.whileBusy]];
}

const PAGES: Readonly<Record<string, () => string>> = { 'docs/settings.md': settingsPage, 'docs/commands.md': commandsPage };

if (import.meta.main) {
  for (const [path, make] of Object.entries(PAGES)) {
    if (!process.argv.includes('--check')) writeFileSync(path, make());
    else if (readFileSync(path, 'utf8') !== make()) {
      console.error(`${path} is out of date: run node scripts/docs.ts`);
      process.exitCode = 1;
    }
  }
}
