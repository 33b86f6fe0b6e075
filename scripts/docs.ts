/** Writes the reference pages that are made from the code. `--check` writes nothing and fails when a page is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { FIELDS } from '../src/app/config.ts';
import { declaredSettings, type DeclaredSetting } from '../src/parts/config/setting-rows.ts';

const PAGE = 'docs/settings.md';

export function settingsPage(settings: readonly DeclaredSetting[] = declaredSettings(FIELDS)): string {
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

if (import.meta.main) {
  const page = settingsPage();
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page) {
    console.error(`${PAGE} is out of date: run node scripts/docs.ts`);
    process.exitCode = 1;
  }
}
