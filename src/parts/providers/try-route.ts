import type { Env } from '../../base/env.ts';
import { isUsageError, UsageError } from '../../base/errors.ts';
import { parseHost, parseOrigin } from '../../base/http.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type {
  CurrentModel,
  ModelListResult,
  ModelService,
  ProviderLine,
  RouteCandidate,
  RouteCheck,
} from '../../contracts/services/models.ts';
import { NO_CREDENTIAL } from './auth/api-key.ts';
import { createCompleter } from './completion.ts';
import { connect, connectModelList, openCatalog, resolveRoute, type ModelConfig } from './connect.ts';
import { findCredentialSecret, listCredentials } from './keys.ts';
import { describeModel, describeTrouble } from './live-models.ts';
import { probeLocal, resolveLocalOrigins, type LocalServer } from './local.ts';
import { describeUnknownProvider } from './resolve.ts';
import type { FactStore } from './routes.ts';
import { httpSse } from './transports/http-sse.ts';

export interface TryRouteDeps {
  readonly config: ModelConfig;
  /** `.env` and the process's own variables, joined. */
  readonly env: Env;
  /** The process's own alone. */
  readonly processEnv: Env;
  readonly providers: ReadonlyMap<string, ProviderProfile>;
}

/** How long a provider may take before it counts as out of reach; a shorter deadline in the settings holds. */
const PATIENCE_S = 20;

/** Nothing that is only tried out is remembered. */
const NO_FACTS: FactStore = { fact: async () => undefined, learn: async () => {} };

export function createModelTrial(deps: TryRouteDeps): ModelService {
  return {
    providers: async () => {
      const lines = listProviders(deps, await probeLocal(deps.env));
      return lines.toSorted((one, other) => RANKS[one.state] - RANKS[other.state]);
    },
    provider: async (name) => {
      const { profiles, profileOf } = openCatalog(deps.config, deps.providers);
      const profile = profileOf(name);
      if (profile === undefined) throw new UsageError(describeUnknownProvider(name, profiles));
      const servers = profile.local === true ? await probeLocal(deps.env) : [];
      return toProviderLine(profile, deps, servers);
    },
    current: () => findCurrent(deps),
    list: (candidate, signal) => listModels(candidate, deps, signal),
    check: (candidate, signal) => checkRoute(candidate, deps, signal),
  };
}

/** What can be used at once comes first. */
const RANKS: Readonly<Record<ProviderLine['state'], number>> = { chosen: 0, running: 1, key: 1, no_key: 2 };

function listProviders(deps: TryRouteDeps, servers: readonly LocalServer[]): ProviderLine[] {
  const { profiles } = openCatalog(deps.config, deps.providers);
  return profiles.map((profile) => toProviderLine(profile, deps, servers));
}

function toProviderLine(
  profile: ProviderProfile,
  { config, env, processEnv }: TryRouteDeps,
  servers: readonly LocalServer[],
): ProviderLine {
  const { id, keyEnvs, local, defaultModel, baseUrlEnv, baseUrl, start } = profile;
  const server = servers.find(({ provider }) => provider === id);
  const [credential] = listCredentials(profile, env);
  const keyVariable = credential?.split('#')[0] ?? keyEnvs[0];
  const chosen = isChosen(profile, config);
  const setAddress = chosen && config.settings['model.base_url'] !== '' ? config.settings['model.base_url'] : undefined;
  return {
    id,
    state: chosen ? 'chosen' : server !== undefined ? 'running' : credential !== undefined && id !== 'custom' ? 'key' : 'no_key',
    needsKey: local !== true && keyEnvs.length > 0,
    ...(keyVariable !== undefined && { keyVariable }),
    ...(credential !== undefined && { hasKey: true as const }),
    ...(keyVariable !== undefined && (processEnv[keyVariable] ?? '') !== '' && { isKeyInherited: true as const }),
    baseUrl: server?.baseUrl ?? setAddress ?? ((baseUrlEnv && env[baseUrlEnv]) || baseUrl),
    ...(setAddress !== undefined && { setAddress }),
    ...(local === true && { isLocal: local }),
    ...(start !== undefined && { start }),
    ...(defaultModel !== undefined && { defaultModel }),
    ...(server !== undefined && { models: server.models.map(({ id: name, window }) => describeModel(name, { window })) }),
  };
}

async function findCurrent({ config, env, providers }: TryRouteDeps): Promise<CurrentModel | undefined> {
  try {
    const runtime = await resolveRoute({ selection: {}, config, env, kept: undefined, notice: () => {}, providers });
    const { provider, model, baseUrl, credential } = runtime;
    const isFree = credential === NO_CREDENTIAL;
    return {
      provider,
      model,
      baseUrl,
      ...(!isFree && { keyVariable: credential }),
      isUsable: isFree || findCredentialSecret(credential, env) !== undefined,
    };
  } catch (error) {
    if (isUsageError(error)) return undefined;
    throw error;
  }
}

/** The route of a candidate, and an environment in which its key is set. */
async function resolveCandidate({ provider, baseUrl, key: typed, keyVariable }: RouteCandidate, model: string, deps: TryRouteDeps) {
  const { providers } = deps;
  const profile = openCatalog(deps.config, providers).profileOf(provider);
  const config = profile === undefined || isChosen(profile, deps.config) ? deps.config : withoutAddress(deps.config);
  const [variable] = profile?.keyEnvs ?? [];
  const key = typed ?? (keyVariable && deps.env[keyVariable]);
  const env = key === undefined || variable === undefined ? deps.env : { ...deps.env, [variable]: key };
  const selection = { provider, model, ...(baseUrl !== undefined && { baseUrl }) };
  const runtime = await resolveRoute({ selection, config, env, kept: undefined, notice: () => {}, providers });
  return { runtime, env, config, providers };
}

const isChosen = ({ id, aliases }: ProviderProfile, { settings }: ModelConfig): boolean =>
  [id, ...aliases].includes(settings['model.provider']);
/** The address in the settings is that of the provider there. */
const withoutAddress = (config: ModelConfig): ModelConfig => ({ ...config, settings: { ...config.settings, 'model.base_url': '' } });

async function listModels(candidate: RouteCandidate, deps: TryRouteDeps, signal: AbortSignal): Promise<ModelListResult> {
  const { runtime, ...route } = await resolveCandidate(candidate, ANY_MODEL, deps);
  const local = await findLocalModels(runtime, deps.env);
  return local ?? connectModelList({ ...route, runtime })(withPatience(signal, deps.config));
}
/** A list is asked for before any model is known. */
const ANY_MODEL = 'any';

/** A server of this machine says more of its models in its own way than by the common list. */
async function findLocalModels({ provider, baseUrl }: Runtime, env: Env): Promise<ModelListResult | undefined> {
  if (!(provider in resolveLocalOrigins(env))) return undefined;
  const [server] = await probeLocal(env, LOCAL_MS, { [provider]: parseOrigin(baseUrl) });
  return server && { ok: true, models: server.models.map(({ id, window }) => describeModel(id, { window })) };
}
const LOCAL_MS = 2_000;

async function checkRoute(
  candidate: RouteCandidate & { readonly model: string },
  deps: TryRouteDeps,
  signal: AbortSignal,
): Promise<RouteCheck> {
  const { runtime, ...route } = await resolveCandidate(candidate, candidate.model, deps);
  using transport = httpSse(deps.env);
  const ask = createCompleter(runtime, connect({ ...route, store: NO_FACTS, runtime, transport }), () => {});
  const started = performance.now();
  const answer = await ask({ ...QUESTION, signal: withPatience(signal, deps.config) });
  const ms = Math.round(performance.now() - started);
  if (answer.ok) return { ok: true, ms };
  const type = answer.call?.result ?? 'network';
  if (type === 'cancelled') return describeTrouble(type, `${parseHost(runtime.baseUrl)} did not answer within ${Math.round(ms / 1000)} s`);
  return describeTrouble(type, answer.why.slice(answer.why.indexOf(': ') + 2));
}
const QUESTION = { system: 'Answer in one word.', text: 'Say yes.', maxTokens: 16 };

function withPatience(signal: AbortSignal, { settings, sources }: ModelConfig): AbortSignal {
  const set = sources['stream.first_byte_timeout'] === undefined ? PATIENCE_S : settings['stream.first_byte_timeout'];
  return AbortSignal.any([signal, AbortSignal.timeout(Math.min(PATIENCE_S, set) * 1000)]);
}
