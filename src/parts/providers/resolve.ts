import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { joinUrl, parseOrigin, redactUrl } from '../../base/http.ts';
import { findNearest } from '../../base/text.ts';
import type { ProtocolId, Runtime } from '../../contracts/runtime.ts';
import { parseApiMode } from './catalog/api-mode.ts';
import { NO_CREDENTIAL } from './auth/api-key.ts';
import { BUILT_IN, type Catalog } from './catalog/all.ts';
import { findUnsupportedProvider, describeUnsupportedProvider } from './catalog/unsupported.ts';
import { listCredentials } from './keys.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';

/** What the owner asked for, flags and settings already joined; empty means: not named. */
export interface RouteSelection {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The address stands in config.yaml, so that a provider's base URL variable beats it. */
  readonly fromFile?: boolean;
  readonly apiMode: string;
  readonly contextLength: number;
  readonly maxTokens: number;
  /** The variable that holds the key, when it is not the provider's usual one. */
  readonly keyEnv?: string;
  /** A row of the fallback chain: a server without a profile gets the key its row names and no other. */
  readonly fallback?: true;
}
export interface ModelFacts {
  window(provider: string, model: string): number | undefined;
  maxOutput(provider: string, model: string): number | undefined;
}

/** The key a server without a profile gets, by the wire it speaks. */
const WIRE_KEYS: Readonly<Record<ProtocolId, string>> = {
  'openai-chat': 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  'anthropic-messages': 'ANTHROPIC_API_KEY',
};
/** Reference core §3.8: the window of a model nobody knows. */
export const ASSUMED_WINDOW = 256_000;

/** The route the owner's words lead to, or `undefined` when nothing is named and no key is there. */
export function resolveRuntime(selection: RouteSelection, env: Env, facts: ModelFacts, catalog: Catalog = BUILT_IN): Runtime | undefined {
  const profile = chooseProfile(selection, env, catalog);
  if (profile === undefined) return undefined;
  const url = addressOf(profile, selection, env);
  const away = profile.baseUrl !== '' && parseOrigin(url) !== parseOrigin(profile.baseUrl);
  const protocol = parseApiMode(selection.apiMode, 'api_mode') ?? (away ? profile.elsewhere : undefined) ?? profile.protocol;
  const model = selection.model || profile.defaultModel;
  if (model === undefined) throw new UsageError(`${profile.id} has no default model: name one with -m MODEL or model.default.`);
  return {
    provider: profile.id,
    model,
    baseUrl: complete(url, profile, protocol),
    protocol,
    credential:
      profile.id === 'custom' ? strangersKey(url, selection, env, protocol, catalog) : credentialOf(profile, selection, env, away),
    limits: limitsOf(profile, model, selection, facts),
  };
}

/** A named provider; else whose host is named; else the one the environment picks, whose address variable beats an address in the file. */
function chooseProfile(selection: RouteSelection, env: Env, { profiles, profileOf }: Catalog): ProviderProfile | undefined {
  if (selection.provider !== '' && selection.provider !== 'auto') {
    const named = profileOf(selection.provider);
    if (named === undefined) throw new UsageError(describeUnknownProvider(selection.provider, profiles));
    return named;
  }
  const enabled = enabledBy(env, profiles);
  if (selection.baseUrl === '') return enabled;
  const moved = selection.fromFile === true && enabled !== undefined && baseUrlVariable(enabled, env) !== '';
  return ownerOf(selection.baseUrl, profiles) ?? (moved ? enabled : profileOf('custom'));
}

/** The provider the environment picks: the first whose key is there, else one whose address a variable names. */
function enabledBy(env: Env, profiles: readonly ProviderProfile[]): ProviderProfile | undefined {
  const reachable = profiles.filter(
    (profile) => profile.onlyByName !== true && (profile.baseUrl !== '' || baseUrlVariable(profile, env) !== ''),
  );
  const keyed = reachable.find((profile) => listCredentials(profile, env).length > 0);
  return keyed ?? reachable.find((profile) => profile.local !== true && baseUrlVariable(profile, env) !== '');
}

/** The provider whose own host an address is: it must get that provider's key and no other. The longest common beginning decides. */
function ownerOf(url: string, profiles: readonly ProviderProfile[]): ProviderProfile | undefined {
  const same = profiles.filter(({ baseUrl, local }) => local !== true && baseUrl !== '' && parseOrigin(baseUrl) === parseOrigin(url));
  const shared = ({ baseUrl }: ProviderProfile) => (url.startsWith(baseUrl) ? baseUrl.length : baseUrl.startsWith(url) ? 1 : 0);
  return same.toSorted((a, b) => shared(b) - shared(a))[0];
}

export function describeUnknownProvider(name: string, profiles: readonly ProviderProfile[]): string {
  const later = findUnsupportedProvider(name);
  if (later !== undefined) return describeUnsupportedProvider(later);
  const guess = findNearest(
    name,
    profiles.flatMap((profile) => [profile.id, ...profile.aliases]),
  );
  return `There is no provider ${name}${guess === undefined ? '.' : `; did you mean ${guess}?`} Known: ${profiles.map((profile) => profile.id).join(', ')}.`;
}

const baseUrlVariable = ({ baseUrlEnv }: ProviderProfile, env: Env): string => (baseUrlEnv === undefined ? '' : (env[baseUrlEnv] ?? ''));

/** An address named for this run, then the provider's variable, then the file, then its own. */
function addressOf(profile: ProviderProfile, selection: RouteSelection, env: Env): string {
  const variable = baseUrlVariable(profile, env);
  const named = selection.fromFile === true ? variable || selection.baseUrl : selection.baseUrl || variable;
  const url = (profile.local === true ? normalizeLocalAddress(named, profile.baseUrl) : named) || profile.baseUrl;
  if (url === '') {
    const other = profile.baseUrlEnv === undefined ? '' : ` or ${profile.baseUrlEnv}`;
    throw new UsageError(`${profile.id} needs an address: name it with --base-url, model.base_url${other}.`);
  }
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new UsageError(`${redactUrl(url)} is not an http(s) address.`);
  refuseSecrets(parsed, profile);
  return url.replace(/\/+$/, '');
}

/** An address is stored with every call and shown in many places, so it must not carry a secret. Azure's version is none. */
function refuseSecrets(url: URL, { keyEnvs: [variable = 'OPENAI_API_KEY'] }: ProviderProfile): void {
  const home = `A key belongs in .env or the environment: hermes config set ${variable} …`;
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`The address of ${url.host} contains a name or password, which would be stored with it. Remove it. ${home}`);
  const others = [...url.searchParams.keys()].filter((name) => name !== 'api-version');
  if (others.length > 0 || url.hash !== '')
    throw new UsageError(
      `The address of ${url.host} carries ${others[0] === undefined ? 'a fragment' : 'a query'}, which would be stored with it. Only ?api-version=… is allowed. ${home}`,
    );
}

/** `OLLAMA_HOST` and its like are written for a server: often without a scheme or port, and 0.0.0.0 is no place to call. */
export function normalizeLocalAddress(named: string, usual: string): string {
  if (named === '') return '';
  const url = URL.parse(/^https?:\/\//i.test(named) ? named : `http://${named}`);
  if (url === null) return named;
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.port === '' && url.protocol === 'http:') url.port = URL.parse(usual)?.port ?? '';
  return url.href.replace(/\/+$/, '');
}

/** The beginning of the provider's own address is completed to it; a bare host gets the version path every such server has. */
function complete(url: string, profile: ProviderProfile, protocol: ProtocolId): string {
  if (profile.baseUrl.startsWith(`${url}/`) && protocol === profile.protocol) return profile.baseUrl;
  const bare = URL.parse(url)?.pathname === '/' && protocol !== 'anthropic-messages';
  return bare ? joinUrl(url, '/v1') : url;
}

/** A server without a profile gets the key of its wire, else the key that enables a provider; at a known host only that one's own. */
function strangersKey(url: string, { keyEnv, fallback }: RouteSelection, env: Env, protocol: ProtocolId, { profiles }: Catalog): string {
  if (keyEnv !== undefined) return firstOf(keyEnv, env) ?? keyEnv;
  if (fallback === true) return NO_CREDENTIAL;
  const known = ownerOf(url, profiles);
  const local = profiles.find((profile) => profile.local === true && parseOrigin(profile.baseUrl) === parseOrigin(url));
  const ofWire = known === undefined ? firstOf(WIRE_KEYS[protocol], env) : undefined;
  const keyed = known ?? local ?? enabledBy(env, profiles);
  return ofWire ?? (keyed && listCredentials(keyed, env)[0]) ?? NO_CREDENTIAL;
}

function credentialOf(profile: ProviderProfile, selection: RouteSelection, env: Env, away: boolean): string {
  if (selection.keyEnv !== undefined) return firstOf(selection.keyEnv, env) ?? selection.keyEnv;
  const [first] = listCredentials(profile, env);
  // A server in the provider's place may want no key; one that does will say so.
  return first ?? (profile.local === true || away ? NO_CREDENTIAL : (profile.keyEnvs[0] ?? NO_CREDENTIAL));
}
const firstOf = (variable: string, env: Env): string | undefined => listCredentials({ keyEnvs: [variable] }, env)[0];

/** What the owner states holds; more than the model can write is refused by most, so it is not asked for. */
function limitsOf(profile: ProviderProfile, model: string, selection: RouteSelection, facts: ModelFacts): Runtime['limits'] {
  const window =
    selection.contextLength > 0 ? selection.contextLength : (profile.windows?.[model] ?? facts.window(profile.id, model) ?? ASSUMED_WINDOW);
  const known = { window, ...(selection.contextLength > 0 && { stated: true as const }) };
  if (selection.maxTokens <= 0) return known;
  return { ...known, maxOutput: Math.min(selection.maxTokens, facts.maxOutput(profile.id, model) ?? selection.maxTokens) };
}
