import * as config from '../../commands/config.ts';
import { formatCount } from '../../base/screen/figures.ts';
import { showInvisible } from '../../base/visible.ts';
import type { Screen } from '../../base/screen/screen.ts';
import type { MigrationReport, SettingLine, SettingProblem, SettingState } from '../../contracts/services/configuration.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { renderFindingLines } from './doctor.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';

/** Text as it is, everything else as JSON. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const quoted = (value: unknown): string => (value === '' ? '(empty)' : plain(value));

function renderValues(settings: readonly SettingState[]): string {
  if (settings.length === 0) return 'All settings have their default values. To list them: hermes config schema';
  const width = widest(settings.map(({ key }) => key));
  return settings.map(({ key, value, place }) => `${key.padEnd(width)}  ${quoted(value)}  (${place})`).join('\n');
}

/** A line with the facts, a line with the meaning. */
function renderSchema(settings: readonly SettingLine[]): string {
  const rows = settings.map((setting) => [setting.key, setting.type, quoted(setting.default)]);
  const head = ['setting', 'type', 'default'];
  const widths = [0, 1, 2].map((column) => widest([head, ...rows].map((row) => row[column] ?? '')));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return [line(head), ...settings.map((setting, index) => `${line(rows[index] ?? [])}\n    ${setting.describe}`)].join('\n');
}

function renderExplanation({ key, describe, value, place, type, default: standard, env, flag }: SettingState): string {
  const winners = [flag === undefined ? [] : [`the flag ${flag}`], env === undefined ? [] : [`the variable ${env}`]].flat();
  return [
    key,
    `  ${describe}`,
    '',
    `  value now   ${quoted(value)}`,
    `  comes from  ${place}`,
    `  can be      ${type}`,
    `  default     ${quoted(standard)}`,
    ...(winners.length === 0
      ? []
      : [`  also by     ${winners.join(', then ')}; ${winners.length === 1 ? 'it wins' : 'both win'} over the file`]),
    `  change it   hermes config set ${key} VALUE`,
  ].join('\n');
}

const renderProblems = (problems: readonly SettingProblem[]): string =>
  problems.map(({ where, words, cure }) => `${where}: ${words}.\n    ${cure}`).join('\n');

const widest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));

const valueRow = ({ key, value, from, place, default: standard }: SettingState) => ({
  key,
  value,
  source: from,
  place,
  default: standard,
});
const problemRow = ({ key, line, words, cure, variable }: SettingProblem, path: string) => ({
  file: variable === undefined ? path : null,
  line: line ?? null,
  variable: variable ?? null,
  key,
  problem: words,
  cure,
});
function renderShown(result: config.ShownSettings): string {
  if (result.type === 'changed') return `${renderValues(result.settings)}\n`;
  if (result.type === 'setting') return `${plain(result.setting.value)}\n`;
  return result.value === undefined ? '' : `${result.value}\n`;
}
function shownJson(result: config.ShownSettings): unknown {
  if (result.type === 'changed') return result.settings.map(valueRow);
  if (result.type === 'setting') return valueRow(result.setting);
  return { key: result.name, value: result.value ?? null, set: result.value !== undefined };
}
const isUnset = (result: config.ShownSettings): boolean => result.type === 'variable' && result.value === undefined;

function renderMigration(
  { file, diff, moves, left, variables, backup, isDryRun }: MigrationReport & { readonly isDryRun: boolean },
  { paint, columns }: Screen,
): string {
  const tint = (line: string) => (line.startsWith('+') ? paint.good(line) : line.startsWith('-') ? paint.bad(line) : line);
  const stays = left.map(
    ({ from, to }) =>
      `${from} stays as it is, without effect: ${to.join(', ') || 'its value'} ${to.length === 0 ? 'cannot be used' : 'is set already, or cannot have its value'}.`,
  );
  const kept = variables.length === 0 ? [] : [`${isDryRun ? 'Goes' : 'Went'} to .env: ${variables.join(', ')}.`];
  const end =
    moves.length === 0
      ? [`${file} is up to date. Nothing was changed.`]
      : isDryRun
        ? ['Nothing was written. To do it: hermes config migrate']
        : [`Moved ${moves.map(({ from }) => from).join(', ')}.`, `The file as it was: ${backup ?? ''}`];
  const words = [...stays, ...kept, ...end].flatMap((line) => wrapText(line, columns));
  return `${[...(diff === '' ? [] : [...diff.split('\n').map((line) => tint(showInvisible(line))), '']), ...words].join('\n')}\n`;
}

const UNWALLED = 'hermes: commands now run on this machine with all of your rights, without a sandbox.';

/** What is wrong with the file, or that nothing is. */
const checking: CommandRenderer<config.CheckedSettings> = {
  text: ({ path, problems, warnings, changed, session, ok }, screen) =>
    problems.length > 0
      ? `${renderProblems(problems)}\n`
      : `${wrapText(`${describeFile(path, warnings.length, ok)} Settings that differ from their default: ${changed}.`, screen.columns).join('\n')}\n\nThe next session here:\n${renderFindingLines(session, screen).join('\n')}\n`,
  json: ({ path, problems, session }) => [
    ...problems.map((problem) => problemRow(problem, path)),
    ...session
      .filter(({ name, ok }) => !ok && name !== 'route')
      .map(({ name, words, cure }) => ({ file: path, line: null, variable: null, key: name, problem: words, cure: cure ?? null })),
  ],
  keepsKeys: true,
  notices: ({ path, warnings }) => describeWarnings(path, warnings),
};

/** What has no effect is told as notices. */
const describeFile = (path: string, warned: number, ok: boolean): string =>
  warned === 0
    ? ok
      ? `No problems in ${path}.`
      : `${path} can be read, but not all of it works: see ✗ below.`
    : `${path} can be used, but not all of it: see the ${warned === 1 ? 'notice' : 'notices'}.`;

/** More than these are not the slips of one person but the file of another version. */
const MAX_UNKNOWN_KEYS = 10;

/** Each by itself; of hundreds of keys that nothing here reads, one line for each section. What may be a slip stays by itself. */
function describeWarnings(path: string, warnings: readonly SettingProblem[]): string[] {
  const unknown = warnings.filter((warning) => warning.unknown === true && warning.nearest === undefined);
  if (unknown.length <= MAX_UNKNOWN_KEYS) return warnings.map(({ sentence }) => sentence);
  const sections = Map.groupBy(unknown, ({ key }) => (key.includes('.') ? key.slice(0, key.indexOf('.')) : ''));
  return [
    ...warnings.filter((warning) => !unknown.includes(warning)).map(({ sentence }) => sentence),
    `${path}: ${formatCount(unknown.length, 'key')} without effect in this version. To list all settings: hermes config schema`,
    ...[...sections].map(([section, keys]) => {
      const names = keys.map(({ key }) => (section === '' ? key : key.slice(section.length + 1))).join(', ');
      return `  ${section === '' ? names : `${section}: ${names}`}`;
    }),
  ];
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(config.configGet, {
    text: renderShown,
    json: shownJson,
    keepsKeys: true,
    notices: (result, json) => (result.type === 'variable' && isUnset(result) && !json ? [`hermes: ${result.name} is not set.`] : []),
  }),
  renderCommand(config.configSet, {
    text: ({ key, value, file, isVariable }) =>
      `${key} is now ${plain(value)} in ${file}${isVariable ? ', which only you can read' : ''}.\n`,
    notices: ({ key, value, typedOpenly }) => [
      ...(typedOpenly ? [`hermes: the value is now in your shell history. Next time, use: hermes config set ${key} --secret`] : []),
      ...(key === 'terminal.backend' && value === 'local' ? [UNWALLED] : []),
    ],
  }),
  renderCommand(config.configUnset, {
    text: ({ key, file, removed, default: standard }) =>
      removed
        ? `Removed ${key} from ${file}.${standard === undefined ? '' : ` The default applies: ${quoted(standard)}.`}\n`
        : `${key} was not set in ${file}. Nothing was changed.\n`,
    json: ({ key, file, removed, default: standard }) => ({ key, file, removed, default: standard ?? null }),
    keepsKeys: true,
  }),
  renderCommand(config.configEdit, checking),
  renderCommand(config.configMigrate, { text: renderMigration }),
  renderCommand(config.configPath, { text: ({ path }) => `${path}\n` }),
  renderCommand(config.configCheck, checking),
  renderCommand(config.configSchema, {
    text: ({ settings }) => `${renderSchema(settings)}\n`,
    json: ({ schema }) => schema,
    keepsKeys: true,
  }),
  renderCommand(config.configExplain, {
    text: ({ setting }) => `${renderExplanation(setting)}\n`,
    notices: ({ problems }) => problems.map(({ sentence }) => `hermes: ${sentence}`),
  }),
];
