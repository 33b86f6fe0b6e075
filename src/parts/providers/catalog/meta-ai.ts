import type { ProviderProfile } from '../../../contracts/provider-profile.ts';

/** MODEL_API_KEY is left out: a name that general may hold anybody’s key. Who has it there names it with key_env. */
export const metaAi: ProviderProfile = {
  id: 'meta-ai',
  aliases: ['meta'],
  protocol: 'openai-responses',
  baseUrl: 'https://api.meta.ai/v1',
  baseUrlEnv: 'META_BASE_URL',
  keyEnvs: ['META_API_KEY'],
  defaultModel: 'muse-spark-1.3',
};
