import { isCollection, isScalar, parseDocument, visit, type Node } from 'yaml';
import { isObject, readPath, readStringAt } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { findVariableReferences } from './expand-variables.ts';
import { withSetting } from './yaml-edit.ts';
import { openYaml } from './yaml-file.ts';
import { withoutSetting } from './yaml-remove.ts';
import { applyEdits, startOfLine } from './yaml-text.ts';

/** A settings file brought up to date. */
export interface MigratedConfig {
  readonly text: string;
  readonly moves: readonly ConfigMove[];
  /** What stays where it is, without effect: its new place is taken already, or it cannot be read. */
  readonly left: readonly ConfigMove[];
  /** Secrets that stood in the file and belong in `.env`. */
  readonly variables: Readonly<Record<string, string>>;
}
export interface ConfigMove {
  readonly from: string;
  /** Settings, and variables of `.env`. */
  readonly to: readonly string[];
}
export interface MigrationFacts {
  /** The variable that holds the key of a provider. */
  keyVariable(provider: string): string;
  /** Whether a variable can be given this value: it has none yet, or this one. */
  isFree(variable: string, value: string): boolean;
  /** Whether a setting can have this value; also one below a table. */
  isValid(key: string, value: unknown): boolean;
}

/** What an old setting becomes. */
interface Converted {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
}
interface MigrationRow {
  readonly from: string;
  /** `undefined` for a value that cannot be read. */
  convert(value: unknown, facts: MigrationFacts, values: unknown): Converted | undefined;
}

const rename = (from: string, to: string): MigrationRow => ({ from, convert: (value) => ({ settings: { [to]: value } }) });

/** Settings of earlier versions and of the Python system, by what they were called. */
const ROWS: readonly MigrationRow[] = [
  rename('max_turns', 'agent.max_turns'),
  rename('terminal.env_type', 'terminal.backend'),
  rename('compression.summary_model', 'auxiliary.compression.model'),
  rename('compression.summary_provider', 'auxiliary.compression.provider'),
  rename('compression.summary_base_url', 'auxiliary.compression.base_url'),
  {
    from: 'fallback_model',
    convert: (value) => (isObject(value) ? { settings: { fallback_providers: [withPlainProvider(value)] } } : undefined),
  },
  { from: 'custom_providers', convert: (value) => (Array.isArray(value) ? convertProviders(value) : undefined) },
  {
    from: 'model.api_key',
    convert: (value, { keyVariable }, values) => {
      const variable = keyVariable(readStringAt(values, 'model', 'provider') ?? 'auto');
      if (typeof value !== 'string' || value === '') return { settings: {} };
      // A reference to the very variable says nothing that is not so anyway.
      if (findVariableReferences(value).length > 0) return findVariableReferences(value)[0] === variable ? { settings: {} } : undefined;
      return { settings: {}, variables: { [variable]: value } };
    },
  },
];

/** Moves what stands under an old name to where it is read today. Everything else stays, to the byte. */
export function migrateConfig(text: string, facts: MigrationFacts): MigratedConfig {
  let migrated: MigratedConfig = { text: withPlainProviderName(text), moves: [], left: [], variables: {} };
  for (const row of ROWS) migrated = moveSetting(migrated, row, facts);
  return migrated;
}

function moveSetting(migrated: MigratedConfig, { from, convert }: MigrationRow, facts: MigrationFacts): MigratedConfig {
  const { document, values } = openYaml(migrated.text);
  const value = readPath(values, ...from.split('.'));
  if (value === undefined || value === null) return migrated;
  const converted = convert(value, facts, values);
  const to = [...Object.keys(converted?.settings ?? {}), ...Object.keys(converted?.variables ?? {})];
  const isFit = Object.entries(converted?.settings ?? {}).every(
    ([key, setting]) => facts.isValid(key, setting) && !hasValue(document.getIn(key.split('.'))),
  );
  const isFree = Object.entries(converted?.variables ?? {}).every(([name, secret]) => facts.isFree(name, secret));
  if (converted === undefined || !isFit || !isFree) return { ...migrated, left: [...migrated.left, { from, to }] };
  const notes = collectComments(document.getIn(from.split('.'), true));
  let text = withoutSetting(migrated.text, from) ?? migrated.text;
  for (const [key, setting] of Object.entries(converted.settings)) text = withSetting(text, key, setting);
  return {
    ...migrated,
    text: withComments(text, Object.keys(converted.settings)[0], notes),
    moves: [...migrated.moves, { from, to }],
    variables: { ...migrated.variables, ...converted.variables },
  };
}

/** An empty list or table is a place that is free. */
const hasValue = (value: unknown): boolean => value != null && value !== '' && !(isCollection(value) && value.items.length === 0);

/** A list of `{name, base_url, api_key, …}` as a table by name. */
function convertProviders(rows: readonly unknown[]): Converted | undefined {
  const providers = rows.flatMap((row) => convertProvider(row) ?? []);
  if (providers.length !== rows.length || rows.length === 0) return undefined;
  return {
    settings: Object.fromEntries(providers.map(({ name, entry }) => [`providers.${name}`, entry])),
    variables: Object.assign({}, ...providers.map(({ variables }) => variables)),
  };
}

function convertProvider(row: unknown) {
  const [label, baseUrl] = [readStringAt(row, 'name'), readStringAt(row, 'base_url')];
  if (!isObject(row) || label === undefined || baseUrl === undefined) return undefined;
  const name = toPlainProvider(label);
  const { name: _name, api_key: key, model, models, key_env: named, ...others } = row;
  const reference = typeof key === 'string' ? findVariableReferences(key)[0] : undefined;
  const isSecret = typeof key === 'string' && key !== '' && reference === undefined;
  const variable = named ?? reference ?? (isSecret ? `${name.toUpperCase().replaceAll('-', '_')}_API_KEY` : undefined);
  const known = models ?? (typeof model === 'string' ? [model] : undefined);
  const entry = { ...others, ...(variable !== undefined && { key_env: variable }), ...(known !== undefined && { models: known }) };
  return { name, entry, variables: isSecret && typeof variable === 'string' ? { [variable]: key } : {} };
}

/** The Python system writes `custom:NAME` for a provider of the owner's own. */
const toPlainProvider = (name: string): string => name.replace(/^custom:/, '').replaceAll(/[^A-Za-z0-9_-]+/g, '-');
const withPlainProvider = (row: JsonObject): JsonObject =>
  typeof row['provider'] === 'string' && row['provider'].startsWith('custom:')
    ? { ...row, provider: toPlainProvider(row['provider']) }
    : row;
function withPlainProviderName(text: string): string {
  const name = readStringAt(parseDocument(text).toJS(), 'model', 'provider');
  return name?.startsWith('custom:') === true ? withSetting(text, 'model.provider', toPlainProvider(name)) : text;
}

/** What stands in comments behind and inside a value. */
function collectComments(node: unknown): readonly string[] {
  const found: string[] = [];
  const add = ({ commentBefore, comment }: Node) =>
    found.push(...[commentBefore, comment].flatMap((words) => (words == null ? [] : words.split('\n'))));
  if (isScalar(node)) add(node);
  if (isCollection(node)) visit(node, { Node: (_key, inner) => void add(inner) });
  return found;
}

/** Comments that moved with their setting stand above it. */
function withComments(text: string, key: string | undefined, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const { document, newline } = openYaml(text);
  const node = key === undefined ? undefined : document.getIn(key.split('.'), true);
  const at = isCollection(node) || isScalar(node) ? (node.range?.[0] ?? 0) : 0;
  const from = startOfLine(text, at);
  const indent = /^ */.exec(text.slice(from))?.[0] ?? '';
  return applyEdits(text, [{ from, to: from, text: notes.map((words) => `${indent}#${words}${newline}`).join('') }]);
}
