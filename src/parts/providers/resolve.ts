import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import type { ProtocolId, Runtime } from '../../contracts/runtime.ts';
import { PROFILES, profileOf } from './catalog/all.ts';
import { NO_CREDENTIAL } from './auth/api-key.ts';
import type { Profile } from './profile.ts';

/** What the owner asked for, flags and settings already joined; empty means: not named. */
export interface Wish {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiMode: string;
  readonly contextLength: number;
  readonly maxTokens: number;
  /** The variable that holds the key, when it is not the provider's usual one. */
  readonly keyEnv?: string;
}
export type Env = Readonly<Record<string, string | undefined>>;
export interface ModelFacts {
  window(provider: string, model: string): number | undefined;
  maxOutput(provider: string, model: string): number | undefined;
}

const PROTOCOLS: Readonly<Record<string, ProtocolId>> = {
  chat_completions: 'openai-chat',
  anthropic_messages: 'anthropic-messages',
  responses: 'openai-responses',
};
/** The key a server without a profile gets, by the wire it speaks. */
const WIRE_KEYS: Readonly<Record<ProtocolId, string>> = {
  'openai-chat': 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  'anthropic-messages': 'ANTHROPIC_API_KEY',
};
/** Reference core §3.8: the window of a model nobody knows. */
export const ASSUMED_WINDOW = 256_000;

/** The route the owner's words lead to, or `undefined` when nothing is named and no key is there. */
export function resolveRuntime(wish: Wish, env: Env, facts: ModelFacts): Runtime | undefined {
  const profile = chooseProfile(wish, env);
  if (profile === undefined) return undefined;
  const protocol = PROTOCOLS[wish.apiMode] ?? profile.protocol;
  const model = wish.model || profile.defaultModel;
  if (model === undefined) throw new UsageError(`${profile.id} has no default model: name one with -m MODEL or model.default.`);
  return {
    provider: profile.id,
    model,
    baseUrl: baseUrlOf(profile, wish, env, protocol),
    protocol,
    credential: credentialOf(profile, wish, env, protocol),
    limits: limitsOf(profile, model, wish, facts),
  };
}

function chooseProfile(wish: Wish, env: Env): Profile | undefined {
  if (wish.provider !== '' && wish.provider !== 'auto') {
    const named = profileOf(wish.provider);
    if (named === undefined) throw new UsageError(unknownProvider(wish.provider));
    return named;
  }
  if (wish.baseUrl !== '') return profileOf('custom');
  return PROFILES.find((profile) => profile.baseUrl !== '' && firstKey(profile, env) !== undefined);
}

function unknownProvider(name: string): string {
  const names = PROFILES.flatMap((profile) => [profile.id, ...profile.aliases]);
  const guess = nearest(name, names);
  return `There is no provider ${name}${guess === undefined ? '' : `; did you mean ${guess}?`} Known: ${PROFILES.map((profile) => profile.id).join(', ')}.`;
}

/** Named address, then the provider's variable, then its own. A bare host gets the version path every such server has. */
function baseUrlOf(profile: Profile, wish: Wish, env: Env, protocol: ProtocolId): string {
  const url = wish.baseUrl || (profile.baseUrlEnv === undefined ? '' : (env[profile.baseUrlEnv] ?? '')) || profile.baseUrl;
  if (url === '') throw new UsageError(`${profile.id} needs an address: name it with --base-url or model.base_url.`);
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new UsageError(`${url} is not an http(s) address.`);
  const bare = parsed.pathname === '/' && protocol !== 'anthropic-messages';
  return bare ? `${url.replace(/\/+$/, '')}/v1` : url.replace(/\/+$/, '');
}

const firstKey = (profile: Profile, env: Env): string | undefined => profile.keyEnvs.find((name) => (env[name] ?? '') !== '');

function credentialOf(profile: Profile, wish: Wish, env: Env, protocol: ProtocolId): string {
  if (wish.keyEnv !== undefined) return wish.keyEnv;
  if (profile.id === 'custom') return (env[WIRE_KEYS[protocol]] ?? '') === '' ? NO_CREDENTIAL : WIRE_KEYS[protocol];
  return firstKey(profile, env) ?? profile.keyEnvs[0] ?? NO_CREDENTIAL;
}

function limitsOf(profile: Profile, model: string, wish: Wish, facts: ModelFacts): Runtime['limits'] {
  const maxOutput = wish.maxTokens > 0 ? wish.maxTokens : undefined;
  const window = wish.contextLength > 0 ? wish.contextLength : (facts.window(profile.id, model) ?? ASSUMED_WINDOW);
  return { window, ...(maxOutput !== undefined && { maxOutput }) };
}
