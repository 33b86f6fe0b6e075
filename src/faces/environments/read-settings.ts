import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import type { EnvironmentField, EnvironmentFields, EnvironmentSettings, ServerSettings } from '../../contracts/environment.ts';
import type { SettingValues } from '../../contracts/settings.ts';
import { LAYERS, type ExplainedSetting, type LayeredValues, type SettingGroups } from '../../contracts/services/environments.ts';
import { ENVIRONMENT_FIELDS, SERVER_FIELDS } from './fields.ts';

export interface RunSettings {
  readonly env: EnvironmentSettings;
  readonly server: ServerSettings;
  /** The environment's own fields. */
  readonly own: SettingValues;
  /** Each value with the layer it came from, for `--explain`. */
  readonly explained: readonly ExplainedSetting[];
}
/** Lays the layers over each other. Throws, in words for a person, for a key nobody knows and a value that does not fit. */
export function readRunSettings(layers: LayeredValues, own: EnvironmentFields = {}): RunSettings {
  const clash = Object.keys(own).find((key) => key in ENVIRONMENT_FIELDS);
  if (clash !== undefined)
    throw new UsageError(`the environment has a setting ${clash} of its own, but every environment has one of that name.`);
  const env = layOver('env', { ...ENVIRONMENT_FIELDS, ...own }, layers);
  const server = layOver('openai', SERVER_FIELDS, layers);
  const valuesOf = (rows: readonly ExplainedSetting[]) =>
    Object.fromEntries(rows.map(({ key, value }) => [key.replace(/^\w+\./, ''), value]));
  const all = valuesOf(env);
  const isOwn = (key: string): boolean => key in own;
  const part = (keep: (key: string) => boolean) => Object.fromEntries(Object.entries(all).filter(([key]) => keep(key)));
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field of the table was read by its kind
    env: part((key) => !isOwn(key)) as unknown as EnvironmentSettings,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    server: valuesOf(server) as unknown as ServerSettings,
    own: part(isOwn),
    explained: [...env, ...server],
  };
}

function layOver(group: keyof SettingGroups, fields: EnvironmentFields, layers: LayeredValues): readonly ExplainedSetting[] {
  const given = LAYERS.flatMap((from) => (from === 'default' ? [] : [{ from, values: layers[from]?.[group] ?? {} }]));
  for (const { values } of given)
    for (const key of Object.keys(values))
      if (!Object.hasOwn(fields, key))
        throw new UsageError(
          describeUnknownName(
            'setting',
            `${group}.${key}`,
            Object.keys(fields).map((known) => `${group}.${known}`),
            'hermes env explain NAME lists them.',
          ),
        );
  return Object.entries(fields).map(([key, field]) => {
    const last = given.findLast(({ values }) => values[key] !== undefined);
    const value = last === undefined ? field.default : readField(field, last.values[key], `${group}.${key}`);
    return { key: `${group}.${key}`, value, from: last?.from ?? 'default', ...describeField(field) };
  });
}

/** A file in plain JavaScript may have left it out. */
const describeField = ({ describe }: Pick<EnvironmentField, 'describe'>): Pick<ExplainedSetting, 'description'> =>
  typeof describe === 'string' ? { description: describe } : {};

/** A value as its kind has it. A flag is a text: a number, `true`, a list as JSON or with commas, `null` or `None` for "not set". */
export function readField(field: EnvironmentField, raw: unknown, key: string): unknown {
  if (field.default === null && NOT_SET.has(typeof raw === 'string' ? raw.trim() : raw)) return null;
  const read = typeof raw === 'string' ? readText(field, raw.trim()) : raw;
  const value = field.kind === 'list' ? toWords(read) : read;
  const problem = findProblem(field, value);
  if (problem !== undefined) throw new UsageError(`${key} must be ${problem}, but is ${JSON.stringify(raw)}.`);
  return value;
}

/** The last is how Python writes it. */
const NOT_SET: ReadonlySet<unknown> = new Set([null, 'null', 'None']);

function readText(field: EnvironmentField, text: string): unknown {
  if (field.kind === 'string' || field.kind === 'choice') return text;
  // A single word of a list is a word, also when it looks like a number.
  if (field.kind === 'list' && !text.startsWith('[')) return splitWords(text);
  try {
    return JSON.parse(text);
  } catch {
    return field.kind === 'list' ? splitWords(text) : text;
  }
}

const splitWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Numbers are words too, and one word is a list of one. */
function toWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((word) => (typeof word === 'number' ? String(word) : word));
  return typeof value === 'number' ? [String(value)] : value;
}

function findProblem(field: EnvironmentField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'integer':
    case 'number': {
      const range = `${field.kind === 'integer' ? 'a whole number' : 'a number'}${field.min === undefined ? '' : ` of at least ${field.min}`}${field.max === undefined ? '' : ` of at most ${field.max}`}`;
      const fits = typeof value === 'number' && Number.isFinite(value) && (field.kind === 'number' || Number.isInteger(value));
      return fits && value >= (field.min ?? value) && value <= (field.max ?? value) ? undefined : range;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'string':
      return typeof value === 'string' ? undefined : 'a text';
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value) ? undefined : `one of ${field.choices.join(', ')}`;
    case 'list':
      return Array.isArray(value) && value.every((word) => typeof word === 'string') ? undefined : 'a list of words';
    case 'object':
      return isObject(value) ? undefined : 'an object';
  }
}
