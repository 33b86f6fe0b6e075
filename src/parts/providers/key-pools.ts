import type { CredentialPool } from '../../contracts/provider.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { Catalog } from './catalog/all.ts';
import { listCredentials, fingerprintCredential } from './keys.ts';
import { createCredentialPool } from './pool.ts';
import type { FactStore } from './routes.ts';
import type { ConfigOf, SliceValues } from '../../contracts/settings.ts';
import type { providerSettings } from './settings.ts';
import type { Env } from '../../base/env.ts';

export interface KeyPools {
  readonly pool: CredentialPool;
  readonly poolOf: (runtime: Runtime) => string;
}
export interface KeyPoolOptions {
  readonly config: ConfigOf<SliceValues<typeof providerSettings>>;
  readonly env: Env;
  readonly catalog: Catalog;
  readonly facts: FactStore;
}

/**
 * The keys that may stand in for each other. A provider's own keys form one pool; a route whose key the owner named by variable (`key_env`,
 * a server without a profile) draws on that variable alone, so that no other key ever reaches its host.
 */
export function createKeyPools(routes: readonly Runtime[], { config, env, catalog, facts }: KeyPoolOptions): KeyPools {
  const credentials = keysByPool(routes, env, catalog);
  const strategy = config.settings.credential_pool_strategy;
  const pool = createCredentialPool({
    credentials,
    strategy,
    now: Date.now,
    facts,
    printOf: (credential) => fingerprintCredential(credential, env),
  });
  const poolOf = ({ provider, credential }: Runtime): string => {
    if (credentials.get(catalog.profileOf(provider)?.id ?? '')?.includes(credential) === true) return provider;
    const named = [...credentials].find(([key, names]) => key.startsWith('key:') && names.includes(credential));
    return named?.[0] ?? `key:${credential}`;
  };
  return { pool, poolOf };
}

function keysByPool(routes: readonly Runtime[], env: Env, { profiles }: Catalog): ReadonlyMap<string, readonly string[]> {
  const variables = new Set(routes.map(({ credential }) => credential.replace(/(#\d+)?$/, '')));
  return new Map([
    ...profiles.filter(({ id }) => id !== 'custom').map((profile) => [profile.id, listCredentials(profile, env)] as const),
    ...[...variables].map((variable) => [`key:${variable}`, listCredentials({ keyEnvs: [variable] }, env)] as const),
  ]);
}

/** The route with the key that is due. When all rest, the first is as good as any: its refusal says what is wrong. */
export async function withDueKey(runtime: Runtime, question: KeyPoolOptions): Promise<Runtime> {
  const { pool, poolOf } = createKeyPools([runtime], question);
  const due = await pool.next(poolOf(runtime));
  return due === undefined ? runtime : { ...runtime, credential: due };
}
