import { UsageError } from '../../base/errors.ts';
import type { SettingField, SettingValues } from '../../contracts/settings.ts';

export type ReadValueResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly words: string };

/** Fits a value, often a string, to its field; says in words what would be right. */
export function readValue(field: SettingField, raw: unknown): ReadValueResult {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return readNumber(field, raw);
    case 'boolean': {
      const value = raw === 'true' ? true : raw === 'false' ? false : raw;
      return typeof value === 'boolean' ? right(value) : wrong(`must be true or false, not ${show(raw)}`);
    }
    case 'choice':
      return readChoice(field.choices, raw);
    case 'string':
      return typeof raw === 'string' || typeof raw === 'number' ? right(String(raw)) : wrong(`must be text, not ${show(raw)}`);
    case 'list':
      return readList(raw);
    case 'table':
      return typeof raw === 'object' && raw !== null && Array.isArray(raw) === Array.isArray(field.default)
        ? right(raw)
        : wrong(`must be ${Array.isArray(field.default) ? 'a list' : 'a table'}, not ${show(raw)}`);
  }
}

/** The values a field takes, in a few words. */
export function describeRange(field: SettingField): string {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return `${field.kind === 'integer' ? 'whole number' : 'number'}${bounds(field)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'text';
    case 'choice':
      return field.choices.join(' | ');
    case 'list':
      return 'list of names';
    case 'table':
      return Array.isArray(field.default) ? 'list of tables' : 'table';
  }
}

type NumberField = Extract<SettingField, { kind: 'integer' | 'number' }>;

function bounds({ min, max }: NumberField): string {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}`;
  if (min !== undefined) return `, ${min} or more`;
  return max === undefined ? '' : `, ${max} or less`;
}

function readNumber(field: NumberField, raw: unknown): ReadValueResult {
  const { kind, min = -Infinity, max = Infinity } = field;
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  const fits = typeof value === 'number' && (kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
  if (!fits) return wrong(`must be a${kind === 'integer' ? ' whole' : ''} number, not ${show(raw)}`);
  return value < min || value > max ? wrong(`must be a ${describeRange(field)}, not ${value}`) : right(value);
}

/** YAML reads a bare `off` or `5` as something else than text; a choice is recognised by how it is written. */
function readChoice(choices: readonly string[], raw: unknown): ReadValueResult {
  const word = typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw;
  return typeof word === 'string' && choices.includes(word) ? right(word) : wrong(`must be one of ${choices.join(', ')}, not ${show(raw)}`);
}

function readList(raw: unknown): ReadValueResult {
  const parts: unknown = typeof raw === 'string' ? raw.split(',').flatMap((part) => part.trim() || []) : raw;
  // YAML reads an id as a number. One that is too large for that is no longer what was written.
  const list = Array.isArray(parts) ? parts.map((part: unknown) => (Number.isSafeInteger(part) ? String(part) : part)) : parts;
  return Array.isArray(list) && list.every((part) => typeof part === 'string')
    ? right(list)
    : wrong(`must be a list of names, not ${show(raw)}`);
}

const right = (value: unknown): ReadValueResult => ({ ok: true, value });
const wrong = (words: string): ReadValueResult => ({ ok: false, words });
const show = (value: unknown): string => (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value)));

/** The settings with others in place of some; throws, in words for a person, for a key nobody knows and a value that does not fit. */
export function replaceValues<Settings extends object>(
  settings: Settings,
  replaced: SettingValues,
  fields: ReadonlyMap<string, SettingField>,
): Settings {
  const values = Object.entries(replaced).map(([key, raw]): readonly [string, unknown] => {
    const field = fields.get(key);
    if (field === undefined) throw new UsageError(`there is no setting ${key}. See hermes config schema.`);
    const read = readValue(field, raw);
    if (!read.ok) throw new UsageError(`${key}: ${read.words}`);
    return [key, read.value];
  });
  return { ...settings, ...Object.fromEntries(values) };
}
