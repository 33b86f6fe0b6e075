import { isObject, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { MigrationItem } from '../../../contracts/services/migration.ts';

/** What of its settings has a meaning here: by our own keys, with the keys it keeps among them as variables. */
export interface TranslatedSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly variables: ReadonlyMap<string, string>;
  readonly left: readonly MigrationItem[];
}

/** `variableOf` names the variable that holds the key of a provider we know. */
export function translateSettings(config: JsonObject, variableOf: (provider: string) => string | undefined): TranslatedSettings {
  const values = new Map<string, unknown>();
  const variables = new Map(
    Object.entries(asObject(readPath(config, 'env', 'vars'))).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
  const providers = translateProviders(asObject(readPath(config, 'models', 'providers')), variableOf);
  for (const [name, value] of providers.variables) variables.set(name, value);
  if (Object.keys(providers.table).length > 0) values.set('providers', providers.table);
  for (const [key, value] of translateModel(config, providers.table, variableOf)) values.set(key, value);
  const servers = Object.entries(asObject(readPath(config, 'mcp', 'servers'))).map(
    ([name, server]) => [name, translateServer(asObject(server))] as const,
  );
  if (servers.length > 0) values.set('mcp_servers', Object.fromEntries(servers));
  return { values, variables, left: [...providers.left, ...listUnread(config)] };
}

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** `provider/model`, as it is used for every session there. */
function translateModel(
  config: JsonObject,
  own: Readonly<Record<string, unknown>>,
  variableOf: (provider: string) => string | undefined,
): [string, string][] {
  const model = readStringAt(config, 'agents', 'defaults', 'model', 'primary') ?? readStringAt(config, 'agents', 'defaults', 'model') ?? '';
  const slash = model.indexOf('/');
  if (slash <= 0) return [];
  const [provider, name] = [model.slice(0, slash), model.slice(slash + 1)];
  if (own[provider] === undefined && variableOf(provider) === undefined) return [];
  return [
    ['model.provider', provider],
    ['model.default', name],
  ];
}

const API_MODES: Readonly<Record<string, string>> = {
  'openai-completions': 'chat_completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'anthropic_messages',
};

function translateProviders(providers: JsonObject, variableOf: (provider: string) => string | undefined) {
  const table: Record<string, unknown> = {};
  const variables = new Map<string, string>();
  const left: MigrationItem[] = [];
  for (const [name, provider] of Object.entries(providers)) {
    const [baseUrl, key] = [readStringAt(provider, 'baseUrl'), readPath(provider, 'apiKey')];
    const known = variableOf(name);
    const variable = known ?? `${name.toUpperCase().replaceAll(/\W/g, '_')}_API_KEY`;
    if (typeof key === 'string' && key !== '' && !/^\$\{\w+\}$/.test(key)) variables.set(variable, key);
    else if (key !== undefined && key !== '')
      left.push({
        kind: 'secrets',
        name: `models.providers.${name}.apiKey`,
        state: 'left',
        why: `it is kept elsewhere; set it with: hermes config set ${variable} --secret`,
      });
    if (known !== undefined || baseUrl === undefined) continue;
    const mode = API_MODES[readStringAt(provider, 'api') ?? ''];
    table[name] = {
      base_url: baseUrl,
      ...(key !== undefined && { key_env: variable }),
      ...(mode !== undefined && { api_mode: mode }),
      models: modelsOf(provider ?? null),
    };
  }
  return { table, variables, left };
}

function modelsOf(provider: Json): unknown {
  const models = readPath(provider, 'models');
  return Array.isArray(models) ? models.flatMap((model) => readStringAt(model, 'id') ?? []) : [];
}

/** The keys both programs give the same meaning. */
const SERVER_KEYS = ['command', 'args', 'env', 'url', 'headers', 'enabled'] as const;
const translateServer = (server: JsonObject): JsonObject =>
  Object.fromEntries(SERVER_KEYS.flatMap((key) => (server[key] === undefined ? [] : [[key, server[key]]])));

/** Sections nothing of which is taken. */
function listUnread(config: JsonObject): MigrationItem[] {
  const read = new Set(['agents', 'models', 'mcp', 'env', 'meta', 'wizard']);
  return Object.keys(config)
    .filter((name) => !read.has(name))
    .map((name) => ({ kind: 'config', name, state: 'left', why: `there is nothing like this section of openclaw.json here` }));
}
