import { UsageError } from '../../base/errors.ts';
import { isObject, readNumberAt, readStringAt } from '../../base/json.ts';
import type { Usage } from '../../contracts/message.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Auth, Provider, Transport } from '../../contracts/provider.ts';
import type { Embed } from '../../contracts/embed.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import type { Routes } from '../../contracts/routes.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { ModelListResult } from '../../contracts/services/models.ts';
import type { ModelSelection } from '../../contracts/host.ts';
import type { ConfigOf, SliceValues } from '../../contracts/settings.ts';
import { toApiMode } from './catalog/api-mode.ts';
import { createApiKeyAuth, NO_CREDENTIAL } from './auth/api-key.ts';
import { BUILT_IN, createProviderCatalog, type Catalog } from './catalog/all.ts';
import { parseNamedProfiles } from './catalog/named.ts';
import { createProvider } from './client.ts';
import { createEmbedder } from './embeddings.ts';
import { resolveDeadlines } from './deadlines.ts';
import { findCredentialSecret } from './keys.ts';
import { loadModels } from './models.ts';
import { calculatePrice } from './prices.ts';
import { resolveRuntime, type ModelFacts, type RouteSelection } from './resolve.ts';
import { createRoutes, type FactStore } from './routes.ts';
import { createWireFormats } from './wire-format.ts';
import type { modelSettings } from './model-settings.ts';
import type { providerSettings } from './settings.ts';
import type { Env } from '../../base/env.ts';
import { createKeyPools, withDueKey } from './key-pools.ts';
import { findLocal, withTrueWindow } from './local-route.ts';

export type ModelConfig = ConfigOf<
  SliceValues<typeof modelSettings> & SliceValues<typeof providerSettings> & { readonly 'prompt_caching.cache_ttl': '5m' | '1h' | 'off' }
>;

export interface RouteOptions {
  readonly selection: ModelSelection;
  readonly config: ModelConfig;
  readonly env: Env;
  /** What a resumed session was started with: its model stays unless a flag names another. */
  readonly kept: KeptRoute | undefined;
  /** Where a window that a local server stated, and keys that rest, are remembered. */
  readonly store?: FactStore;
  readonly notice: (words: string) => void;
  /** The providers there are, by id; the built-in ones when left out. */
  readonly providers?: ReadonlyMap<string, ProviderProfile>;
}

/** What a stored session says of its route; where it talked to is only in its log. */
export type KeptRoute = Pick<PromptEpoch, 'model' | 'provider' | 'route'>;

/** The route of this run: flags, then the session's own model, then settings, then whatever key is there, then a server on this machine. */
export async function resolveRoute({ selection, config, env, kept, store, notice, providers }: RouteOptions): Promise<Runtime> {
  const catalog = openCatalog(config, providers);
  const question = { env, store, notice };
  const wanted = selectionOf(selection, config, kept, catalog);
  const named = resolveRuntime(wanted, env, FACTS, catalog);
  const resolved = named ?? resolveRuntime(await findLocal(wanted, question), env, FACTS, catalog);
  if (resolved === undefined) throw new Error('a local server was found and did not resolve to a route');
  const runtime = store === undefined ? resolved : await withDueKey(resolved, { config, env, catalog, facts: store });
  const stated = wanted.contextLength > 0 || catalog.profileOf(runtime.provider)?.windows?.[runtime.model] !== undefined;
  return stated ? runtime : withTrueWindow(runtime, question);
}

function selectionOf(asked: ModelSelection, { settings }: ModelConfig, kept: KeptRoute | undefined, catalog: Catalog): RouteSelection {
  const isNamed = asked.provider !== undefined || asked.baseUrl !== undefined;
  const address = isElsewhere(kept, settings, catalog) && !isNamed ? '' : settings['model.base_url'];
  const earlier = isNamed || address !== '' ? undefined : kept;
  // An address in the settings that stands beside another provider's name is that provider's, not the one's of the flag.
  const others = asked.provider !== undefined && !['auto', '', asked.provider].includes(settings['model.provider']);
  return {
    // An address on the command line is a server of its own: the provider in the settings speaks another wire at another place.
    provider: asked.provider ?? (asked.baseUrl === undefined ? (earlier?.provider ?? settings['model.provider']) : 'auto'),
    model: asked.model ?? kept?.model ?? settings['model.default'],
    baseUrl: asked.baseUrl ?? (others ? '' : address || addressOf(earlier)),
    fromFile: asked.baseUrl === undefined && address !== '',
    apiMode:
      asked.apiMode ?? (others ? 'auto' : modeOf(address === settings['model.base_url'] ? settings['model.api_mode'] : 'auto', earlier)),
    contextLength: settings['model.context_length'],
    maxTokens: settings['model.max_tokens'],
  };
}

/** A session at another provider stays there: the address in the settings is not that provider's. One's own server may have moved. */
const isElsewhere = (kept: KeptRoute | undefined, settings: ModelConfig['settings'], catalog: Catalog): boolean =>
  kept !== undefined &&
  !['custom', settings['model.provider']].includes(kept.provider) &&
  catalog.profileOf(kept.provider) !== undefined &&
  kept.route?.baseUrl !== settings['model.base_url'];

/** A server without a profile is known only by the address the session was started with. */
const addressOf = (earlier: KeptRoute | undefined): string => (earlier?.provider === 'custom' ? (earlier.route?.baseUrl ?? '') : '');
const modeOf = (set: string, earlier: KeptRoute | undefined): string =>
  set === 'auto' && earlier?.route !== undefined ? toApiMode(earlier.route.protocol) : set;

/** The table is read when the first question comes, and only then. */
const FACTS: ModelFacts = {
  window: (provider, model) => loadModels().window(provider, model),
  maxOutput: (provider, model) => loadModels().maxOutput(provider, model),
};

export function openCatalog({ settings }: ModelConfig, providers: RouteOptions['providers']): Catalog {
  const known = providers === undefined ? BUILT_IN : createProviderCatalog([], [...providers.values()]);
  const named = parseNamedProfiles(settings.providers, known);
  return named.length === 0 ? known : createProviderCatalog(named, known.profiles);
}

export interface ModelConnection {
  readonly provider: Provider;
  readonly routes: Routes;
  readonly price: (runtime: Runtime, usage: Usage) => number | undefined;
}

export interface ModelConnectOptions extends Pick<RouteOptions, 'config' | 'env' | 'providers'> {
  readonly store: FactStore;
  readonly runtime: Runtime;
  /** The lines to providers, shared by all who ask. */
  readonly transport: Transport;
}

export function connect({ config, env, store, runtime, transport, providers }: ModelConnectOptions): ModelConnection {
  const catalog = openCatalog(config, providers);
  const chain = chainOf(config, env, catalog);
  const secret = (credential: string) => findCredentialSecret(credential, env);
  // The route of this run and those of the fallback chain are what the owner named.
  const auth = authFor([runtime, ...chain], { env, catalog });
  const provider = createProvider({
    formatOf: createWireFormats(catalog.profileOf),
    transport,
    auth,
    deadlinesOf: (route) => resolveDeadlines(route, config.settings, config.sources),
  });
  const usable = ({ credential }: Runtime) => credential === NO_CREDENTIAL || secret(credential) !== undefined;
  const routes = createRoutes({
    auth,
    ...createKeyPools([runtime, ...chain], { config, env, catalog, facts: store }),
    chain: chain.map((route) => () => route),
    usable,
    facts: store,
  });
  const models = async (route: Runtime, signal: AbortSignal): Promise<readonly string[]> => {
    const list = connectModelList({ config, env, runtime: route, ...(providers !== undefined && { providers }) });
    const listed = await list(AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]));
    return listed.ok ? listed.models.map(({ id }) => id) : [];
  };
  return { provider, routes: { ...routes, models }, price: (route, usage) => price(route, usage, config, catalog) };
}

/** How long a server may take to list its models, when one that it does not have was asked for. */
const LIST_MS = 5_000;

const authFor = (routes: readonly Runtime[], { env, catalog }: { readonly env: Env; readonly catalog: Catalog }): Auth =>
  createApiKeyAuth({
    profileOf: catalog.profileOf,
    secret: (credential) => findCredentialSecret(credential, env),
    owned: (provider) => routes.flatMap((route) => (route.provider === provider ? [route.baseUrl] : [])),
  });

/** Vectors from the server of a route. */
export const connectEmbedding = ({ config, env, runtime, transport, providers }: Omit<ModelConnectOptions, 'store'>): Embed =>
  createEmbedder(runtime, { transport, auth: authFor([runtime], { env, catalog: openCatalog(config, providers) }) });

/** The list of models at the server of a route. */
export function connectModelList({ config, env, runtime, providers }: Omit<ModelConnectOptions, 'store' | 'transport'>) {
  const catalog = openCatalog(config, providers);
  const { headers } = createWireFormats(catalog.profileOf)(runtime);
  return async (signal: AbortSignal): Promise<ModelListResult> =>
    (await import('./live-models.ts')).fetchModels(runtime, { auth: authFor([runtime], { env, catalog }), headers, env }, signal);
}

/** Whether settings and keys name a model, without a look at the servers of this machine. */
export const isModelNamed = ({ config, env, providers }: Pick<RouteOptions, 'config' | 'env' | 'providers'>): boolean => {
  const catalog = openCatalog(config, providers);
  return resolveRuntime(selectionOf({}, config, undefined, catalog), env, FACTS, catalog) !== undefined;
};

/** The money of one call: what the server says it charged, else by the rates of the provider that answered. A server on this machine asks for none. */
function price({ provider, model }: Runtime, usage: Usage, { settings }: ModelConfig, catalog: Catalog): number | undefined {
  if (catalog.profileOf(provider)?.local === true) return 0;
  if (usage.cost !== undefined) return usage.cost;
  const prices = loadModels().prices(provider, model);
  return prices && calculatePrice(prices, usage, settings['prompt_caching.cache_ttl']);
}

/** The fallback chain as routes; a row that cannot be resolved is a mistake worth telling at once. */
function chainOf({ settings }: ModelConfig, env: Env, catalog: Catalog): Runtime[] {
  return settings.fallback_providers.flatMap((row, index) => {
    if (!isObject(row)) throw new UsageError(`fallback_providers[${index}] must be a table with provider and model.`);
    const keyEnv = readStringAt(row, 'key_env');
    const wanted: RouteSelection = {
      provider: readStringAt(row, 'provider') ?? 'auto',
      model: readStringAt(row, 'model') ?? '',
      baseUrl: readStringAt(row, 'base_url') ?? '',
      apiMode: readStringAt(row, 'api_mode') ?? 'auto',
      contextLength: readNumberAt(row, 'context_length') ?? 0,
      maxTokens: 0,
      fallback: true,
      ...(keyEnv !== undefined && { keyEnv }),
    };
    const route = resolveRuntime(wanted, env, FACTS, catalog);
    return route === undefined ? [] : [route];
  });
}
