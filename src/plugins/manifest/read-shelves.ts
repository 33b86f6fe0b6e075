import { toStableJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { CommandParameter, CommandParameters } from '../../contracts/command.ts';
import {
  MAX_PLUGIN_SLOT,
  type PluginCommandManifest,
  type PluginManifest,
  type PluginSlotManifest,
  type PluginToolManifest,
} from '../../contracts/plugin-manifest.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import type { SettingField, SettingsSlice } from '../../contracts/settings.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import type { ManifestTable } from './values.ts';

const DEFAULT_TOOL_MS = 60_000;
const MAX_TOOL_MS = 600_000;

export function checkName(name: string, where: string): string {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    throw new Error(
      `${where} is "${name.slice(0, 70)}"; a name has 1 to 64 lower case letters, digits, - and _, and begins with a letter or digit.`,
    );
  return name;
}
/** Words of a command below the plugin's name: `remote add`. */
const MAX_WORDS = 4;

function nestedNameOf(table: ManifestTable): string {
  const words = (table.line('name') ?? '').split(/ +/);
  if (words.length > MAX_WORDS) throw new Error(`${table.path}.name has more than ${MAX_WORDS} words.`);
  return words.map((word) => checkName(word, `${table.path}.name`)).join(' ');
}

const nameOf = (table: ManifestTable): string => checkName(table.line('name') ?? '', `${table.path}.name`);

export function readTools(table: ManifestTable): readonly PluginToolManifest[] {
  const tools = table.tables('tools', MANIFEST_LIMITS.tools).map((row): PluginToolManifest => {
    const [description, input] = [row.text('description'), row.object('input')];
    if (input !== undefined) checkSchema(input, row.path);
    return {
      name: nameOf(row),
      ...(description !== undefined && { description }),
      ...(input !== undefined && { input }),
      effects: row.choice('effects', ['read', 'write']) ?? 'write',
      replay: row.choice('replay', ['safe', 'never']) ?? 'never',
      toolsets: row.texts('toolsets', MANIFEST_LIMITS.names),
      timeoutMs: (row.number('timeout', 1, MAX_TOOL_MS / 1_000) ?? DEFAULT_TOOL_MS / 1_000) * 1_000,
    };
  });
  refuseTwice(tools, 'tools');
  return tools;
}

export function checkSchema(input: JsonObject, where: string): void {
  if (input['type'] !== 'object') throw new Error(`${where}.input must be a JSON Schema with type: object.`);
  if (toStableJson(input).length > MANIFEST_LIMITS.schemaBytes)
    throw new Error(`${where}.input is longer than ${MANIFEST_LIMITS.schemaBytes / 1_000} kB.`);
}

export function readCommands(table: ManifestTable, key: 'commands' | 'cli'): readonly PluginCommandManifest[] {
  const commands = table.tables(key, MANIFEST_LIMITS.commands).map((row): PluginCommandManifest => {
    const summary = row.line('summary') ?? '';
    if (summary === '') throw new Error(`${row.path} has no summary, the one line that help shows.`);
    return {
      name: key === 'cli' ? nestedNameOf(row) : nameOf(row),
      summary,
      arguments: readParameters(row, 'arguments'),
      options: readParameters(row, 'options'),
      ownerOnly: row.flag('owner_only'),
    };
  });
  refuseTwice(commands, key);
  return commands;
}

function readParameters(table: ManifestTable, key: 'arguments' | 'options'): CommandParameters {
  const rows = table.members(key, MANIFEST_LIMITS.parameters);
  return Object.fromEntries(
    rows.map(([name, row], index) => {
      if (!/^[a-z][a-zA-Z0-9]{0,31}$/.test(name)) throw new Error(`${row.path}: a parameter's name can have only letters and digits.`);
      const parameter = readParameter(row, key === 'options');
      if (key === 'arguments' && parameter.kind === 'list' && index < rows.length - 1)
        throw new Error(`${row.path}: only the last argument can be a list.`);
      return [name, parameter];
    }),
  );
}

function readParameter(row: ManifestTable, isOption: boolean): CommandParameter {
  const kind = row.choice('kind', ['text', 'whole_number', 'choice', 'flag', 'list']) ?? 'text';
  const facts = { description: row.line('description') ?? '', ...(row.flag('required') && { required: true as const }) };
  if (kind === 'choice') return { ...facts, kind, choices: row.texts('choices', 64) };
  if (kind === 'flag' && !isOption) throw new Error(`${row.path}: only an option can be a flag.`);
  return { ...facts, kind };
}

export function readSlots(table: ManifestTable): readonly PluginSlotManifest[] {
  const slots = table
    .tables('slots', MANIFEST_LIMITS.slots)
    .map((row) => ({ name: nameOf(row), cap: row.number('cap', 1, MAX_PLUGIN_SLOT) ?? MAX_PLUGIN_SLOT }));
  refuseTwice(slots, 'slots');
  return slots;
}

const PROTOCOLS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;

export function readProviders(table: ManifestTable): PluginManifest['providers'] {
  return table.tables('providers', MANIFEST_LIMITS.names).map((row): ProviderProfile => {
    const baseUrl = row.line('base_url') ?? '';
    if (URL.parse(baseUrl) === null || !/^https?:/.test(baseUrl))
      throw new Error(`${row.path}.base_url must be an address, as https://api.example.com/v1.`);
    const defaultModel = row.line('default_model');
    return {
      id: checkName(row.line('id') ?? '', `${row.path}.id`),
      aliases: row.texts('aliases', MANIFEST_LIMITS.names),
      protocol: row.choice('protocol', PROTOCOLS) ?? 'openai-chat',
      baseUrl,
      keyEnvs: readSecretNames(row, 'key_envs', MANIFEST_LIMITS.names),
      ...(defaultModel !== undefined && { defaultModel }),
    };
  });
}

/** Names of variables that a plugin may have the values of. */
export function readSecretNames(table: ManifestTable, key: string, most: number): readonly string[] {
  const names = table.texts(key, most);
  const where = table.path === '' ? key : `${table.path}.${key}`;
  const wrong = names.find((name) => !/^[A-Z][A-Z0-9_]{1,63}$/.test(name));
  if (wrong !== undefined)
    throw new Error(`${where} names ${wrong}; a name can have only capital letters, digits and _, as in WEATHER_API_KEY.`);
  const ours = names.find((name) => /^(?:HERMES_|NODE_|LD_|PATH$|HOME$)/.test(name));
  if (ours !== undefined) throw new Error(`${where} names ${ours}, which no plugin gets. Use a name of your own.`);
  return names;
}

export function readSettings(table: ManifestTable): SettingsSlice {
  return Object.fromEntries(
    table.members('settings', MANIFEST_LIMITS.settings).map(([key, row]) => [checkName(key, `settings.${key}`), readField(row)]),
  );
}

function readField(row: ManifestTable): SettingField {
  const describe = row.line('describe') ?? '';
  const kind = row.choice('kind', ['string', 'integer', 'number', 'boolean', 'choice', 'list']) ?? 'string';
  if (kind === 'boolean') return { kind, describe, default: row.flag('default') };
  if (kind === 'list') return { kind, describe, default: row.texts('default', 256) };
  if (kind === 'string') return { kind, describe, default: row.text('default') ?? '' };
  if (kind === 'choice') {
    const choices = row.texts('choices', 64);
    const [first] = choices;
    if (first === undefined) throw new Error(`${row.path} has no choices.`);
    return { kind, describe, choices, default: row.choice('default', choices) ?? first };
  }
  const [min, max] = [row.number('min', -1e15, 1e15), row.number('max', -1e15, 1e15)];
  return {
    kind,
    describe,
    default: row.number('default', min ?? -1e15, max ?? 1e15) ?? min ?? 0,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

function refuseTwice(rows: readonly { readonly name: string }[], key: string): void {
  const twice = rows.find(({ name }, index) => rows.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`${key} names ${twice.name} twice.`);
}
