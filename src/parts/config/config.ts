import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { readOwnText } from '../../base/own-text.ts';
import { findNearest } from '../../base/text.ts';
import type { Env } from '../../base/env.ts';
import type { ConfigOf, SettingField, SettingsSlice, ValueSource, SliceValues } from '../../contracts/settings.ts';
import { expandVariables } from './expand-variables.ts';
import type { ValueWithLine, ConfigProblem } from './problem.ts';
import { describeRange, readValue } from './read-value.ts';

/** The settings there are, by key. Every part declares its own; whoever joins them decides which table a file is read by. */
export type Fields = ReadonlyMap<string, SettingField>;
export const toFields = (slice: SettingsSlice): Fields => new Map(Object.entries(slice));

/** Everything the file and the environment say, with all that is wrong about it. */
export interface ConfigReading {
  readonly values: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, ValueSource>>;
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly ConfigProblem[];
  /** Worth a word, no reason to stop. */
  readonly warnings: readonly ConfigProblem[];
}

/** Top-level words of the file that are ours: sections, and settings that stand alone. */
export function listSections(fields: Fields): ReadonlySet<string> {
  const known = sections.get(fields);
  if (known?.size === fields.size) return known.names;
  const names = new Set([...fields.keys()].map((key) => key.split('.')[0] ?? ''));
  sections.set(fields, { size: fields.size, names });
  return names;
}
/** Asked for with every key of a file that nobody knows, and another program's file may have hundreds. */
const sections = new WeakMap<Fields, { readonly size: number; readonly names: ReadonlySet<string> }>();

/**
 * Reads the file if there is one, then variables that name a setting. A mistake is an error that says file, line and cure.
 * `fields` are the settings of the slice and whatever else the file may name.
 */
export async function loadConfig<S extends SettingsSlice>(
  slice: S,
  path: string,
  env: Env,
  fields: Fields = toFields(slice),
): Promise<LoadedConfig<SliceValues<S>>> {
  const reading = await readConfig(fields, path, env);
  const { problems, warnings } = reading;
  const [first, ...more] = problems;
  if (first !== undefined)
    throw new UsageError(
      `${formatConfigProblem(path, first)}${more.length === 0 ? '' : ` (and ${more.length} more: hermes config check)`}`,
    );
  const ignored = warnings.filter((warning) => warning.ignored === true);
  return {
    ...toTypedConfig(slice, reading),
    notices: warnings.filter((warning) => !ignored.includes(warning)).map((warning) => formatConfigProblem(path, warning)),
    ...(ignored.length > 0 && { ignored: { keys: ignored.map(({ key }) => key), words: tellIgnored(path, ignored) } }),
  };
}
/** `notices`: what the owner should know of the file although nothing stops. */
export interface LoadedConfig<Settings> extends ConfigOf<Settings> {
  readonly notices: readonly string[];
  /** Keys of the file that this version makes nothing of, with one line about all of them. */
  readonly ignored?: { readonly keys: readonly string[]; readonly words: string };
}

/** Every value was read by its own field, which is what the type says. */
export const toTypedConfig = <S extends SettingsSlice>(_slice: S, { values, sources }: ConfigReading): ConfigOf<SliceValues<S>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one border where read values get their type
  ({ settings: values as unknown as SliceValues<S>, sources });

/** A problem in one line: where, what, cure. */
export const formatConfigProblem = (path: string, { line, words, cure, variable }: ConfigProblem): string =>
  `${variable ?? `${path}${line === undefined ? '' : `:${line}`}`}: ${words}. ${cure}`;

/** How many keys the one line about all that are ignored names. */
const MAX_NAMED = 3;

/** A file that another version also uses may have hundreds: those that look like a mistake are named first. */
function tellIgnored(path: string, ignored: readonly ConfigProblem[]): string {
  const named = ignored.toSorted((a, b) => Number(b.nearest !== undefined) - Number(a.nearest !== undefined)).slice(0, MAX_NAMED);
  const names = named.map(({ key, nearest }) => (nearest === undefined ? key : `${key} (did you mean ${nearest}?)`)).join(', ');
  const rest = ignored.length - named.length;
  const what = ignored.length === 1 ? '1 setting has no effect' : `${ignored.length} settings have no effect`;
  return `${path}: ${what} in this version: ${names}${rest === 0 ? '' : ` and ${rest} more`}. To list them: hermes config check`;
}

/** Values that a program gives win over the file and over variables. One that no setting can have is an error. */
export function withGivenValues<Settings>(
  config: ConfigOf<Settings>,
  given: Readonly<Record<string, unknown>>,
  fields: Fields,
): ConfigOf<Settings> {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const field = fields.get(key);
    if (field === undefined) throw new UsageError(`settings: ${formatGivenProblem(describeUnknownKey(fields, key))}`);
    const read = readValue(field, value);
    if (!read.ok) throw new UsageError(`settings: ${key} ${read.words}. Set it to a ${describeRange(field)}, or leave it out.`);
    values[key] = read.value;
  }
  const sources = Object.fromEntries(Object.keys(values).map((key): [string, ValueSource] => [key, 'flag']));
  return { settings: { ...config.settings, ...values }, sources: { ...config.sources, ...sources } };
}
const formatGivenProblem = ({ words, cure }: Pick<ConfigProblem, 'words' | 'cure'>): string => `${words}. ${cure}`;

export async function readConfig(fields: Fields, path: string, env: Env): Promise<ConfigReading> {
  const file = await readConfigFile(fields, path, env);
  const values: Record<string, unknown> = Object.fromEntries([...fields].map(([key, field]) => [key, field.default]));
  const sources: Record<string, ValueSource> = {};
  for (const [key, { value }] of file.placed) {
    values[key] = value;
    sources[key] = 'file';
  }
  const problems = [...file.problems];
  for (const [key, { env: variable, ...field }] of fields) {
    const raw = variable === undefined ? undefined : env[variable];
    if (variable === undefined || raw === undefined || raw === '') continue;
    const read = readValue(field, raw);
    if (!read.ok)
      problems.push({ key, variable, words: `${key} ${read.words}`, cure: `Set it to a ${describeRange(field)}, or unset it.` });
    else {
      values[key] = read.value;
      sources[key] = 'env';
    }
  }
  return { values, sources, problems, warnings: file.warnings, lines: new Map([...file.placed].map(([key, { line }]) => [key, line])) };
}

export interface ConfigFileReading {
  readonly placed: ReadonlyMap<string, ValueWithLine>;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
}

/** The file's values by dotted key, with every problem found; YAML is loaded only when there is a file. */
async function readConfigFile(fields: Fields, path: string, env: Env): Promise<ConfigFileReading> {
  let text: string | undefined;
  try {
    text = readIfThere(path);
  } catch (error) {
    return { placed: new Map(), problems: [{ key: '', words: toErrorMessage(error), cure: UNREADABLE }], warnings: [] };
  }
  return readConfigText(fields, text ?? '', env);
}

/** The same for a text that need not be a file of ours. */
export async function readConfigText(fields: Fields, text: string, env: Env): Promise<ConfigFileReading> {
  if (text.trim() === '') return { placed: new Map(), problems: [], warnings: [] };
  const { flatten } = await import('./yaml-values.ts');
  const { values, problems } = flatten(text, (key) => fields.get(key)?.kind);
  const found = { placed: new Map<string, ValueWithLine>(), problems: [...problems], warnings: [] as ConfigProblem[] };
  for (const [key, placed] of values) place(fields, key, placed, env, found);
  return found;
}

function place(
  fields: Fields,
  key: string,
  { value, line }: ValueWithLine,
  env: Env,
  found: { placed: Map<string, ValueWithLine>; problems: ConfigProblem[]; warnings: ConfigProblem[] },
): void {
  const field = fields.get(key);
  if (field === undefined) {
    // What a program notes there about the file, as `_config_version`, is no setting and nobody's mistake.
    if (key.startsWith('_')) return;
    if (key === 'model.api_key') found.warnings.push({ key, line, ...KEY_IN_FILE });
    else if (isMisread(fields, key)) found.problems.push({ key, line, ...describeUnknownKey(fields, key) });
    else {
      const said =
        found.warnings.length < MAX_GUESSED ? describeUnknownKey(fields, key) : { words: `there is no setting ${key}`, cure: LIST_ALL };
      found.warnings.push({ key, line, ...said, ignored: true, unknown: true });
    }
    return;
  }
  // As with a key that has no value at all, the default stays.
  if (value === '' && field.kind !== 'string' && field.kind !== 'list') return;
  const { value: raw, unset } = expandVariables(value, env);
  for (const name of unset)
    found.warnings.push({
      key,
      line,
      words: `${key} names the variable ${name}, which is not set`,
      cure: `The text is used as it is. Set ${name}, or write the value.`,
    });
  const read = readValue(field, raw);
  if (read.ok) found.placed.set(key, { value: read.value, line });
  else if (field.kind === 'choice' && field.unsupported?.includes(String(raw)) === true)
    found.warnings.push({ key, line, ...unsupportedValue(key, String(raw), field.default), ignored: true });
  else found.problems.push({ key, line, words: `${key} ${read.words}`, cure: `See: hermes config explain ${key}` });
}

const LIST_ALL = 'To list all settings: hermes config schema';
/** For so many unknown keys the nearest known one is looked for; with more, the file is another program's. */
const MAX_GUESSED = 200;

const KEY_IN_FILE = {
  words: 'model.api_key is not read: keys do not belong in this file',
  cure: 'Put it into .env, for example with: hermes config set OPENAI_API_KEY --secret',
};

const UNREADABLE = 'Make the file readable, or move it away to start with the defaults.';

/** Throws for a file that is there and cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readOwnText(path);
  } catch (error) {
    throw new UsageError(`the file could not be read: ${toErrorMessage(error)}`);
  }
}

/** A section that was given one value, and a setting that was given a section: something is set, and nothing of it would be read. */
const isMisread = (fields: Fields, key: string): boolean => listSections(fields).has(key) || settingAbove(fields, key) !== undefined;
/** The setting a key leads below, as `platforms` for `platforms.telegram.owners`. */
export const settingAbove = (fields: Fields, key: string): string | undefined =>
  key
    .split('.')
    .map((_, index, words) => words.slice(0, index).join('.'))
    .find((above) => fields.has(above));

const unsupportedValue = (key: string, value: string, used: string) => ({
  words: `${key} is ${value}, which this version does not have`,
  cure: `${used} is used instead. To see what there is: hermes config explain ${key}`,
});

/** Words for a key nobody knows, with the nearest that somebody does. */
export function describeUnknownKey(
  fields: Fields,
  key: string,
): { readonly words: string; readonly cure: string; readonly nearest?: string } {
  if (listSections(fields).has(key))
    return { words: `${key} is a section, not a setting`, cure: `Write its settings below it, for example ${memberOf(fields, key)}.` };
  const above = settingAbove(fields, key);
  if (above !== undefined && fields.get(above)?.kind === 'table')
    return { words: `${above} is a table, and what is in it cannot be named alone`, cure: 'To change it in the file: hermes config edit' };
  if (above !== undefined)
    return {
      words: `${above} is a setting, not a section`,
      cure: `Write its value after it. To see what it takes: hermes config explain ${above}`,
    };
  const nearest = findNearestKey(fields, key);
  return {
    words: `there is no setting ${key}`,
    cure: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}${LIST_ALL}`,
    ...(nearest !== undefined && { nearest }),
  };
}

/** The key or section that is like it word by word, else the one setting of another section that has the same last word. */
function findNearestKey(fields: Fields, key: string): string | undefined {
  const words = key.split('.');
  const alike = [...fields.keys(), ...listSections(fields)].filter((candidate) => {
    const others = candidate.split('.');
    return others.length === words.length && words.every((word, index) => isLike(word, others[index] ?? ''));
  });
  return findNearest(key, alike) ?? misplaced(fields, words);
}

/** Two changes turn any word of three letters into another. */
const isLike = (word: string, other: string): boolean => word === other || (word.length > 3 && findNearest(word, [other]) !== undefined);

/** Other people's sections share words with ours by chance. */
function misplaced(fields: Fields, words: readonly string[]): string | undefined {
  if (words.length > 1 && !listSections(fields).has(words[0] ?? '')) return undefined;
  const [found, ...more] = [...fields.keys()].filter((key) => key.split('.').at(-1) === words.at(-1));
  return more.length === 0 ? found : undefined;
}

const memberOf = (fields: Fields, section: string): string => [...fields.keys()].find((key) => key.startsWith(`${section}.`)) ?? section;
