/** A setting as the command line shows it. */
export interface SettingLine {
  readonly key: string;
  readonly type: string;
  readonly default: unknown;
  readonly source: string;
  readonly describe: string;
  readonly env?: string;
  readonly flag?: string;
}
export interface ValueLine extends SettingLine {
  readonly value: unknown;
  readonly place: string;
}
export interface ProblemLine {
  readonly where: string;
  readonly words: string;
  readonly cure: string;
}

/** Text as it is, everything else as JSON. */
export const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const quoted = (value: unknown): string => (value === '' ? '(empty)' : plain(value));

export function renderValues(settings: readonly ValueLine[]): string {
  if (settings.length === 0) return 'Every setting has its default value. hermes config schema lists them.';
  const width = widest(settings.map(({ key }) => key));
  return settings.map(({ key, value, place }) => `${key.padEnd(width)}  ${quoted(value)}  (${place})`).join('\n');
}

/** A line with the facts, a line with the meaning. */
export function renderSchema(settings: readonly SettingLine[]): string {
  const rows = settings.map((setting) => [setting.key, setting.type, quoted(setting.default), setting.source]);
  const head = ['setting', 'type', 'default', 'where the default comes from'];
  const widths = [0, 1, 2].map((column) => widest([head, ...rows].map((row) => row[column] ?? '')));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return [line(head), ...settings.map((setting, index) => `${line(rows[index] ?? [])}\n    ${setting.describe}`)].join('\n');
}

export function renderExplanation({ key, describe, value, place, type, default: standard, source, env, flag }: ValueLine): string {
  const winners = [flag === undefined ? [] : [`the flag ${flag}`], env === undefined ? [] : [`the variable ${env}`]].flat();
  return [
    key,
    `  ${describe}`,
    '',
    `  value now   ${quoted(value)}`,
    `  comes from  ${place}`,
    `  can be      ${type}`,
    `  default     ${quoted(standard)}, from ${source}`,
    ...(winners.length === 0
      ? []
      : [`  also by     ${winners.join(', then ')}; ${winners.length === 1 ? 'it wins' : 'both win'} over the file`]),
    `  change it   hermes config set ${key} VALUE`,
  ].join('\n');
}

export const renderProblems = (problems: readonly ProblemLine[]): string =>
  problems.map(({ where, words, cure }) => `${where}: ${words}.\n    ${cure}`).join('\n');

const widest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
