import type { Env } from '../../base/env.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import { createProviderCatalog } from './catalog/all.ts';
import { listCredentials } from './keys.ts';

/** The variable that holds, or would hold, the key of a provider; with `auto` that of the first whose key is set. */
export function resolveKeyVariable(provider: string, env: Env, profiles: readonly ProviderProfile[]): string {
  const profile = createProviderCatalog([], profiles).profileOf(provider) ?? profiles.find((each) => listCredentials(each, env).length > 0);
  return profile?.keyEnvs[0] ?? 'OPENAI_API_KEY';
}
