import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { Env } from '../../base/env.ts';
import type { ConfigOf, Field, Slice, ValueSource, Values } from '../../contracts/settings.ts';
import { expandVariables } from './expand-variables.ts';
import type { ValueWithLine, ConfigProblem } from './problem.ts';
import { rangeOf, readValue } from './read-value.ts';
import { isUnsupported, unsupportedSections } from './unsupported-keys.ts';

/** The settings there are, by key. Every part declares its own; whoever joins them decides which table a file is read by. */
export type Fields = ReadonlyMap<string, Field>;
export const fieldsOf = (slice: Slice): Fields => new Map(Object.entries(slice));

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
export const sectionsOf = (fields: Fields): ReadonlySet<string> => new Set([...fields.keys()].map((key) => key.split('.')[0] ?? ''));

/**
 * Reads the file if there is one, then variables that name a setting. A mistake is an error that says file, line and cure.
 * `fields` are the settings of the slice and whatever else the file may name.
 */
export async function loadConfig<S extends Slice>(
  slice: S,
  path: string,
  env: Env,
  fields: Fields = fieldsOf(slice),
): Promise<LoadedConfig<Values<S>>> {
  const reading = await readConfig(fields, path, env);
  const { problems, warnings } = reading;
  const [first, ...more] = problems;
  if (first !== undefined)
    throw new UsageError(`${tell(path, first)}${more.length === 0 ? '' : ` (and ${more.length} more: hermes config check)`}`);
  return { ...configOf(slice, reading), notices: warnings.map((warning) => tell(path, warning)) };
}
/** `notices`: what the owner should know of the file although nothing stops. */
export interface LoadedConfig<Settings> extends ConfigOf<Settings> {
  readonly notices: readonly string[];
}

/** Every value was read by its own field, which is what the type says. */
export const configOf = <S extends Slice>(_slice: S, { values, sources }: ConfigReading): ConfigOf<Values<S>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one border where read values get their type
  ({ settings: values as unknown as Values<S>, sources });

/** A problem in one line: where, what, cure. */
export const tell = (path: string, { line, words, cure, variable }: ConfigProblem): string =>
  `${variable ?? `${path}${line === undefined ? '' : `:${line}`}`}: ${words}. ${cure}`;

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
    if (!read.ok) problems.push({ key, variable, words: `${key} ${read.words}`, cure: `Set it to a ${rangeOf(field)}, or unset it.` });
    else {
      values[key] = read.value;
      sources[key] = 'env';
    }
  }
  return { values, sources, problems, warnings: file.warnings, lines: new Map([...file.placed].map(([key, { line }]) => [key, line])) };
}

interface FileReading {
  readonly placed: ReadonlyMap<string, ValueWithLine>;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
}

/** The file's values by dotted key, with every problem found; YAML is loaded only when there is a file. */
async function readConfigFile(fields: Fields, path: string, env: Env): Promise<FileReading> {
  let text: string | undefined;
  try {
    text = readIfThere(path);
  } catch (error) {
    return { placed: new Map(), problems: [{ key: '', words: messageOf(error), cure: UNREADABLE }], warnings: [] };
  }
  if (text === undefined || text.trim() === '') return { placed: new Map(), problems: [], warnings: [] };
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
    if (key === 'model.api_key') found.warnings.push({ key, line, ...KEY_IN_FILE });
    else if (!isUnsupported(key, sectionsOf(fields))) found.problems.push({ key, line, ...unknownKey(fields, key) });
    return;
  }
  const { value: raw, unset } = expandVariables(value, env);
  for (const name of unset)
    found.warnings.push({
      key,
      line,
      words: `${key} names the variable ${name}, which is not set`,
      cure: `The text stays as it is; set ${name} or write the value.`,
    });
  const read = readValue(field, raw);
  if (read.ok) found.placed.set(key, { value: read.value, line });
  else found.problems.push({ key, line, words: `${key} ${read.words}`, cure: `hermes config explain ${key} says more.` });
}

const KEY_IN_FILE = {
  words: 'model.api_key is not read: keys do not belong in this file',
  cure: 'Put it into .env, for example with: hermes config set OPENAI_API_KEY …',
};

const UNREADABLE = 'Make it a file you may read, or move it away to start with the defaults.';

/** Throws for a file that is there and cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`the file could not be read: ${messageOf(error)}`);
  }
}

/** Words for a key nobody knows, with the nearest that somebody does. */
export function unknownKey(fields: Fields, key: string): { readonly words: string; readonly cure: string } {
  if (sectionsOf(fields).has(key))
    return { words: `${key} is a section, not a setting`, cure: `Write its settings below it, for example ${memberOf(fields, key)}.` };
  const guess = guessAt(fields, key);
  return {
    words: `there is no setting ${key}`,
    cure: `${guess === undefined ? '' : `Did you mean ${guess}? `}hermes config schema lists them all.`,
  };
}

/** The right word in the wrong section, then the nearest key or section, then the nearest last word. */
function guessAt(fields: Fields, key: string): string | undefined {
  const last = key.split('.').at(-1) ?? key;
  const lastWords = [...fields.keys()].map((each) => each.split('.').at(-1) ?? each);
  const near = findNearest(key, [...fields.keys(), ...sectionsOf(fields), ...unsupportedSections()]);
  return fullKey(fields, last) ?? near ?? fullKey(fields, findNearest(last, lastWords) ?? '');
}

const fullKey = (fields: Fields, last: string): string | undefined =>
  [...fields.keys()].find((key) => key === last || key.endsWith(`.${last}`));
const memberOf = (fields: Fields, section: string): string => [...fields.keys()].find((key) => key.startsWith(`${section}.`)) ?? section;
