import { UsageError } from '../../../base/errors.ts';
import { readPath, isObject, readNumberAt, readStringAt } from '../../../base/json.ts';
import { parseApiMode } from './api-mode.ts';
import type { ProviderProfile } from '../../../contracts/provider-profile.ts';
import { BUILT_IN, type Catalog } from './all.ts';

/** The owner's own providers (`providers:` in the settings) as profiles. One that bears a built-in's id changes its address or key. */
export function parseNamedProfiles(entries: Readonly<Record<string, unknown>>, { profileOf }: Catalog = BUILT_IN): ProviderProfile[] {
  return Object.entries(entries).flatMap(([id, entry]) => {
    if (!isObject(entry))
      throw new UsageError(`providers.${id} must be a table: {base_url, key_env?, api_mode?, models?, send_reasoning?}.`);
    const known = profileOf(id);
    const baseUrl = readStringAt(entry, 'base_url') ?? known?.baseUrl;
    if (baseUrl === undefined || (baseUrl === '' && known === undefined))
      throw new UsageError(`providers.${id} needs a base_url, for example https://HOST/v1.`);
    return [{ ...known, ...named(id, entry, known), id: known?.id ?? id, baseUrl }];
  });
}

function named(
  id: string,
  entry: Readonly<Record<string, unknown>>,
  known: ProviderProfile | undefined,
): Omit<ProviderProfile, 'id' | 'baseUrl'> {
  const keyEnv = readStringAt(entry, 'key_env');
  const mode = readStringAt(entry, 'api_mode');
  const models = modelsOf(entry);
  const [first = known?.defaultModel] = Object.keys(models);
  const windows = Object.fromEntries(Object.entries(models).filter(([, window]) => window > 0));
  return {
    aliases: known?.aliases ?? [],
    protocol: (mode === undefined ? undefined : parseApiMode(mode, `providers.${id}.api_mode`)) ?? known?.protocol ?? 'openai-chat',
    // A host of the owner's gets the key he names for it and nobody else's.
    keyEnvs: keyEnv === undefined ? (known?.keyEnvs ?? []) : [keyEnv],
    ...(first !== undefined && { defaultModel: first }),
    windows,
    ...quirksOf(id, entry, known),
  };
}

/** Whether reasoning goes back between tool calls. A server of the owner's gets what it sent, unless its entry says otherwise. */
function quirksOf(
  id: string,
  entry: Readonly<Record<string, unknown>>,
  known: ProviderProfile | undefined,
): Pick<ProviderProfile, 'quirks'> {
  const set = entry['send_reasoning'];
  if (set !== undefined && typeof set !== 'boolean') throw new UsageError(`providers.${id}.send_reasoning must be true or false.`);
  if (set === undefined) return known === undefined ? { quirks: { reasoningReturn: true } } : {};
  return { quirks: { ...known?.quirks, reasoningReturn: set, ...(!set && { reasoningEcho: false }) } };
}

/** Models with their windows, 0 where none is stated. Written as a list of names or as a table. */
function modelsOf(entry: Readonly<Record<string, unknown>>): Record<string, number> {
  const models = readPath(entry, 'models');
  if (Array.isArray(models)) return Object.fromEntries(models.flatMap((name) => (typeof name === 'string' ? [[name, 0]] : [])));
  if (!isObject(models)) return {};
  return Object.fromEntries(Object.keys(models).map((name) => [name, readNumberAt(models, name, 'context_length') ?? 0]));
}
