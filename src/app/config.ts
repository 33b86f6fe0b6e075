import { readFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { Field } from '../contracts/settings.ts';
import { SETTINGS, type Settings } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Source = 'default' | 'file' | 'env' | 'flag';

export interface Config {
  readonly settings: Settings;
  /** Where each value that is not a default came from. */
  readonly sources: Readonly<Record<string, Source>>;
}
/** A value in the file: what it is and where it stands. */
export interface Placed {
  readonly value: unknown;
  readonly line: number;
}
export interface Problem {
  readonly key: string;
  readonly line?: number;
  readonly words: string;
}

const FIELDS: Readonly<Record<string, Field>> = SETTINGS;

/** Reads the file if there is one, then variables that name a setting. A broken file is an error that says file, line and cure. */
export async function loadConfig(path: string, env: Env): Promise<Config> {
  const { placed, problems } = await readConfigFile(path);
  const first = problems[0];
  if (first !== undefined) throw new UsageError(`${path}${first.line === undefined ? '' : `:${first.line}`}: ${first.words}`);
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(FIELDS).map(([key, field]) => [key, field.default]));
  const sources: Record<string, Source> = {};
  for (const [key, { value }] of placed) {
    values[key] = value;
    sources[key] = 'file';
  }
  for (const [key, field] of Object.entries(FIELDS)) {
    const value = field.env === undefined ? undefined : env[field.env];
    if (value === undefined || value === '') continue;
    const read = readValue(field, value);
    if (!read.ok) throw new UsageError(`${field.env}: ${read.words}`);
    values[key] = read.value;
    sources[key] = 'env';
  }
  return { settings: values as unknown as Settings, sources };
}

/** The file's values by dotted key, with every problem found; YAML is loaded only when there is a file. */
export async function readConfigFile(path: string): Promise<{ readonly placed: ReadonlyMap<string, Placed>; readonly problems: readonly Problem[] }> {
  const text = readIfThere(path);
  if (text === undefined || text.trim() === '') return { placed: new Map(), problems: [] };
  const { flatten } = await import('./yaml-values.ts');
  const { values, problems } = flatten(text, (key) => FIELDS[key]?.kind);
  const found: Problem[] = [...problems];
  const placed = new Map<string, Placed>();
  for (const [key, { value, line }] of values) {
    const field = FIELDS[key];
    if (field === undefined) {
      if (!isForeign(key)) found.push({ key, line, words: unknownKey(key) });
      continue;
    }
    const read = readValue(field, value);
    if (read.ok) placed.set(key, { value: read.value, line });
    else found.push({ key, line, words: `${key} ${read.words}` });
  }
  return { placed, problems: found };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`${path} could not be read: ${error instanceof Error ? error.message : String(error)}. Check its permissions.`);
  }
}

/** Top-level sections of the reference system that later parts bring; existing files must not be refused for them. */
const FOREIGN = new Set(
  'providers auxiliary compression context memory approvals display platforms skills curator delegation checkpoints web browser tts stt voice security plugins hooks mcp_servers code_execution cron kanban logging goals updates privacy session sessions runtime dashboard personalities quick_commands custom_toolsets model_aliases platform_hints command_allowlist timezone prefill_messages_file file_read_max_chars context_file_max_chars moa openrouter bedrock network gateway monitoring human_delay credential_pool_strategies custom_providers _config_version'.split(
    ' ',
  ),
);
const OWN = new Set(Object.keys(FIELDS).map((key) => key.split('.')[0] ?? ''));
/** Unknown keys inside sections that are ours are mistakes; a section we know only by name is left alone. */
const isForeign = (key: string): boolean => {
  const section = key.split('.')[0] ?? '';
  return FOREIGN.has(section) && !OWN.has(section);
};

function unknownKey(key: string): string {
  const guess = nearest(key, Object.keys(FIELDS));
  return `there is no setting ${key}${guess === undefined ? '' : `; did you mean ${guess}?`} (hermes config schema lists them all)`;
}

export type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly words: string };

/** Fits a value, often a string, to its field; says in words what would be right. */
export function readValue(field: Field, raw: unknown): Read {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return readNumber(field, typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw);
    case 'boolean': {
      const value = raw === 'true' ? true : raw === 'false' ? false : raw;
      return typeof value === 'boolean' ? { ok: true, value } : wrong(`must be true or false, not ${show(raw)}`);
    }
    case 'choice':
      return typeof raw === 'string' && field.choices.includes(raw) ? { ok: true, value: raw } : wrong(`must be one of ${field.choices.join(', ')}, not ${show(raw)}`);
    case 'string':
      return typeof raw === 'string' || typeof raw === 'number' ? { ok: true, value: String(raw) } : wrong(`must be text, not ${show(raw)}`);
    case 'list': {
      const list = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw;
      return Array.isArray(list) && list.every((part) => typeof part === 'string') ? { ok: true, value: list } : wrong(`must be a list of names, not ${show(raw)}`);
    }
    case 'table':
      return typeof raw === 'object' && raw !== null && Array.isArray(raw) === Array.isArray(field.default)
        ? { ok: true, value: raw }
        : wrong(`must be ${Array.isArray(field.default) ? 'a list' : 'a table'}, not ${show(raw)}`);
  }
}

function readNumber(field: Extract<Field, { kind: 'integer' | 'number' }>, value: unknown): Read {
  const { kind, min = -Infinity, max = Infinity } = field;
  if (typeof value !== 'number' || Number.isNaN(value) || (kind === 'integer' && !Number.isInteger(value))) {
    return wrong(`must be a${kind === 'integer' ? ' whole' : ''} number, not ${show(value)}`);
  }
  if (value < min || value > max) return wrong(`must be ${max === Infinity ? `at least ${min}` : `between ${min} and ${max}`}, not ${value}`);
  return { ok: true, value };
}

const wrong = (words: string): Read => ({ ok: false, words });
const show = (value: unknown): string => JSON.stringify(value) ?? String(value);
