import type { Env } from '../../base/env.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';

/**
 * Keys in an environment. A variable may hold several, parted by commas (`NAME`, `NAME#2`, …), and `NAME_2`, `NAME_3`, … add more:
 * together they are the provider's pool.
 */
export function listCredentials(profile: Pick<ProviderProfile, 'keyEnvs'>, env: Env): readonly string[] {
  const names = profile.keyEnvs.flatMap((name) => [name, ...further(name, env)]).flatMap((name) => within(name, env));
  const bySecret = new Map(names.toReversed().map((name) => [findCredentialSecret(name, env), name]));
  // The same key under two names is one credential; the first name stands for it.
  return names.filter((name) => bySecret.get(findCredentialSecret(name, env)) === name);
}

/** The value behind a credential's name. */
export function findCredentialSecret(credential: string, env: Env): string | undefined {
  const [name = '', place = '1'] = credential.split('#');
  return split(env[name])[Number(place) - 1];
}

/** A short mark by which two secrets can be told apart and neither be guessed. */
export const fingerprintCredential = (credential: string, env: Env): string =>
  sha256(findCredentialSecret(credential, env) ?? '').slice(0, 8);

const split = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

const within = (name: string, env: Env): readonly string[] =>
  split(env[name]).map((_, index) => (index === 0 ? name : `${name}#${index + 1}`));

function further(name: string, env: Env): readonly string[] {
  const names: string[] = [];
  for (let place = 2; split(env[`${name}_${place}`]).length > 0; place++) names.push(`${name}_${place}`);
  return names;
}
